// Answers the calls about one person or company with its sources.
import { records } from '../../contract/records/records.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import type { RecordRouteDeps } from '../route-deps.ts';
import { readCompanyRecord } from './read-company-record.ts';
import { readPersonRecord } from './read-person-record.ts';

export function addRecordRoutes(server: ApiServer, context: RecordRouteDeps): void {
  const { environment } = context;
  serve(server, context, records, {
    async person({ id: uuid, directory }, { accountId }) {
      if (directory !== 'team') return readPersonRecord(environment.directoryDatabase, uuid);
      const had = await environment.writer.findHad({ accountId, people: [uuid] });
      const unlocked = had.get(uuid) ?? { email: false, phone: false };
      return environment.writer.readTeamRecord({ uuid, unlocked });
    },
    company: ({ id: uuid, directory }) =>
      directory === 'team'
        ? environment.writer.readTeamCompany({ uuid })
        : readCompanyRecord(environment.directoryDatabase, uuid, { isOwn: true }),
  });
}
