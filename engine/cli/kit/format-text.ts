// Formats numbers, credits and tables for a terminal.

const numbers = new Intl.NumberFormat('en-US');

/** A whole number with thousands separated: 3,270. */
export const formatCount = (count: number): string => numbers.format(count);

/** Credits as people read them: "4905.0000" → "4,905", "1.5000" → "1.5". */
export const formatAmount = (credits: string): string =>
  credits
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/\d+/, (whole) => numbers.format(BigInt(whole)));

/** Credits with their unit: "1 credit", "4,905 credits". */
export const formatCreditCount = (credits: string): string =>
  `${formatAmount(credits)} ${formatAmount(credits) === '1' ? 'credit' : 'credits'}`;

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

/** Credits of a data service: 1234.5 → "1,234.5". */
export const formatProviderCredits = (credits: number): string => decimals.format(credits);

/** A count with its noun: "1 row", "3,270 rows". */
export const formatNumber = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

const byteUnits = ['bytes', 'KB', 'MB', 'GB'] as const;

/** A size in the unit that shows it: 12 bytes, 46.5 KB, 3.0 MB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const size = bytes / 1024 ** power;
  return `${power === 0 ? Math.round(size) : size.toFixed(1)} ${byteUnits[power]}`;
}

/** A share of 0 to 1 in whole percent: 86%. Some are not 0%, and not all are not 100%. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return '<1%';
  return percent === 100 && share < 1 ? '>99%' : `${percent}%`;
}

/** A duration in seconds: 42 s, 3 min 5 s, 2 h 10 min. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** Rows of cells as lines with aligned columns. Those whose index is in `right` align right. */
export function formatTable(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) =>
        right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
