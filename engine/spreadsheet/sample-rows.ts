/** Samples a list for a dry run: up to 1,000 entries, spread evenly. */
import { estimateSampleRowsMax } from '../contract/limits/jobs.ts';
import { formatRecord } from './format-record.ts';
import { openRows } from './read-rows.ts';

/** Short runs instead of single rows: a run needs one seek, and adjacent rows are often similar. */
const runRows = 10;

/** The start of each run of a sample, and the number of entries per run. */
function planRuns(count: number): { readonly firsts: readonly number[]; readonly run: number } {
  const sampled = Math.min(estimateSampleRowsMax, count);
  const run = count <= estimateSampleRowsMax ? sampled : runRows;
  const runs = run === 0 ? 0 : Math.ceil(sampled / run);
  const firsts = Array.from({ length: runs }, (_, at) =>
    Math.floor((at * (count - run)) / Math.max(1, runs - 1)),
  );
  return { firsts, run };
}

/** Entries spread evenly over a list; all entries of a short list. */
export function sampleList<Entry>(list: readonly Entry[]): Entry[] {
  const { firsts, run } = planRuns(list.length);
  return firsts.flatMap((first) => list.slice(first, first + run));
}

/** Rows spread evenly over a table, as bytes of records, and their number. */
export function sampleRows(dir: string): { bytes: Uint8Array; sampled: number; rowCount: number } {
  const rows = openRows(dir);
  try {
    const { firsts, run } = planRuns(rows.rowCount);
    const texts = firsts.flatMap((first) =>
      rows.readRange(first, run).map((cells) => formatRecord(cells, '\n')),
    );
    return { bytes: Buffer.from(texts.join('')), sampled: texts.length, rowCount: rows.rowCount };
  } finally {
    rows.close();
  }
}
