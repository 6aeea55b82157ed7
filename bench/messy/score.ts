// Precision, recall and calibration of answers to a list whose truth is known.

/** One row's answer and truth; '' if there is none. */
export interface Scored {
  readonly answer: string;
  readonly truth: string;
  /** 0 to 1; that of the answer. */
  readonly confidence: number;
  /** Names of the kinds of dirt in the row. */
  readonly kinds: readonly string[];
}

/**
 * Counts of a list. A wrong answer is a person other than the true one, or any answer if no one is
 * right.
 */
export interface Tally {
  readonly rows: number;
  /** Rows that have a true answer. */
  readonly known: number;
  readonly right: number;
  readonly wrong: number;
}

/** Counts answers by comparing them with the truth. */
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

/** Share of the answers that are right; 1 if there are none. */
export const precision = ({ right, wrong }: Tally): number =>
  right + wrong === 0 ? 1 : right / (right + wrong);
/** Share of the rows with a true answer that have the right answer; NaN if there are none. */
export const recall = ({ right, known }: Tally): number => right / known;
/** Harmonic mean of precision and recall. */
export const f1 = (counts: Tally): number => {
  const [one, two] = [precision(counts), recall(counts)];
  return (2 * one * two) / (one + two);
};

/** Counts for each group of rows; a row counts in the group of each of its keys. */
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
 * The kinds for which a row's answer counts. Dirt added to a row without a person does not explain
 * its answer, unless the row is about a hidden person.
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

/** The answers by tenths of confidence, without empty tenths. */
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

/**
 * Mean difference of confidence and share of right answers over the tenths, weighted by answers.
 */
export function calibrationError(rows: readonly Scored[]): number {
  const bins = readReliability(rows);
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  const off = bins.reduce(
    (sum, bin) => sum + bin.answers * Math.abs(bin.right - bin.confidence),
    0,
  );
  return answers === 0 ? 0 : off / answers;
}

/** The rows without the answers of a confidence below a threshold. */
export const acceptFrom = <Row extends Scored>(rows: readonly Row[], threshold: number): Row[] =>
  rows.map((row) => (row.confidence >= threshold ? row : { ...row, answer: '' }));

/** Thresholds to compare, in ascending order. */
const thresholds = [
  ...Array.from({ length: 9 }, (_value, at) => (50 + 5 * at) / 100),
  0.92,
  0.94,
  0.95,
  0.96,
  0.97,
  0.98,
  0.99,
];

/** The counts with each of several thresholds. @param rows the best candidate of each row */
export const tallyThresholds = (rows: readonly Scored[]): [threshold: number, Tally][] =>
  thresholds.map((threshold) => [threshold, tally(acceptFrom(rows, threshold))]);

/** The 95 % quantile of the normal distribution. */
const z95 = 1.645;

/** The precision that holds with 95 % confidence: Wilson's lower bound; 1 without answers. */
export function precisionAtLeast(counts: Tally): number {
  const answers = counts.right + counts.wrong;
  if (answers === 0) return 1;
  const share = precision(counts);
  const spread = z95 ** 2 / answers;
  const deviation = Math.sqrt((share * (1 - share)) / answers + (spread / (2 * z95)) ** 2);
  return (share + spread / 2 - z95 * deviation) / (1 + spread);
}

/** The lowest threshold from which on a precision holds with 95 % confidence; null if none does. */
export function lowestThreshold(rows: readonly Scored[], precisionMin: number): number | null {
  const at = tallyThresholds(rows).findLastIndex(
    ([, counts]) => precisionAtLeast(counts) < precisionMin,
  );
  return thresholds[at + 1] ?? null;
}
