/**
 * Where a job keeps the caller's rows: jobs/<id>/input.csv and its offset index, never inside
 * engine.db.
 */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pageLimitMax } from '../contract/limits.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';
import { syncFolder } from '../sqlite/sync-folder.ts';
import { listJobIds } from '../store/job.ts';
import { listMonitorUuids } from '../store/monitor.ts';
import { listPipelineInputs } from '../store/pipeline.ts';

/** The folder of one job's input. */
export const jobDir = (folder: string, jobUuid: string) => join(folder, 'jobs', jobUuid);

const inputFiles = ['input.csv', 'input.idx'];

/**
 * Gives a job its own copy of a prepared table: hard links where the disk can, so that an upload
 * can be submitted again with other layers and costs no second copy. Synced before it returns.
 */
export function adoptInput(folder: string, jobUuid: string, preparedDir: string): void {
  const dir = jobDir(folder, jobUuid);
  mkdirSync(dir, { recursive: true });
  for (const name of inputFiles) {
    try {
      linkSync(join(preparedDir, name), join(dir, name));
    } catch {
      copyFileSync(join(preparedDir, name), join(dir, name));
    }
  }
  syncFolder(dir);
  syncFolder(join(folder, 'jobs'));
}

/** Removes a job's input: after a refused submit. */
export const dropInput = (folder: string, jobUuid: string) =>
  rmSync(jobDir(folder, jobUuid), { recursive: true, force: true });

/** The folders of all inputs that a job of any account or kind, a monitor or a pipeline owns. */
export function* listInputUuids(database: ReadableDatabase): Generator<string> {
  let last = 0;
  for (;;) {
    const jobs = listJobIds(database, last, pageLimitMax);
    for (const { id, uuid } of jobs) {
      last = id;
      yield uuid;
    }
    if (jobs.length < pageLimitMax) break;
  }
  yield* listMonitorUuids(database);
  yield* listPipelineInputs(database);
}

/** Removes the inputs that nothing owns: what a kill between file and row left behind. */
export function sweepInputs(folder: string, isJob: (jobUuid: string) => boolean): void {
  const dir = join(folder, 'jobs');
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) if (!isJob(name)) dropInput(folder, name);
}
