// The lines of a file on which the rows of its table start.

/** The rows after which the difference between line and row number grows. */
export interface LineNumbers {
  readonly rows: readonly number[];
  readonly offsets: readonly number[];
}

export function collectLineNumbers(): LineNumbers & { note(line: number): void } {
  const rows: number[] = [];
  const offsets: number[] = [];
  let count = 0;
  return {
    rows,
    offsets,
    note(line) {
      if (line - count !== offsets.at(-1)) {
        rows.push(count);
        offsets.push(line - count);
      }
      count++;
    },
  };
}

/** Creates a function that returns the lines of rows in ascending order. */
export function readLineNumbers({ rows, offsets }: LineNumbers): (row: number) => number {
  let at = 0;
  return (row) => {
    while ((rows[at + 1] ?? Number.POSITIVE_INFINITY) <= row) at++;
    return row + (offsets[at] ?? 0);
  };
}
