// Lists by owner (compressed sparse rows) for the index, and the rows that they are made of.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';

const pageRows = 8_192;

/** Owners of which rows are read: ids from `from` to `to`. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** Reads the rows of some owners, by ascending id. @param owner column of the owner's id */
export const readRowsOf = <Row>(
  db: ReadableDatabase,
  table: string,
  columns: string,
  owner: string,
  { from, to }: IdRange,
): Row[] =>
  db
    .prepare(`SELECT ${columns} FROM ${table} WHERE ${owner} BETWEEN ? AND ? ORDER BY id`)
    .raw()
    .all(from, to) as Row[];

/** Reads pages by ascending id, several times faster than rows. The first column is the id. */
export function* readRows<Row extends [id: number, ...unknown[]]>(
  db: ReadableDatabase,
  table: string,
  columns: string,
): Generator<Row> {
  const sql = `SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${pageRows}`;
  const page = db.prepare(sql).raw();
  let lastId = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = page.all(lastId) as Row[];
    yield* rows;
    if (rows.length < pageRows) return;
    lastId = rows[rows.length - 1]![0];
  }
}

/**
 * Frees the memory of an array at once instead of at a later garbage collection. The array is empty
 * afterwards, and so is every other view of its buffer.
 */
export function releaseNumbers({ buffer }: { readonly buffer: ArrayBufferLike }): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** Entries of each owner between starts[owner] and starts[owner + 1]. */
export interface OwnerLists {
  readonly starts: Uint32Array;
  /** Positions in the given arrays, in the order of their owners. */
  readonly order: Uint32Array;
}

/** Sorts entries by owner without comparisons; the order within an owner stays. */
export function groupByOwner(owners: Uint32Array, ownersCount: number): OwnerLists {
  const starts = new Uint32Array(ownersCount + 1);
  for (const owner of owners) starts[owner + 1]!++;
  for (let owner = 0; owner < ownersCount; owner++) starts[owner + 1]! += starts[owner]!;
  const next = starts.slice(0, ownersCount);
  const order = new Uint32Array(owners.length);
  for (let at = 0; at < owners.length; at++) order[next[owners[at]!]!++] = at;
  return { starts, order };
}

export function pick(values: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) picked[at] = values[order[at]!]!;
  return picked;
}
