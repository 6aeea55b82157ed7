// An environment of real files without its threads: jobs run in the test's own process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import { ensureFirstAccount } from '../../engine/accounts/accounts.ts';
import type { WhenOffline } from '../../engine/contract/jobs/offline.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import {
  attachDirectory,
  openDirectory,
  readGeneration,
} from '../../engine/directory/open-directory.ts';
import { getJob, type JobRow } from '../../engine/jobs/job.table.ts';
import { createEnrichmentHooks } from '../../engine/jobs/job-kind.ts';
import { createMatchWorker } from '../../engine/jobs/matching/create-match-worker.ts';
import { readResults } from '../../engine/jobs/results/result.table.ts';
import type { RunDeps } from '../../engine/jobs/run-job.ts';
import { submitJob } from '../../engine/jobs/submit-job.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { createMonitorHooks } from '../../engine/monitors/monitor-hooks.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { openNewStore } from '../migrations/temporary-store.ts';

/** The time of every record whose time does not matter. */
export const now = () => new Date('2026-11-20T10:00:00.000Z');
const peopleHeader = 'person_id,first_name,last_name,organization,title,email,is_current';

/**
 * The files and the first account. They are removed after the test, which also checks the ledger.
 */
function openFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'desk-run-'));
  const directory = openDirectory(folder);
  const database = openNewStore(folder);
  attachDirectory(database, folder);
  ensureFirstAccount(database, now());
  const [account] = listAccounts(database);
  if (!account) throw new Error('no account');
  onTestFinished(() => {
    const violations = verifyLedger(database);
    database.close();
    directory.close();
    rmSync(folder, { recursive: true, force: true });
    expect(violations).toEqual([]);
  });
  return { folder, directory, database, account };
}

export async function openJobFixture() {
  const { folder, directory, database, account } = openFiles();
  const matcher = createMatchWorker();
  const reindex = () => matcher.takeIndex({ buffer: buildIndex(directory).buffer, folder });
  await reindex();
  const importPeople = async (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, [peopleHeader, ...lines, ''].join('\n'));
    const report = await importDirectory(directory, { peoplePath: path, source: name });
    await reindex();
    return report.import_id;
  };
  const deps: RunDeps = {
    database,
    folder,
    kinds: {
      enrichment: createEnrichmentHooks(database),
      monitor: createMonitorHooks(database),
    },
    inFlightMax: 2,
    match: (bytes, mapping, threshold) => matcher.match({ bytes, mapping, threshold }),
    readGeneration: () => readGeneration(database),
    whenGeneration: reindex,
    now,
    onProgress: () => undefined,
    isStopping: () => false,
  };
  const submit = (
    rows: readonly string[][],
    selection: readonly string[] = ['L1'],
    {
      at = now(),
      newSince: new_since,
      usesProviders: use_providers,
      whenOffline: when_offline,
      mapping,
    }: {
      at?: Date;
      newSince?: string;
      usesProviders?: boolean;
      whenOffline?: WhenOffline;
      mapping?: JobRow['mapping'];
    } = {},
  ) => {
    const dir = join(folder, 'upload');
    const headers = ['First name', 'Last name', 'Company', 'Reference'].slice(0, rows[0]?.length);
    const { rowCount, sha256 } = writeRowsTable({ headers, rows, targetDir: dir });
    const { data } = submitJob(
      database,
      folder,
      {
        accountId: account.id,
        keyId: null,
        selection,
        title: 'List',
        fileName: null,
        idempotency: null,
        input: { dir, headers, rowCount, sha256 },
        mapping: mapping ?? {
          first_name: 0,
          last_name: 1,
          company_name: 2,
          ...(headers.length > 3 && { client_reference_id: 3 }),
        },
        options: { new_since, use_providers, when_offline },
      },
      at,
    );
    return data.job_id;
  };
  const read = (uuid: string): JobRow => {
    const job = getJob(database, account.id, uuid);
    if (!job) throw new Error(`no job ${uuid}`);
    return job;
  };
  const results = (job: JobRow) =>
    readResults(database, { resultBase: job.resultBase, firstRow: 0, count: job.totalRows });
  return {
    folder,
    database,
    directory,
    account,
    deps,
    importPeople,
    submit,
    read,
    results,
  };
}
