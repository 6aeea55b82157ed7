/** Assigns employees and revenue, written as a number or a range, to fixed ranges. */
interface Range {
  readonly label: string;
  /** The first value above the range. */
  readonly below: number;
}

const employeeRanges: readonly Range[] = [
  { label: '1-10', below: 11 },
  { label: '11-50', below: 51 },
  { label: '51-200', below: 201 },
  { label: '201-500', below: 501 },
  { label: '501-1000', below: 1001 },
  { label: '1001-5000', below: 5001 },
  { label: '5001-10000', below: 10_001 },
  { label: '10001+', below: Number.POSITIVE_INFINITY },
];
const revenueRanges: readonly Range[] = [
  { label: '<$1M', below: 1e6 },
  { label: '$1M-$10M', below: 10e6 },
  { label: '$10M-$50M', below: 50e6 },
  { label: '$50M-$100M', below: 100e6 },
  { label: '$100M-$500M', below: 500e6 },
  { label: '$500M-$1B', below: 1e9 },
  { label: '$1B+', below: Number.POSITIVE_INFINITY },
];

export const employeeRangeNames: readonly string[] = employeeRanges.map(({ label }) => label);
export const revenueRangeNames: readonly string[] = revenueRanges.map(({ label }) => label);

const unitSizes: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  trillion: 1e12,
};
const amount =
  /(\d[\d,.' ]*)\s*(k|thousand|mm|mn|mio|million|m|bn|billion|b|trillion|t)?(?![a-z])/gi;

function readNumber(digits: string): number {
  const bare = digits.replace(/[' ]/g, '').replace(/[.,]$/, '');
  // A point or comma before exactly three digits groups thousands; any other is a decimal point.
  const whole = bare.replace(/[.,](?=\d{3}(?:\D|$))/g, '');
  return Number(whole.replace(',', '.'));
}

function readAmounts(text: string): number[] {
  const found = [...text.matchAll(amount)].map(([, digits = '', unit = '']) => ({
    number: readNumber(digits),
    unit: unit.toLowerCase(),
  }));
  // "1-10M" and "5 to 10 million": a unit that is written once applies to both ends.
  const lastUnit = found.at(-1)?.unit ?? '';
  return found.map(({ number, unit }) => number * (unitSizes[unit || lastUnit] ?? 1));
}

export interface FiledRange {
  readonly label: string;
  /** Whether the text also means values of other ranges, such as "50-200M". */
  readonly isApproximate: boolean;
}

const openBelow = /^\s*(?:<|under|below|less|up to|bis|unter)/i;
const openAbove = /^\s*(?:>|over|above|more than|at least|über|mehr als|ab)|\+\s*$/i;

function findRange(text: string, ranges: readonly Range[], unit = 1): FiledRange | null {
  if (text === '') return null;
  const exact = ranges.find(({ label }) => label === text.trim());
  if (exact) return { label: exact.label, isApproximate: false };
  const amounts = readAmounts(text.replace(/[€£$¥]|usd|eur|gbp|chf/gi, ''));
  if (!amounts.length || amounts.some((value) => !Number.isFinite(value))) return null;
  const [low = 0, high] = amounts;
  // The middle of a range decides; for an open range ("10,000+", "more than 500"), its lower end.
  const isUpTo = high === undefined && openBelow.test(text);
  const value = high !== undefined ? (low + high) / 2 : isUpTo ? low - 1 : low;
  const rangeOf = (number: number) => ranges.find(({ below }) => number < below);
  const range = rangeOf(value * unit);
  if (!range) return null;
  const first = isUpTo ? ranges[0] : rangeOf(low * unit);
  const isOpen = high === undefined && openAbove.test(text);
  // The end of a range is often the start of the next one: "10M-50M".
  const last = isOpen ? ranges.at(-1) : rangeOf((high ?? value) * unit - (high ? 1 : 0));
  return { label: range.label, isApproximate: first !== range || last !== range };
}

/** Units that the header of a column of revenues may name, the largest first. */
const headerUnits: readonly (readonly [RegExp, number])[] = [
  [/\b(?:billions?|bn|mrd|milliarden)\b/i, 1e9],
  [/\b(?:millions?|mn|mio|000,?000s?|[$€£]\s?m|m\s?[$€£]|in m)\b|[$€£]m\b|\bm[€$£]/i, 1e6],
  [/\b(?:000s?|thousands?|tsd|in k|[kt]?(?:usd|eur)\s?k)\b|['’]000|\b[kt][€$£]|[$€£]k\b/i, 1e3],
];

/** The employee range of a number or range in words; null if there is none. */
export function employeeRange(text: string): FiledRange | null {
  return text === '' || /^\s*0+\s*$/.test(text) ? null : findRange(text, employeeRanges);
}

/**
 * The revenue range of a number or range in words, whatever its currency; null if there is none.
 * The labels have the "$" of the specification, which screens leave out.
 * @param header may name the unit of plain numbers: "Revenue (in 000s USD)"
 */
export function revenueRange(text: string, header = ''): FiledRange | null {
  const isPlain = /^[\s\d.,'’<>+–$€£-]*$/.test(text);
  const unit = isPlain ? headerUnits.find(([pattern]) => pattern.test(header))?.[1] : undefined;
  return findRange(text, revenueRanges, unit);
}
