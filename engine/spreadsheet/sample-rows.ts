// Samples a list for a dry run: up to 1,000 entries, spread evenly.
import { estimateSampleRowsMax } from '../contract/limits/jobs.ts';
import { formatRecords } from './format-record.ts';
import { openRows } from './read-rows.ts';

/** Short runs instead of single rows: a run needs one seek, and adjacent rows are often similar. */
const runRows = 10;

/** The run of a long list that a place in its sample is of. */
export const runOfPlace = (place: number): number => Math.floor(place / runRows);

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

export interface RowsSample {
  /** The sampled rows as complete records. */
  readonly bytes: Uint8Array;
  readonly rows: readonly { readonly rowIndex: number; readonly cells: readonly string[] }[];
  readonly sampled: number;
  readonly rowCount: number;
  readonly headers: readonly string[];
}

export function sampleRows(dir: string): RowsSample {
  const rows = openRows(dir);
  try {
    const { firsts, run } = planRuns(rows.rowCount);
    const found = firsts.flatMap((first) =>
      rows.readRange(first, run).map((cells, at) => ({ rowIndex: first + at, cells })),
    );
    return {
      bytes: formatRecords(found.map(({ cells }) => cells)),
      rows: found,
      sampled: found.length,
      rowCount: rows.rowCount,
      headers: rows.headers,
    };
  } finally {
    rows.close();
  }
}
