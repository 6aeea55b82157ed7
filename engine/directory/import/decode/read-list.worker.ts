// Entry of the thread that reads a long list while the import writes earlier rows.
import { parentPort, workerData } from 'node:worker_threads';
import type { ImportColumn } from '../../../contract/directory.ts';
import { EngineError, type ErrorMessage } from '../../../contract/errors.ts';
import {
  importBatchesMax,
  importBatchRows,
  importDateRowsMax,
  importSampleRows,
} from '../../../contract/limits/directory.ts';
import {
  type ListEnd,
  openStaged,
  readSample,
  readUnread,
  type StagedList,
  type UnreadList,
} from './decode-list.ts';
import {
  createRowReader,
  type ListHead,
  type ListKind,
  type ListRow,
  type RowReader,
} from './parse-rows.ts';
import { createListPacker, type PackedList } from './row-codec.ts';

export interface ReadListWork {
  readonly kind: ListKind;
  readonly list: StagedList | UnreadList;
  readonly choices: ListHead['choices'];
  readonly dayOrder: ListHead['dayOrder'];
  /** Number of batches that the importing thread has finished. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

export interface ReadListEnd extends ListEnd {
  readonly columns: readonly ImportColumn[];
}

/** Messages of the thread: batches of rows, then the end. */
export type ReadListMessage =
  | { readonly rows: PackedList }
  | ReadListEnd
  | { readonly refusal: ErrorMessage };

type Post = (message: ReadListMessage, transfers?: readonly ArrayBuffer[]) => void;

function createSender<Kind extends ListKind>(kind: Kind, taken: ReadListWork['taken'], post: Post) {
  const packer = createListPacker(kind);
  let sentBatches = 0;
  const send = () => {
    for (;;) {
      const done = Atomics.load(taken, 0);
      if (sentBatches - done < importBatchesMax) break;
      Atomics.wait(taken, 0, done);
    }
    const rows = packer.finish();
    post({ rows }, [rows.packed.numbers.buffer]);
    sentBatches++;
  };
  return {
    add(row: ListRow<Kind>) {
      if (packer.add(row) >= importBatchRows) send();
    },
    end(end: ReadListEnd) {
      send();
      post(end);
    },
  };
}

async function readList(
  { kind, list, choices, dayOrder, taken }: ReadListWork,
  post: Post,
): Promise<void> {
  const sender = createSender(kind, taken, post);
  if (!('sha256' in list)) {
    let reader: RowReader<ListKind> | null = null;
    let names: readonly string[] = [];
    // The first rows wait, because their values say what the columns are.
    const first: { readonly cells: readonly string[]; readonly line: number }[] = [];
    const open = (): RowReader<ListKind> =>
      createRowReader(kind, {
        fileName: list.fileName,
        headers: names,
        choices,
        dayOrder,
        sample: first.map(({ cells }) => cells),
      });
    // More rows may show the order of days and months. Their number doubles between two looks.
    let looksAt = importSampleRows;
    const canBegin = (): boolean => {
      if (first.length < looksAt) return false;
      looksAt *= 2;
      return first.length >= importDateRowsMax || !open().hasUndecidedDates;
    };
    const begin = (): RowReader<ListKind> => {
      const opened = open();
      for (const { cells, line } of first) sender.add(opened.read(cells, line));
      return opened;
    };
    const { sha256, notRead } = await readUnread(list, (line, cells, headers) => {
      if (reader) {
        sender.add(reader.read(cells, line));
        return;
      }
      names = headers;
      first.push({ cells, line });
      if (first.length >= importSampleRows && canBegin()) reader = begin();
    });
    const { columns } = reader ?? begin();
    return sender.end({ sha256, notRead, columns });
  }
  const { read, columns } = createRowReader(kind, {
    ...list,
    choices,
    dayOrder,
    sample: readSample(list),
  });
  const rows = openStaged(list);
  try {
    while (rows.next((cells, line) => sender.add(read(cells, line))));
  } finally {
    rows.close();
  }
  sender.end({ sha256: list.sha256, notRead: list.notRead, columns });
}

const port = parentPort;
if (port) {
  const post: Post = (message, transfers = []) => port.postMessage(message, transfers);
  try {
    await readList(workerData as ReadListWork, post);
  } catch (error) {
    // A refusal is sent as a message; a bug ends the thread with its stack.
    if (!(error instanceof EngineError)) throw error;
    post({ refusal: { code: error.code, detail: error.detail } });
  }
}
