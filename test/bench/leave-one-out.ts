/**
 * Forecasts how matching does on dirt that it has not seen: for each kind, trains on the rows
 * without it and counts the answers on the rows with it.
 *
 * A trainable matcher takes part through a module whose path is given as `--train`. The module
 * exports `train: Train`.
 */
import type { MessyRow } from './messy/make-people-rows.ts';
import { precision, recall, type Scored, tally } from './messy/score.ts';

/** A trained matcher: answers rows; an answer is a person's given id, '' for none. */
export type TrainedMatcher = (
  rows: readonly MessyRow[],
) => Promise<readonly { readonly answer: string; readonly confidence: number }[]>;

/** Trains a matcher on rows of the train split. */
export type Train = (rows: readonly MessyRow[]) => Promise<TrainedMatcher>;

/** Answers of a matcher with the truth of the rows. */
export async function scoreTrained(
  matcher: TrainedMatcher,
  rows: readonly MessyRow[],
): Promise<Scored[]> {
  const answers = await matcher(rows);
  return rows.map(({ personId, kinds }, at) => ({ ...answers[at]!, truth: personId, kinds }));
}

/** Prints precision and recall for each kind of dirt, by matchers that were trained without it. */
export async function printLeaveOneOut(
  train: Train,
  training: readonly MessyRow[],
  report: readonly MessyRow[],
): Promise<void> {
  console.log('\nLeave one kind out');
  const kinds = new Set(report.flatMap((row) => row.kinds));
  for (const kind of [...kinds].sort()) {
    const matcher = await train(training.filter((row) => !row.kinds.includes(kind)));
    const rows = report.filter((row) => row.kinds.includes(kind));
    const counts = tally(await scoreTrained(matcher, rows));
    console.log(
      `  ${kind.padEnd(26)} precision ${precision(counts).toFixed(4)}  recall ${recall(counts).toFixed(4)}  n ${counts.rows}`,
    );
  }
}
