// Completed jobs with chosen rows and results, and their exports.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Overwrite, OverwriteDiff } from '../../../engine/contract/exports/overwrite.ts';
import { reasons, rowStatuses } from '../../../engine/contract/jobs/job.ts';
import type { ColumnMapping } from '../../../engine/contract/jobs/row-input.ts';
import { exportResult } from '../../../engine/jobs/results/export-result.ts';
import { overwriteResult } from '../../../engine/jobs/results/result.table.ts';
import type { ResultExport } from '../../../engine/jobs/results/result-export.ts';
import { runJob } from '../../../engine/jobs/run-job.ts';
import { submitJob } from '../../../engine/jobs/submit-job.ts';
import { writeRowsTable } from '../../../engine/spreadsheet/write-rows-table.ts';
import { now, openJobFixture } from '../job-fixture.ts';

/** A found value with its source and day. */
export type Found = readonly [value: string, source: string, observedOn: string];
/** The found values of a row by display name; null for a row without a match. */
export type FoundRow = Readonly<Record<string, Found>> | null;

/** Opens an environment whose jobs get the results that a test chooses. */
export async function openExportFixture() {
  const fixture = await openJobFixture();
  const { database, folder, account, deps, read } = fixture;
  /** Submits and completes a job; returns its id. */
  const finish = async (
    headers: readonly string[],
    rows: readonly (readonly string[])[],
    mapping: ColumnMapping,
    found: readonly FoundRow[],
    selection: readonly string[] = ['L1'],
  ): Promise<string> => {
    const dir = join(folder, 'upload');
    rmSync(dir, { recursive: true, force: true });
    const { rowCount, sha256 } = writeRowsTable({ headers, rows, targetDir: dir });
    const order = { accountId: account.id, keyId: null, title: 'List', fileName: null };
    const input = { dir, headers, rowCount, sha256 };
    const { data } = submitJob(
      database,
      folder,
      { ...order, selection, idempotency: null, input, mapping },
      now(),
    );
    await runJob(deps, read(data.job_id).id);
    const { resultBase } = read(data.job_id);
    for (const [row, values] of found.entries()) {
      if (!values) continue;
      const names = Object.keys(values);
      const pick = (choose: (one: Found) => unknown) =>
        JSON.stringify(Object.fromEntries(names.map((name) => [name, choose(values[name]!)])));
      overwriteResult(database, resultBase + row, {
        status: rowStatuses.indexOf('enriched'),
        reason: reasons.indexOf(''),
        contactUuid: `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
        layerBits: 1,
        confidence: 1,
        error: null,
        fields: pick(([value]) => value),
        provenance: pick(([, source, day]) => [source, 1, day]),
      });
    }
    return data.job_id;
  };
  const commandOf = (jobId: string, change: Partial<ResultExport>): ResultExport => ({
    kind: 'result',
    accountId: account.id,
    jobId,
    status: null,
    format: 'csv',
    forExcel: false,
    protectAll: false,
    overwrite: null,
    ...change,
  });
  const write = (jobId: string, change: Partial<ResultExport> = {}) => [
    ...exportResult(database, folder, commandOf(jobId, change)),
  ];
  const preview = (jobId: string, overwrite: Overwrite): OverwriteDiff => {
    let diff: OverwriteDiff | null = null;
    const command = commandOf(jobId, { overwrite });
    for (const _piece of exportResult(database, folder, command, (end) => {
      diff = end.diff;
    }));
    if (!diff) throw new Error('no diff');
    return diff;
  };
  return { ...fixture, finish, write, preview };
}
