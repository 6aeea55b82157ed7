/**
 * Brings a file of an import into the one form that is read: decoded, checked, with its line
 * numbers.
 */
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { importFileBytesMax, importSliceRows } from '../contract/limits.ts';
import { prepareTable } from '../csv/prepare-table.ts';
import { openRows } from '../csv/read-rows.ts';

/** A list of an import, ready to be read. */
export interface StagedList {
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  /** SHA-256 of the rows as they are read, in hex. */
  readonly sha256: string;
  /** Hands on every row with its line in the file, and lets go of the thread between slices. */
  readRows(take: (cells: readonly string[], line: number) => void): Promise<void>;
}

/** What is to be staged. */
export interface StageOptions {
  readonly path: string;
  /** The file's name where it came from; the path's own where left out. */
  readonly name?: string | undefined;
  readonly targetDir: string;
  readonly signal?: AbortSignal | undefined;
}

/** Lines of rows, kept as the rows after which line and row number drift further apart. */
interface LineNumbers {
  note(line: number): void;
  /** A reader for rows asked for in order. */
  read(): (row: number) => number;
}

function createLineNumbers(): LineNumbers {
  const rows: number[] = [];
  const offsets: number[] = [];
  let count = 0;
  return {
    note(line) {
      if (line - count !== offsets.at(-1)) {
        rows.push(count);
        offsets.push(line - count);
      }
      count++;
    },
    read() {
      let at = 0;
      return (row) => {
        while ((rows[at + 1] ?? Number.POSITIVE_INFINITY) <= row) at++;
        return row + (offsets[at] ?? 0);
      };
    },
  };
}

/** Stages a CSV or workbook. Throws what prepareTable throws; memory is that of a slice. */
export async function stageList(options: StageOptions): Promise<StagedList> {
  const { path, targetDir, signal } = options;
  const fileName = options.name ?? basename(path);
  const lines = createLineNumbers();
  const { headers, rowCount, sha256 } = await prepareTable({
    sourcePath: path,
    targetDir,
    fileName,
    bytesMax: importFileBytesMax,
    onRow: lines.note,
    ...(signal && { signal }),
  });
  return {
    fileName,
    headers,
    rowCount,
    sha256,
    async readRows(take) {
      const file = openRows(targetDir);
      const lineOf = lines.read();
      try {
        for (let first = 0; first < rowCount; first += importSliceRows) {
          file.readRange(first, importSliceRows).forEach((cells, at) => {
            take(cells, lineOf(first + at));
          });
          await setImmediate();
          signal?.throwIfAborted();
        }
      } finally {
        file.close();
      }
    },
  };
}
