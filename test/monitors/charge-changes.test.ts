// The rule that a run of a monitor charges new and changed contacts only.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeAccount } from '../../engine/accounts/accounts.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { charge, grant, readBalances } from '../../engine/ledger/ledger.ts';
import { getMonitorJob } from '../../engine/monitors/monitor-job.table.ts';
import { createMonitor, runMonitor } from '../../engine/monitors/monitors.ts';
import { presentMonitorJob } from '../../engine/monitors/present-monitor-job.ts';
import { payForFindings } from '../../engine/monitors/start-monitor-job.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { now, openJobFixture } from '../jobs/job-fixture.ts';
import { someCharge } from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';
import { count, daily, headers, line, mapping, person } from './monitor-fixture.ts';

const people = 3;
const step = fc.record({
  /** The title that each person gets in the directory before the run; null for no news. */
  titles: fc.array(fc.option(fc.constantFrom('Buyer', 'Head Buyer', 'Director')), {
    minLength: people,
    maxLength: people,
  }),
  rule: fc.constantFrom('answers', 'changes', 'changes'),
  /** Whether the wallet is empty when the run ends; whether its findings are then paid for. */
  short: fc.constantFrom(false, false, false, 'unpaid', 'paid'),
});

async function openMonitor() {
  const fixture = await openJobFixture();
  const { database, folder, account } = fixture;
  changeAccount(database, account.uuid, { hasBudget: true }, now());
  const dir = join(folder, 'upload');
  const { rowCount } = writeRowsTable({ headers, rows: count(people).map(person), targetDir: dir });
  const order = { accountId: account.id, title: 'Leads', fileName: null, schedule: daily };
  const list = { headers, mapping, dir, rowCount };
  return { fixture, monitor: createMonitor(database, folder, { ...order, ...list }, now()) };
}

test('a run charges the answers that are new or changed since the last paid run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const { fixture, monitor } = await openMonitor();
      const { database, folder, account } = fixture;
      const target = { accountId: account.id, id: monitor.id };
      const titles = new Map<number, string>();
      // What the last paid run knew of each row.
      const paid = new Map<number, string>();
      for (const [nth, { titles: news, rule, short }] of steps.entries()) {
        const lines = news.flatMap((title, at) => {
          if (title !== null) titles.set(at, title);
          return title === null ? [] : line(at, 'Acme Widgets', title);
        });
        if (lines.length > 0) await fixture.importPeople(`news-${nth}.csv`, lines);
        changeAccount(database, account.uuid, { monitorCharge: rule }, now());
        const { id } = runMonitor(database, folder, target, now());
        const { availableUnits } = readBalances(database, account.id);
        if (short) charge(database, account.id, availableUnits, someCharge, now().toISOString());
        const job = getMonitorJob(database, account.id, id);
        await runJob(fixture.deps, job?.jobId ?? 0);
        const answered = [...titles];
        const charged = answered.filter(
          ([at, title]) => rule === 'answers' || paid.get(at) !== title,
        ).length;
        if (short) {
          const subject = { kind: 'grant', id: 'more' } as const;
          grant(database, account.id, creditUnits(900_000_000), subject, now().toISOString());
        }
        if (short === 'paid' && charged > 0)
          payForFindings(database, { accountId: account.id, id, keyId: null }, now());
        const ended = getMonitorJob(database, account.id, id);
        expect(ended && presentMonitorJob(ended)).toMatchObject({
          charge_rule: rule,
          charged_records: charged,
          credits_due: `${charged}.0000`,
          credit_charge_failed: short === 'unpaid' && charged > 0,
        });
        if (short !== 'unpaid' || charged === 0)
          for (const [at, title] of answered) paid.set(at, title);
      }
    }),
    { numRuns: runsOf(6) },
  );
});
