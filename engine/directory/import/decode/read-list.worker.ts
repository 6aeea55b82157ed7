/** Entry of the thread that reads a long list while the import writes earlier rows. */
import { parentPort, workerData } from 'node:worker_threads';
import { EngineError, type ErrorMessage } from '../../../contract/errors.ts';
import { importBatchesMax, importBatchRows } from '../../../contract/limits/directory.ts';
import { openStaged, readUnread, type StagedList, type UnreadList } from './decode-list.ts';
import {
  createRowReader,
  type ListHead,
  type ListKind,
  type ListRow,
  type RowReader,
} from './parse-rows.ts';
import { createListPacker, type PackedList } from './row-codec.ts';

/** Input of the thread. */
export interface ReadListWork {
  readonly kind: ListKind;
  readonly list: StagedList | UnreadList;
  readonly mapping: ListHead['mapping'];
  /** Number of batches that the importing thread has finished. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** Messages of the thread: batches of rows, then the end. */
export type ReadListMessage =
  | { readonly rows: PackedList }
  /** The end, with the SHA-256 of all rows. */
  | { readonly sha256: string }
  | { readonly refusal: ErrorMessage };

type Post = (message: ReadListMessage, transfers?: readonly ArrayBuffer[]) => void;

/** Sends rows in batches. Waits while too many are unprocessed. */
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
    end(sha256: string) {
      send();
      post({ sha256 });
    },
  };
}

async function readList({ kind, list, mapping, taken }: ReadListWork, post: Post): Promise<void> {
  const sender = createSender(kind, taken, post);
  if (!('sha256' in list)) {
    let readRow: RowReader<ListKind> | null = null;
    const sha256 = await readUnread(list, (line, cells, headers) => {
      readRow ??= createRowReader(kind, { fileName: list.fileName, headers, mapping });
      sender.add(readRow(cells, line));
    });
    return sender.end(sha256);
  }
  const read = createRowReader(kind, { ...list, mapping });
  const rows = openStaged(list);
  try {
    while (rows.next((cells, line) => sender.add(read(cells, line))));
  } finally {
    rows.close();
  }
  sender.end(list.sha256);
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
