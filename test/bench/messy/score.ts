/** Precision, recall and calibration of answers to a list whose truth is known. */

/** One row's answer and truth; '' where there is none. */
export interface Scored {
  readonly answer: string;
  readonly truth: string;
  /** 0 to 1; that of the answer. */
  readonly confidence: number;
  /** Names of what was done to the row. */
  readonly kinds: readonly string[];
}

/**
 * Counts of a list. A wrong answer is another one than the true one, and any answer where no one
 * is the right one.
 */
export interface Tally {
  readonly rows: number;
  /** Rows that have a true answer. */
  readonly known: number;
  readonly right: number;
  readonly wrong: number;
}

/** Counts answers against the truth. */
export function tally(rows: readonly Scored[]): Tally {
  let [known, right, wrong] = [0, 0, 0];
  for (const { answer, truth } of rows) {
    if (truth !== '') known++;
    if (answer === '') continue;
    if (answer === truth) right++;
    else wrong++;
  }
  return { rows: rows.length, known, right, wrong };
}

/** Share of the answers that are right; 1 where there are none. */
export const precision = ({ right, wrong }: Tally): number =>
  right + wrong === 0 ? 1 : right / (right + wrong);
/** Share of the rows with a true answer that were answered rightly; NaN where there are none. */
export const recall = ({ right, known }: Tally): number => right / known;
/** Harmonic mean of precision and recall. */
export const f1 = (counts: Tally): number => {
  const [one, two] = [precision(counts), recall(counts)];
  return (2 * one * two) / (one + two);
};

/** Counts for each group of rows; a row with several keys counts in each. */
export function tallyBy(
  rows: readonly Scored[],
  keysOf: (row: Scored) => readonly string[],
): Map<string, Tally> {
  const byKey = new Map<string, Scored[]>();
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      const list = byKey.get(key);
      if (list) list.push(row);
      else byKey.set(key, [row]);
    }
  return new Map([...byKey].sort().map(([key, list]) => [key, tally(list)]));
}

/**
 * The kinds that a row's answer is counted for. What was added to a row without a person says
 * nothing of why it was answered, unless the row is about a hidden person.
 */
export const countedKinds = ({ kinds }: Pick<Scored, 'kinds'>): readonly string[] => {
  const [first = ''] = kinds;
  return first.startsWith('not-') && !first.startsWith('not-hidden') ? [first] : kinds;
};

/** Answers whose confidence lies in a tenth: from, up to from + 0.1. */
export interface ReliabilityBin {
  readonly from: number;
  readonly answers: number;
  /** Mean confidence of the answers. */
  readonly confidence: number;
  /** Share of the answers that are right. */
  readonly right: number;
}

const binCount = 10;

/** The answers by tenths of confidence; tenths without an answer are left out. */
export function readReliability(rows: readonly Scored[]): ReliabilityBin[] {
  const answered = rows.filter(({ answer }) => answer !== '');
  const bins = Map.groupBy(answered, ({ confidence }) =>
    Math.min(binCount - 1, Math.floor(confidence * binCount + 1e-6)),
  );
  const mean = (list: readonly Scored[], value: (row: Scored) => number): number =>
    list.reduce((sum, row) => sum + value(row), 0) / list.length;
  return [...bins]
    .sort(([one], [two]) => one - two)
    .map(([bin, list]) => ({
      from: bin / binCount,
      answers: list.length,
      confidence: mean(list, (row) => row.confidence),
      right: mean(list, ({ answer, truth }) => (answer === truth ? 1 : 0)),
    }));
}

/** Mean distance of confidence and share of right answers over the tenths, by their answers. */
export function calibrationError(rows: readonly Scored[]): number {
  const bins = readReliability(rows);
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  const off = bins.reduce(
    (sum, bin) => sum + bin.answers * Math.abs(bin.right - bin.confidence),
    0,
  );
  return answers === 0 ? 0 : off / answers;
}

/** The rows with the answers alone whose confidence is at least a threshold. */
export const acceptFrom = <Row extends Scored>(rows: readonly Row[], threshold: number): Row[] =>
  rows.map((row) => (row.confidence >= threshold ? row : { ...row, answer: '' }));

/** Thresholds that are compared, rising. */
const thresholds = [
  ...Array.from({ length: 9 }, (_value, at) => (50 + 5 * at) / 100),
  ...[0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99],
];

/** The counts with each of several thresholds. @param rows the best candidate of each row */
export const tallyThresholds = (rows: readonly Scored[]): [threshold: number, Tally][] =>
  thresholds.map((threshold) => [threshold, tally(acceptFrom(rows, threshold))]);

/** The lowest threshold from which on the answers are precise enough; the highest if none is. */
export function lowestThreshold(rows: readonly Scored[], precisionMin: number): number {
  const at = tallyThresholds(rows).findLastIndex(([, counts]) => precision(counts) < precisionMin);
  return thresholds[Math.min(at + 1, thresholds.length - 1)]!;
}
