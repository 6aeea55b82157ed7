/** Answers the calls about one person or company with its sources. */
import { records } from '../../contract/records/records.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import { isOwned } from '../../ledger/owned-values.ts';
import type { RecordRouteDeps } from '../route-deps.ts';
import { readCompanyRecord } from './read-company-record.ts';
import { readPersonRecord } from './read-person-record.ts';

export function addRecordRoutes(server: ApiServer, context: RecordRouteDeps): void {
  const { environment } = context;
  serve(server, context, records, {
    person({ id: uuid, directory }, { accountId }) {
      const isPaid = (kind: 'email' | 'phone') =>
        isOwned(environment.database, accountId, { personUuid: uuid, kind });
      return directory === 'team'
        ? environment.writer.readTeamRecord({
            uuid,
            unlocked: { email: isPaid('email'), phone: isPaid('phone') },
          })
        : readPersonRecord(environment.directoryDatabase, uuid);
    },
    company: ({ id: uuid, directory }) =>
      directory === 'team'
        ? environment.writer.readTeamCompany({ uuid })
        : readCompanyRecord(environment.directoryDatabase, uuid, { isOwn: true }),
  });
}
