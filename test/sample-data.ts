// A data folder with the sample directory: created once per run, copied by each test.
import { constants, cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { startEngineProcess } from './engine-process.ts';

async function importSample(dataDir: string): Promise<void> {
  const engine = await startEngineProcess(dataDir, [], { stderr: 'pipe' });
  await engine.ask('POST', '/app/v1/directory/sample?wait=1');
  const code = await engine.stop();
  if (code !== 0) throw new Error(`the engine that imported the sample exited with ${code}`);
}

/** Imports the sample unless a worker of this run has done so or is doing so. */
async function makeSample(): Promise<string> {
  const shared = inject('sharedDir');
  const made = join(shared, 'sample');
  // Creating the folder fails in all workers but one.
  if (mkdirSync(join(shared, 'sample-claim'), { recursive: true }) === undefined) {
    await vi.waitUntil(() => existsSync(made), { timeout: 120_000, interval: 50 });
    return made;
  }
  const unfinished = join(shared, 'sample-unfinished');
  await importSample(unfinished);
  renameSync(unfinished, made);
  return made;
}

/** Fills a data folder with the sample directory and its indexes, as after an import. */
export async function copySample(dataDir: string): Promise<void> {
  const sample = await makeSample();
  // The engine warns about a folder that other users can read.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // If the file system can, the copy shares its blocks with the original.
  cpSync(sample, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
