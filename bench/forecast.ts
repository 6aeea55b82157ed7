// Prints how matching of people does on dirt that it has not learned, and the threshold that this
// forecast chooses.
import type { WritableDatabase } from '../engine/platform/sqlite/open-database.ts';
import {
  eachKind,
  judge,
  judgeOnce,
  type LearningRows,
  type LeftOut,
  leaveOneOut,
  type MakeLearningRows,
  type Omission,
  type Train,
} from './leave-one-out.ts';
import {
  printFamilies,
  printFigures,
  printLeftOut,
  printReliability,
  printThresholds,
} from './matching-report.ts';
import { type MessyRow, peopleKinds } from './messy/make-people-rows.ts';
import { negatives } from './messy/negatives.ts';
import type { Directory } from './messy/sample-people.ts';
import { acceptFrom, type Scored } from './messy/score.ts';

/** A module with a matcher that learns. */
export interface Trainable {
  readonly makeLearningRows: MakeLearningRows;
  readonly train: Train;
}

/** What is good enough. */
export interface ForecastBars {
  /** Least precision, by which the threshold is chosen. */
  readonly precision: number;
  readonly recall: number;
  /** Greatest expected calibration error. */
  readonly calibration: number;
}

const namesIn = (kinds: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(kinds.map(({ name }) => name));

const dirt = namesIn(peopleKinds);

/**
 * The groups of dirt, and two groups of rows without an answer. Without all rows of strangers, no
 * matcher would learn when no one is meant.
 */
const groups: readonly Omission[] = [
  ...[...Map.groupBy(peopleKinds, ({ group }) => group as string)].map(([name, kinds]) => ({
    name,
    kinds: namesIn(kinds),
  })),
  { name: 'conflicts', kinds: namesIn(negatives.filter(({ reason }) => reason === 'conflict')) },
  { name: 'several', kinds: namesIn(negatives.filter(({ reason }) => reason === 'ambiguous')) },
];

const [ofReport, ofChoose] = [0, 1];

/**
 * Prints the forecast.
 * @param threshold the one that is shipped
 * @param isQuick leave out groups alone, no single kinds
 */
export function printForecast(
  { makeLearningRows, train }: Trainable,
  db: WritableDatabase,
  directory: Directory,
  report: readonly MessyRow[],
  threshold: number,
  bars: ForecastBars,
  isQuick: boolean,
): void {
  const learning = makeLearningRows(directory);
  const lists = [report, learning.calibration];
  const matcher = train(learning, db);
  const learned = lists.map((list) => judge(matcher, list));
  const trainOn = (rows: LearningRows) => {
    const trained = train(rows, db);
    return (list: readonly MessyRow[]) => judge(trained, list);
  };
  const byGroup = leaveOneOut(trainOn, learning, lists, groups);
  const accept = <Row extends Scored>(rows: readonly Row[]) => acceptFrom(rows, threshold);
  const acceptAll = (table: readonly LeftOut[]): LeftOut[] =>
    table.map((omission) => ({ ...omission, lists: omission.lists.map(accept) }));
  printFigures('All kinds learned', accept(learned[ofReport]!), {});
  printFamilies(accept(learned[ofReport]!), acceptAll(byGroup));
  if (isQuick) return;
  const byKind = leaveOneOut(trainOn, learning, lists, eachKind(lists.flat()));
  const ofDirt = byKind.filter(({ name }) => dirt.has(name));
  printLeftOut(accept(learned[ofReport]!), acceptAll(byGroup), acceptAll(byKind));
  for (const [title, table] of [
    ['one kind of dirt in each row not learned', ofDirt],
    ['one kind of dirt or of strangers in each row not learned', byKind],
  ] as const) {
    const judged = judgeOnce(learned[ofReport]!, table, ofReport);
    printFigures(`Report split, ${title}`, accept(judged), bars);
    printReliability('Reliability of these answers', accept(judged), bars.calibration);
    const chosen = judgeOnce(learned[ofChoose]!, table, ofChoose);
    printThresholds(`Choose split, ${title}`, chosen, bars.precision);
  }
}
