/** What the parts of a running import share. */

import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { RecordName } from '../normalize/record-fields.ts';
import type { BulkLoad, RowInserter } from './bulk-load.ts';
import type { ImportTally } from './import-tally.ts';
import type { NewUuids } from './new-uuids.ts';
import type { RecordRow, ValueSource } from './source-values.ts';

/** Which records an import has spoken of; ids are dense, so that a byte each is enough. */
export interface SeenRecords {
  has(id: number): boolean;
  add(id: number): void;
}

/** What the parts of a running import share. */
export interface ImportContext {
  readonly db: WritableDatabase;
  readonly claimant: ValueSource;
  /** The day of observation of rows that name none. */
  readonly observedOn: string;
  readonly tally: ImportTally;
  readonly bulk: BulkLoad;
  readonly insert: Readonly<Record<'person' | 'employment' | 'person_phone', RowInserter>>;
  /** The people that this import added; null where others stood before it. */
  readonly newPeople: NewUuids | null;
  readonly seenPeople: SeenRecords;
  readonly seenCompanies: SeenRecords;
  readonly seenEmployments: SeenRecords;
  /** People with current jobs that no row has named so far → the day the rows named another. */
  readonly unsaidJobs: Map<number, string>;
  /** People who were counted as anything but unchanged. */
  readonly changedPeople: SeenRecords;
  /** Companies that rows of this import named, by the row's own words for them. */
  readonly companyIds: Map<string, number>;
  /** The next free id of each table; rows are given theirs so that they can name each other. */
  readonly nextIds: Record<RecordName, number>;
  /** Says that a number has a new holder, or no longer one. */
  touchNumber(number: string): void;
}

/** A set of dense ids. */
export function createSeenRecords(): SeenRecords {
  let marks = new Uint8Array(65_536);
  return {
    has: (id) => marks[id] === 1,
    add(id) {
      if (id >= marks.length) {
        const longer = new Uint8Array(Math.max(id + 1, marks.length * 2));
        longer.set(marks);
        marks = longer;
      }
      marks[id] = 1;
    },
  };
}

/** The next id that AUTOINCREMENT would give; ids are never used again, also after an undo. */
export function readNextId(db: WritableDatabase, record: RecordName): number {
  const last = statement<{ seq: number }>(db, 'SELECT seq FROM sqlite_sequence WHERE name = ?').get(
    record,
  );
  return (last?.seq ?? 0) + 1;
}

/** A record by id. Throws where there is none. */
export function readRecord(db: WritableDatabase, record: RecordName, id: number): RecordRow {
  const row = statement<RecordRow>(db, `SELECT * FROM ${record} WHERE id = ?`).get(id);
  if (!row) throw new Error(`there is no ${record} ${id}`);
  return row;
}

/** The sources of imports by id; read once each, they never change. */
export function readSource(db: WritableDatabase, importId: number): string {
  const row = statement<{ source: string }>(
    db,
    'SELECT source FROM source_import WHERE id = ?',
  ).get(importId);
  if (!row) throw new Error(`there is no import ${importId}`);
  return row.source;
}
