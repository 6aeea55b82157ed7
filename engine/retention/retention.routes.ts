/** Routes /app/v1/retention, /retention-previews and /retention-runs. */
import {
  type Retention,
  RetentionChangeSchema,
  RetentionPreviewSchema,
  RetentionRunRequestSchema,
  RetentionSchema,
} from '../contract/retention/retention.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { describeClockStop, findClockStop } from '../platform/trusted-clock.ts';
import { checkDays } from './change-retention.ts';
import { readRetention } from './effective-days.ts';
import { readRun } from './retention-run.table.ts';
import type { RetentionRouteDeps } from './route-deps.ts';

/** Adds the routes. The server must have the session hook. */
export function addRetentionRoutes(server: ApiServer, context: RetentionRouteDeps): void {
  const { environment, retentionPolicy: policy } = context;
  const readClockStop = (): Retention['clock_stop'] => {
    const now = new Date(context.now());
    const lastAt = findClockStop(environment.database, now);
    if (!lastAt) return null;
    const detail = describeClockStop(lastAt, now);
    return { last_at: lastAt.toISOString(), now: now.toISOString(), detail };
  };
  const read = (accountId: number): Retention => ({
    kinds: readRetention(environment.database, accountId, policy),
    run: readRun(environment.database),
    clock_stop: readClockStop(),
  });
  const response = answersOf(RetentionSchema);
  server.get('/retention', { schema: { response } }, async (request) =>
    success(read(callerOf(request).account.id)),
  );
  server.patch(
    '/retention',
    { schema: { body: RetentionChangeSchema, response } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      await environment.writer.changeRetention({ ...request.body, accountId });
      return success(read(accountId));
    },
  );
  server.post(
    '/retention-previews',
    { schema: { body: RetentionChangeSchema, response: answersOf(RetentionPreviewSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { days } = request.body;
      const current = readRetention(environment.database, accountId, policy);
      for (const one of current) {
        const given = days[one.kind];
        if (given !== undefined && (given || null) !== one.setting) checkDays(one, given || null);
      }
      const kinds = readRetention(environment.database, accountId, policy, days);
      const nowMs = context.now();
      return success({
        kinds: await environment.reader.previewRetention({ accountId, kinds, nowMs }),
      });
    },
  );
  server.post(
    '/retention-runs',
    { schema: { body: RetentionRunRequestSchema, response } },
    async (request) => {
      const { confirm_clock: isClockConfirmed } = request.body;
      await environment.writer.runRetention({ isClockConfirmed });
      return success(read(callerOf(request).account.id));
    },
  );
}
