// The memory of an engine that is idle after an import, and after a restart.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startEngineProcess } from '../../test/engine-process.ts';
import { watchMemory } from '../measure.ts';
import {
  type BenchContext,
  importAndIndex,
  prepareFiles,
  readLevelMemory,
  startEmptyEngine,
} from './bench-context.ts';

const idleMegabytesMax = 320;

/** Imports people with a new engine, and reads its memory once nothing is running. */
export async function benchMemory(context: BenchContext): Promise<void> {
  const { root, report, sizes } = context;
  const files = prepareFiles(context, { people: sizes.people, rows: 1_000 });
  const dataDir = join(root, 'memory');
  const engine = await startEmptyEngine(dataDir);
  const pid = engine.child.pid ?? 0;
  const peak = watchMemory(pid);
  await importAndIndex(engine, files);
  report('private memory during the import, at most', `${Math.round(peak.stop())} MB`, '', null);
  const idle = await readLevelMemory(pid);
  await engine.stop();
  const restarted = await startEngineProcess(dataDir);
  const again = await readLevelMemory(restarted.child.pid ?? 0);
  await restarted.stop();
  const indexes = ['directory.index', 'directory.search'].reduce(
    (sum, name) => sum + statSync(join(dataDir, name)).size / 1024 ** 2,
    0,
  );
  report(
    'private memory of an engine that is idle after the import',
    `${Math.round(idle)} MB`,
    `≤ ${idleMegabytesMax} MB`,
    idle <= idleMegabytesMax,
    `the two indexes (${Math.round(indexes)} MB), the engine and its threads ` +
      `(${Math.round(again - indexes)} MB), and what the allocator keeps of the import ` +
      `(${Math.round(idle - again)} MB).`,
  );
  report('the same after a restart', `${Math.round(again)} MB`, '', null);
}
