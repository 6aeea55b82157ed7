// Stands in for the table of worker entries: the bundles of the build, which load faster.
import {
  workerEntries as sources,
  type WorkerName,
} from '../../engine/platform/workers/worker-entries.ts';

const names = Object.keys(sources) as WorkerName[];

/** The bundle of each worker, relative to the project. */
export const workerEntries = Object.fromEntries(
  names.map((name) => [name, `out/engine/${name}.js`]),
) as Record<WorkerName, string>;
