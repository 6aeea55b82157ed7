/** The memory of an engine that is idle after an import, and after a restart. */
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
import { bounds } from './bounds.ts';

const idleMegabytesMax = 350;

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
  report(
    'private memory of an engine that is idle after the import',
    `${Math.round(idle)} MB`,
    `≤ ${idleMegabytesMax} MB`,
    idle <= idleMegabytesMax,
    bounds.idleMemory,
  );
  const restarted = await startEngineProcess(dataDir);
  const again = await readLevelMemory(restarted.child.pid ?? 0);
  await restarted.stop();
  report('the same after a restart', `${Math.round(again)} MB`, '', null);
}
