/** Route /app/v1/directory/people/{id}/jobs: the jobs of the account that have the person. */
import { personJobsRowsMax } from '../../contract/limits/jobs.ts';
import { JobsOfPersonSchema, RecordParamsSchema } from '../../contract/records/records.ts';
import { requireRecord } from '../../directory/records/record-values.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer, RouteDeps } from '../../http/route-deps.ts';
import { findJobsOfPerson } from './jobs-of-person.ts';

/** Adds the route. The server must have the session hook. */
export function addPersonJobRoutes(server: ApiServer, { environment }: RouteDeps): void {
  server.get(
    '/directory/people/:id/jobs',
    { schema: { params: RecordParamsSchema, response: answersOf(JobsOfPersonSchema) } },
    async (request) => {
      // An environment that is not open yet has no databases.
      const { database, directoryDatabase: directory } = environment;
      const person = requireRecord(directory, 'person', request.params.id);
      const accountId = callerOf(request).account.id;
      return success(findJobsOfPerson(database, accountId, person.uuid, personJobsRowsMax));
    },
  );
}
