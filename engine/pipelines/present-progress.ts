// Progress of each step of a pipeline.
import { formatCredits } from '../contract/credits.ts';
import type { PipelineProgress } from '../contract/pipelines/pipeline-progress.ts';
import type { PipelineRow } from './pipeline.table.ts';

/** Progress without speed. */
export function presentProgress(
  row: PipelineRow,
): Pick<PipelineProgress, 'unlock' | 'steps' | 'charged_so_far'> {
  const { total } = row;
  return {
    unlock: [...row.kinds],
    charged_so_far: formatCredits(row.chargedUnits),
    steps: [
      { step: 'look_up', done: row.lookedUpTo, total },
      { step: 'unlock', done: row.unlockedTo, total },
      ...(row.verifyPriceUnits === null
        ? []
        : [{ step: 'verify' as const, done: row.verifiedTo, total }]),
    ],
  };
}
