// Answers the calls about retention.
import {
  type Retention,
  type RetentionPolicy,
  retention,
} from '../contract/retention/retention.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { describeClockStop, findClockStop } from '../platform/trusted-clock.ts';
import { checkDays, type RetentionCalls, type RetentionReads } from './change-retention.ts';
import { readRetention } from './effective-days.ts';
import { readRun } from './retention-run.table.ts';

interface RetentionRouteDeps extends RouteDepsWith<RetentionCalls, RetentionReads> {
  readonly retentionPolicy: RetentionPolicy;
}

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
  serve(server, context, retention, {
    read: (_input, { accountId }) => read(accountId),
    async change({ days }, { accountId }) {
      await environment.writer.changeRetention({ days, accountId });
      return read(accountId);
    },
    async preview({ days }, { accountId }) {
      const current = readRetention(environment.database, accountId, policy);
      for (const one of current) {
        const given = days[one.kind];
        if (given !== undefined && (given || null) !== one.setting) checkDays(one, given || null);
      }
      const kinds = readRetention(environment.database, accountId, policy, days);
      const nowMs = context.now();
      return { kinds: await environment.reader.previewRetention({ accountId, kinds, nowMs }) };
    },
    async run({ confirm_clock: isClockConfirmed }, { accountId }) {
      await environment.writer.runRetention({ isClockConfirmed });
      return read(accountId);
    },
  });
}
