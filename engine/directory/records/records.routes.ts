/** Routes /app/v1/directory/people/{id} and /companies/{id}: one record with its sources. */
import {
  CompanyRecordSchema,
  PersonRecordSchema,
  RecordParamsSchema,
  RecordQuerySchema,
} from '../../contract/records/records.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { isOwned } from '../../ledger/owned-values.ts';
import type { RecordRouteDeps } from '../route-deps.ts';
import { readCompanyRecord } from './read-company-record.ts';
import { readPersonRecord } from './read-person-record.ts';

/** Adds the routes. The server must have the session hook. */
export function addRecordRoutes(server: ApiServer, { environment }: RecordRouteDeps): void {
  server.get(
    '/directory/people/:record_id',
    {
      schema: {
        params: RecordParamsSchema,
        querystring: RecordQuerySchema,
        response: answersOf(PersonRecordSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const findUnlocked = (personUuid: string) => ({
        email: isOwned(environment.database, accountId, { personUuid, kind: 'email' }),
        phone: isOwned(environment.database, accountId, { personUuid, kind: 'phone' }),
      });
      const { record_id: uuid } = request.params;
      return success(
        request.query.directory === 'team'
          ? await environment.writer.readTeamRecord({ uuid, unlocked: findUnlocked(uuid) })
          : readPersonRecord(environment.directoryDatabase, uuid, findUnlocked),
      );
    },
  );
  server.get(
    '/directory/companies/:record_id',
    {
      schema: {
        params: RecordParamsSchema,
        querystring: RecordQuerySchema,
        response: answersOf(CompanyRecordSchema),
      },
    },
    async ({ params: { record_id: uuid }, query }) =>
      success(
        query.directory === 'team'
          ? await environment.writer.readTeamCompany({ uuid })
          : readCompanyRecord(environment.directoryDatabase, uuid),
      ),
  );
}
