// A data folder with a large directory and a finished job of a million rows; made once, kept.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineProcess, startEngineProcess } from '../../test/engine-process.ts';
import {
  type BenchContext,
  importAndIndex,
  prepareFiles,
  startEmptyEngine,
} from '../parts/bench-context.ts';
import { awaitJob, submitList } from '../parts/job.ts';

/** The engine of the large data folder. */
export interface LargeDesk {
  readonly engine: EngineProcess;
  readonly jobId: string;
}

/** Opens the kept data folder of these sizes; makes it if it is missing. */
export async function openLargeDesk(context: BenchContext): Promise<LargeDesk> {
  const { people, rows } = context.sizes;
  const dataDir = join(context.root, `ui-${people}-${rows}`);
  const made = join(dataDir, 'job-id.txt');
  if (existsSync(made))
    return { engine: await startEngineProcess(dataDir), jobId: readFileSync(made, 'utf8') };
  const files = prepareFiles(context, { people, rows });
  context.say(`importing ${people} people and enriching ${rows} rows …`);
  const engine = await startEmptyEngine(dataDir);
  await engine.ask('POST', '/app/v1/wallet/grants', { credits: '10000000' });
  await importAndIndex(engine, files);
  const jobId = await submitList(engine, files.list);
  await awaitJob(engine, jobId);
  writeFileSync(made, jobId);
  return { engine, jobId };
}
