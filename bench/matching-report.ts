// Prints figures of matching, each with its bar.
import { type Judged, judgeOnce, type LeftOut } from './leave-one-out.ts';
import {
  calibrationError,
  countedKinds,
  f1,
  lowestThreshold,
  precision,
  precisionAtLeast,
  readReliability,
  recall,
  type Scored,
  type Tally,
  tally,
  tallyBy,
  tallyThresholds,
} from './messy/score.ts';

/** The least figures that suffice; those without a bar are left out. */
export interface Bars {
  readonly precision?: number;
  readonly recall?: number;
  readonly f1?: number;
}

const figure = (value: number): string => (Number.isNaN(value) ? '     –' : value.toFixed(4));

const judged = (name: string, value: number, bar: number | undefined): string => {
  if (bar === undefined || Number.isNaN(value)) return `${name} ${figure(value)}`;
  return `${name} ${figure(value)} (≥ ${bar} ${value >= bar ? 'pass' : 'FAIL'})`;
};

/** The counts and figures of a list in one line, each figure with its bar. */
const tallyLine = (name: string, counts: Tally, bars: Bars): string => {
  const { rows, known, right, wrong } = counts;
  const start = `${name.padEnd(26)}${`${rows} rows`.padStart(11)}`;
  if (known === 0) return `${start}  ${wrong} false positives`;
  return [
    start,
    judged('precision', precision(counts), bars.precision),
    judged('recall', recall(counts), bars.recall),
    judged('F1', f1(counts), bars.f1),
    `${right} right, ${wrong} false positives, ${known - right} missed`,
  ].join('  ');
};

/** Prints the counts of a list. */
export function printTally(title: string, counts: Tally, bars: Bars): void {
  console.log(`\n${title}`);
  console.log(tallyLine('all', counts, bars));
}

/** Prints the figures of a list. */
export const printFigures = (title: string, rows: readonly Scored[], bars: Bars): void =>
  printTally(title, tally(rows), bars);

/** Prints precision and recall for each group, then recall and false positives for each kind. */
export function printKinds(
  rows: readonly Scored[],
  groupOf: (kind: string) => string,
  bars: Bars,
): void {
  console.log('\nBy group of kinds');
  for (const [group, counts] of tallyBy(rows, (row) => countedKinds(row).map(groupOf)))
    console.log(tallyLine(group, counts, bars));
  console.log('\nBy kind, the lowest recall first');
  const byKind = [...tallyBy(rows, countedKinds)];
  const rate = (counts: Tally) => (counts.known === 0 ? 2 : recall(counts));
  for (const [kind, counts] of byKind.sort((one, two) => rate(one[1]) - rate(two[1])))
    console.log(
      [
        `  ${kind.padEnd(26)}`,
        judged('recall', recall(counts), bars.recall).padEnd(28),
        `${counts.right}/${counts.known}`.padStart(9),
        `${counts.wrong} false positives`.padStart(20),
        `n ${counts.rows}`.padStart(8),
      ].join(' '),
    );
}

/** Prints how often answers of each tenth of confidence are right, and the calibration error. */
export function printReliability(title: string, rows: readonly Scored[], most: number): void {
  console.log(`\n${title}\n  confidence   answers   mean     right`);
  for (const { from, answers, confidence, right } of readReliability(rows))
    console.log(
      [
        `  ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
        String(answers).padStart(9),
        `  ${confidence.toFixed(3)}`,
        `   ${right.toFixed(3)}`,
      ].join(' '),
    );
  const error = calibrationError(rows);
  const verdict = error <= most ? 'pass' : 'FAIL';
  console.log(`  expected calibration error ${error.toFixed(4)} (≤ ${most} ${verdict})`);
}

/**
 * Prints the figures with each of several thresholds, the precision that holds with 95 %
 * confidence, and the lowest threshold for which this suffices.
 */
export function printThresholds(
  title: string,
  rows: readonly Scored[],
  precisionMin: number,
): void {
  console.log(`\n${title}`);
  for (const [threshold, counts] of tallyThresholds(rows))
    console.log(
      [
        tallyLine(`threshold ${threshold.toFixed(2)}`, counts, { precision: precisionMin }),
        judged('at least', precisionAtLeast(counts), precisionMin),
      ].join('  '),
    );
  console.log(`lowest threshold with confidence: ${lowestThreshold(rows, precisionMin) ?? 'none'}`);
}

const share = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3)).padStart(7);

/** Precision, recall and false positives of each column of answers to the same rows. */
function printLine(name: string, columns: readonly (readonly Scored[])[]): void {
  const counts = columns.map(tally);
  const cells = counts.map((count) =>
    [
      count.known === 0 ? share(Number.NaN) : share(precision(count)),
      share(recall(count)),
      String(count.wrong).padStart(5),
    ].join(''),
  );
  const rows = String(columns[0]!.length).padStart(6);
  console.log(`  ${name.padEnd(26)}${rows}  ${cells.join('  |')}`);
}

/** Prints the figures of each group of kinds, learned and left out, with the calibration error. */
export function printFamilies(learned: readonly Judged[], byGroup: readonly LeftOut[]): void {
  console.log('\nrows  precision, recall, calibration error | group not learned');
  const print = (name: string, columns: readonly (readonly Scored[])[]): void => {
    const cells = columns.map((rows) => {
      const counts = tally(rows);
      return [precision(counts), recall(counts), calibrationError(rows)].map(share).join('');
    });
    const rows = String(columns[0]!.length).padStart(6);
    console.log(`  ${name.padEnd(26)}${rows}  ${cells.join('  |')}`);
  };
  for (const { name, kinds, lists } of byGroup)
    print(name, [learned.filter(hasOneOf(kinds)), lists[0]!]);
  print('all rows, once each', [learned, judgeOnce(learned, byGroup, 0)]);
}

const hasOneOf =
  (kinds: ReadonlySet<string>) =>
  (row: Scored): boolean =>
    countedKinds(row).some((kind) => kinds.has(kind));

/**
 * Prints the figures of a list by group and by kind: learned, without one kind, without the group.
 */
export function printLeftOut(
  learned: readonly Judged[],
  byGroup: readonly LeftOut[],
  byKind: readonly LeftOut[],
): void {
  const columns = 'rows  precision, recall, false positives';
  console.log(`\n${columns} | one kind not learned | group not learned`);
  for (const { name, kinds, lists } of byGroup) {
    const rows = learned.filter(hasOneOf(kinds));
    const ofKinds = byKind.filter((omission) => kinds.has(omission.name));
    printLine(name, [rows, judgeOnce(rows, ofKinds, 0), lists[0]!]);
  }
  console.log(`\n${columns} | kind not learned`);
  const recallOf = ({ lists }: LeftOut) => {
    const counts = tally(lists[0]!);
    return counts.known === 0 ? 2 : recall(counts);
  };
  for (const { name, kinds, lists } of byKind.toSorted((a, b) => recallOf(a) - recallOf(b)))
    printLine(name, [learned.filter(hasOneOf(kinds)), lists[0]!]);
}
