// Reads a list row by row: a short list on this thread, a long one on a separate thread.
import { on } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ImportOptions } from '../../../contract/directory.ts';
import { EngineError } from '../../../contract/errors.ts';
import { importThreadRowsMin } from '../../../contract/limits/directory.ts';
import { startWorker } from '../../../platform/workers/worker-url.ts';
import { openStaged, readSample, type StagedList, type UnreadList } from './decode-list.ts';
import type { ColumnChoices } from './map-columns.ts';
import { createRowReader, type ListKind, type ListRow } from './parse-rows.ts';
import type { ReadListEnd, ReadListMessage, ReadListWork } from './read-list.worker.ts';
import { unpackRows } from './row-codec.ts';

export interface ReadListOptions<Kind extends ListKind> {
  readonly kind: Kind;
  readonly list: StagedList | UnreadList;
  readonly choices: ColumnChoices;
  readonly dayOrder: ImportOptions['day_order'];
  readonly signal: AbortSignal | undefined;
}

type TakeRow<Kind extends ListKind> = (row: ListRow<Kind>) => void;

async function readHere<Kind extends ListKind>(
  list: StagedList,
  { kind, choices, dayOrder, signal }: ReadListOptions<Kind>,
  take: TakeRow<Kind>,
): Promise<ReadListEnd> {
  const { read, columns } = createRowReader(kind, {
    ...list,
    choices,
    dayOrder,
    sample: readSample(list),
  });
  const rows = openStaged(list);
  try {
    for (let hasMore = true; hasMore; ) {
      hasMore = rows.next((cells, line) => take(read(cells, line)));
      await setImmediate();
      signal?.throwIfAborted();
    }
    return { sha256: list.sha256, notRead: list.notRead, columns };
  } finally {
    rows.close();
  }
}

async function readOnThread<Kind extends ListKind>(
  { kind, list, choices, dayOrder, signal }: ReadListOptions<Kind>,
  take: TakeRow<Kind>,
): Promise<ReadListEnd> {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ReadListWork = { kind, list, choices, dayOrder, taken };
  const worker = startWorker('read-list-thread', workerData);
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const said = message as ReadListMessage;
      if ('refusal' in said) throw new EngineError(said.refusal.code, said.refusal.detail);
      if ('sha256' in said) return said;
      unpackRows(kind, said.rows, take);
      Atomics.add(taken, 0, 1);
      Atomics.notify(taken, 0);
      await setImmediate();
      signal?.throwIfAborted();
    }
    throw new Error('the thread that reads the list ended too early');
  } finally {
    await worker.terminate();
  }
}

/**
 * Passes on every row of a list in order, and yields the thread between slices. Throws EngineError
 * if its columns cannot identify anyone or it cannot be read, and the signal's reason.
 */
export function readList<Kind extends ListKind>(
  options: ReadListOptions<Kind>,
  take: TakeRow<Kind>,
): Promise<ReadListEnd> {
  const { list } = options;
  const isShort = 'sha256' in list && list.rowCount < importThreadRowsMin;
  return isShort ? readHere(list, options, take) : readOnThread(options, take);
}
