// Forecasts how matching does on dirt that it has not learned: trains on the rows without some
// kinds and answers the rows with them.
//
// A trainable matcher takes part through a module whose path is given as `--train`. The module
// exports `makeLearningRows: MakeLearningRows` and `train: Train`.
import type { WritableDatabase } from '../engine/platform/sqlite/open-database.ts';
import type { Answer } from './matching-run.ts';
import type { MessyRow } from './messy/make-people-rows.ts';
import type { Directory } from './messy/sample-people.ts';
import { countedKinds, type Scored } from './messy/score.ts';
import { hashText } from './messy/text.ts';

/** The rows that a matcher learns from. */
export interface Learning<Row> {
  /** Rows of the train split. */
  readonly training: readonly Row[];
  /** Rows of the choose split. */
  readonly calibration: readonly Row[];
}

/** The rows that a matcher of people learns from. */
export type LearningRows = Learning<MessyRow>;

/** Makes the rows that a matcher learns from. */
export type MakeLearningRows = (directory: Directory) => LearningRows;

/** A trained matcher: the best candidate of each row with its confidence, however low. */
export type TrainedMatcher = (rows: readonly MessyRow[]) => readonly Answer[];

/** Trains a matcher of a directory. */
export type Train = (rows: LearningRows, directory: WritableDatabase) => TrainedMatcher;

/** Kinds that are left out together. */
export interface Omission {
  readonly name: string;
  readonly kinds: ReadonlySet<string>;
}

/** The answer to a row by a matcher that did not learn some of its kinds. */
export interface Judged extends Scored {
  /** MessyRow.id */
  readonly id: string;
}

/** The answers to the rows with the kinds of an omission, in each of several lists. */
export interface LeftOut extends Omission {
  readonly lists: readonly (readonly Judged[])[];
}

/** A row with the kinds of its dirt. */
interface KindedRow {
  readonly kinds: readonly string[];
}

/** Each kind of some rows on its own. */
export const eachKind = (rows: readonly KindedRow[]): Omission[] =>
  [...new Set(rows.flatMap(countedKinds))].sort().map((name) => ({ name, kinds: new Set([name]) }));

/** Answers rows by a trained matcher. */
export function judge(matcher: TrainedMatcher, rows: readonly MessyRow[]): Judged[] {
  const answers = matcher(rows);
  return rows.map(({ id, personId, kinds }, at) => ({
    ...answers[at]!,
    id,
    truth: personId,
    kinds,
  }));
}

/** Answers the rows of lists by matchers that were trained without the rows' kinds. */
export function leaveOneOut<Row extends KindedRow>(
  train: (rows: Learning<Row>) => (rows: readonly Row[]) => Judged[],
  { training, calibration }: Learning<Row>,
  lists: readonly (readonly Row[])[],
  omissions: readonly Omission[],
): LeftOut[] {
  return omissions.map(({ name, kinds }) => {
    const lacksThem = (row: Row) => !row.kinds.some((kind) => kinds.has(kind));
    const hasOne = (row: Row) => countedKinds(row).some((kind) => kinds.has(kind));
    const judgeRows = train({
      training: training.filter(lacksThem),
      calibration: calibration.filter(lacksThem),
    });
    return { name, kinds, lists: lists.map((list) => judgeRows(list.filter(hasOne))) };
  });
}

/**
 * The answers to rows, each by a matcher that did not learn one of the row's kinds, drawn by the
 * row's id. Rows without a kind of the table keep their answers.
 */
export function judgeOnce(
  rows: readonly Judged[],
  table: readonly LeftOut[],
  list: number,
): Judged[] {
  const byRow = Map.groupBy(
    table.flatMap(({ lists }) => lists[list]!),
    ({ id }) => id,
  );
  return rows.map((row) => {
    const judged = byRow.get(row.id) ?? [row];
    return judged[hashText(row.id) % judged.length]!;
  });
}
