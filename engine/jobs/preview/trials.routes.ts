/** Route /app/v1/trials: ten rows of an upload, free (docs/rules.md, "Trials"). */
import { NewTrialSchema, TrialSchema } from '../../contract/jobs/trials.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { resolveLayers } from '../../ledger/price-job.ts';
import { checkColumnMapping } from '../../spreadsheet/recognize-input.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { listGivenColumns } from './try-rows.ts';

/** Adds the route. The server must have the session hook. */
export function addTrialRoute(server: ApiServer, { uploads, environment }: JobRouteDeps): void {
  server.post(
    '/trials',
    { schema: { body: NewTrialSchema, response: answersOf(TrialSchema) } },
    async (request) => {
      const { body } = request;
      const accountId = callerOf(request).account.id;
      const { upload, input } = await uploads.find(body.upload_id);
      const mapping = body.mapping ?? upload.mapping;
      checkColumnMapping(input.headers, mapping);
      const { codes } = resolveLayers(environment.database, accountId, body.selected_layers);
      const rows = await environment.reader.tryRows({ accountId, dir: input.dir, mapping, codes });
      const columns = listGivenColumns(mapping).map((column) => upload.labels[column] ?? '');
      return success({ columns, rows });
    },
  );
}
