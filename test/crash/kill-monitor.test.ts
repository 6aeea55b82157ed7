/**
 * Kills the engine during a monitor's run. After each start every record has one result and one
 * finding, and the run is charged once.
 * @module-tag full
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { MonitorJob } from '../../engine/contract/monitors/career-monitor.ts';
import type { Monitor } from '../../engine/contract/monitors/monitors.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { startEngineProcess } from '../engine-process.ts';
import { createRandom } from '../random.ts';

const kills = 3;
const records = 20_000;
const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);

interface Run {
  status: string;
  processed: number;
  counted: number;
  findings: number;
  paid: string | null;
  charges: number;
}

/** Invariants of every run at every moment, from the rows alone. */
function checkRuns(dataDir: string): void {
  const database = openReadable(join(dataDir, 'engine.db'));
  const runs = database
    .prepare(
      `SELECT j.status, j.processed_rows AS processed, m.paid_at AS paid,
         m.changed_rows + m.left_rows + m.unchanged_rows + m.no_match_rows + m.failed_rows
           AS counted,
         (SELECT count(*) FROM monitor_finding f
          WHERE f.id >= j.result_base AND f.id < j.result_base + j.total_rows) AS findings,
         (SELECT count(*) FROM ledger_entry e
          WHERE e.subject_kind = 'monitor_job' AND e.subject_id = CAST(m.id AS TEXT)) AS charges
       FROM monitor_job m JOIN job j ON j.id = m.job_id`,
    )
    .all() as Run[];
  const violations = verifyLedger(database);
  database.close();
  expect(violations).toEqual([]);
  for (const run of runs) {
    const isPaid = run.status === 'completed';
    expect([run.counted, run.findings]).toEqual([run.processed, run.processed]);
    expect([run.paid !== null, run.charges]).toEqual([isPaid, isPaid ? 1 : 0]);
  }
}

test(`${kills} kills in a monitor's run lose no record and charge once (seed ${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-crash-'));
  const dataDir = join(folder, 'data');
  const random = createRandom(seed);
  let engine = await startEngineProcess(dataDir);
  onTestFinished(async () => {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines = Array.from({ length: records }, (_, at) =>
    at % 2 ? `Nobody${at},Atall,Nowhere` : 'Karen,Clark,Minnesota House',
  );
  const path = join(folder, 'list.csv');
  writeFileSync(path, ['First name,Last name,Company', ...lines, ''].join('\n'));
  await engine.ask('POST', '/app/v1/directory/sample?wait=1');
  const upload = (await engine.ask('POST', '/app/v1/uploads', { path })) as Upload;
  const { last_job: job } = (await engine.ask('POST', '/app/v1/monitors', {
    title: 'Watched',
    upload_id: upload.upload_id,
    schedule: { rhythm: 'daily', time: '09:00', time_zone: 'UTC' },
    run_now: true,
  })) as Monitor;
  const read = async () =>
    (await engine.ask('GET', `/app/v1/monitor-jobs/${job?.job_id}`)) as MonitorJob;
  for (let kill = 0; kill < kills; kill += 1) {
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(Math.floor(random() * 700));
    await engine.kill();
    checkRuns(dataDir);
    engine = await startEngineProcess(dataDir);
  }
  await expect.poll(read, { timeout: 300_000 }).toMatchObject({ status: 'Completed' });
  const { counts, total_credits_charged: charged } = await read();
  expect(counts.unchanged + counts.changed + counts.left).toBe(charged);
  expect(charged).toBeGreaterThan(0);
  expect(await engine.stop()).toBe(0);
  checkRuns(dataDir);
});
