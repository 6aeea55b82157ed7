/** Route /app/v1/trials: ten rows of an upload, free (docs/rules.md, "Trials"). */
import { EngineError } from '../../contract/errors.ts';
import { NewTrialSchema, TrialSchema } from '../../contract/jobs/trials.ts';
import { trialsPerDayMax } from '../../contract/limits/jobs.ts';
import { callerOf } from '../../http/credentials.ts';
import { createRateWindow } from '../../http/rate-window.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { resolveLayers } from '../../ledger/price-job.ts';
import { checkColumnMapping } from '../../spreadsheet/recognize-input.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { listGivenColumns } from './try-rows.ts';

const dayMs = 86_400_000;

/** Adds the route. The server must have the session hook. */
export function addTrialRoute(server: ApiServer, { uploads, environment }: JobRouteDeps): void {
  const window = createRateWindow(trialsPerDayMax, dayMs, () => performance.now());
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
      const { allowed, remaining, resetSeconds } = window.take(String(accountId));
      if (!allowed)
        throw new EngineError(
          'rate_limited',
          `An account may try ${trialsPerDayMax} times in 24 hours. The next free trial is in ` +
            `${Math.ceil(resetSeconds / 60)} minutes. A job has no such limit.`,
        );
      const rows = await environment.reader.tryRows({ accountId, dir: input.dir, mapping, codes });
      const columns = listGivenColumns(mapping).map((column) => upload.labels[column] ?? '');
      return success({ columns, rows, remaining });
    },
  );
}
