/**
 * Forecasts how matching does on dirt that it has not seen: for each kind, trains on the rows
 * without it and counts the answers on the rows with it.
 *
 * A trainable matcher takes part through a module whose path is given as `--train`. The module
 * exports `train: Train`.
 */
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { MessyRow } from './messy/make-people-rows.ts';
import { type Tally, tally } from './messy/score.ts';

/** A trained matcher: answers rows; an answer is a person's given id, '' for none. */
export type TrainedMatcher = (
  rows: readonly MessyRow[],
) => Promise<readonly { readonly answer: string; readonly confidence: number }[]>;

/** Trains a matcher of a directory on rows of the train split. */
export type Train = (
  rows: readonly MessyRow[],
  directory: ReadableDatabase,
) => Promise<TrainedMatcher>;

/** The counts of the rows with a kind, by a matcher that was trained without it. */
export interface LeftOut {
  readonly kind: string;
  readonly counts: Tally;
}

/** Counts the report's rows with each kind, by matchers that were trained without that kind. */
export async function leaveOneOut(
  train: (rows: readonly MessyRow[]) => Promise<TrainedMatcher>,
  training: readonly MessyRow[],
  report: readonly MessyRow[],
): Promise<LeftOut[]> {
  const table: LeftOut[] = [];
  for (const kind of [...new Set(report.flatMap((row) => row.kinds))].sort()) {
    const matcher = await train(training.filter((row) => !row.kinds.includes(kind)));
    const rows = report.filter((row) => row.kinds.includes(kind));
    const answers = await matcher(rows);
    const scored = rows.map(({ personId, kinds }, at) => ({
      ...answers[at]!,
      truth: personId,
      kinds,
    }));
    table.push({ kind, counts: tally(scored) });
  }
  return table;
}
