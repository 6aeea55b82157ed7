// An environment of real files with jobs of chosen ages, and the run of retention at a time.
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import type { RetentionKind, RetentionPolicy } from '../../engine/contract/retention/retention.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { putSetting } from '../../engine/retention/retention-setting.table.ts';
import { removeDue } from '../../engine/retention/run-retention.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { inventName } from '../invented-names.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1, 10);

/** A time, in days after the first one. */
export const day = (number: number): Date => new Date(start + number * dayMs);

export const person = (at: number): string[] => [...inventName(at), 'Acme Widgets'];

/** Opens an environment with people 0 to `people` - 1. */
export async function openRetention(people = 10) {
  const fixture = await openJobFixture();
  const { database, folder, account, deps } = fixture;
  const lines = Array.from(
    { length: people },
    (_, at) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`,
  );
  await fixture.importPeople('crm.csv', lines);
  const set = (kind: RetentionKind, days: number | null) =>
    putSetting(database, account.id, kind, days);
  const steps = (at: Date, policy: RetentionPolicy = {}) =>
    removeDue(
      {
        database,
        folder,
        policy,
        kinds: deps.kinds,
        now: () => at,
        onProgress: () => undefined,
      },
      at,
    );
  return {
    ...fixture,
    set,
    steps,
    async enrich(
      at: Date,
      rows: readonly string[][],
      more: { newSince?: string; layers?: readonly LayerCode[] } = {},
    ): Promise<JobRow> {
      const { layers = ['L1'], ...order } = more;
      const uuid = fixture.submit(rows, layers, { at, ...order });
      await runJob({ ...deps, now: () => at }, fixture.read(uuid).id);
      return fixture.read(uuid);
    },
    run(at: Date, policy: RetentionPolicy = {}): void {
      for (const _step of steps(at, policy));
      expect(verifyLedger(database)).toEqual([]);
    },
    /** Everything of a job that its deletion removes. */
    traces: ({ id, uuid, resultBase, totalRows }: JobRow) => {
      const count = (sql: string, ...values: unknown[]) =>
        database
          .prepare(`SELECT count(*) FROM ${sql}`)
          .pluck()
          .get(...values) as number;
      const last = resultBase + totalRows - 1;
      return {
        input: existsSync(jobDir(folder, uuid)),
        results: count('result WHERE id BETWEEN ? AND ?', resultBase, last),
        repeats: count('repeat_row WHERE id BETWEEN ? AND ?', resultBase, last),
        batches: count('job_batch WHERE job_id = ?', id),
        people: count('job_person WHERE job_id = ?', id),
      };
    },
    /** UUIDs of the jobs that exist, oldest first. */
    listUuids: () =>
      database
        .prepare('SELECT uuid FROM job WHERE deleted_at IS NULL ORDER BY id')
        .pluck()
        .all() as string[],
  };
}

export const nothingLeft = { input: false, results: 0, repeats: 0, batches: 0, people: 0 };
