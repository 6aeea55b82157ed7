// State that the parts of a running import share.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { RecordName } from '../normalize/record-fields.ts';
import type { AddedKeys } from './added-keys.ts';
import type { BulkLoad, RowInserter } from './bulk-load.ts';
import type { PersonFacts } from './decode/read-person-row.ts';
import type { ImportTally } from './import-tally.ts';
import type { Namesakes } from './namesakes.ts';
import type { RecordRow, ValueSource } from './source-values.ts';

/** The set of records that an import has referred to. Ids are dense, so one byte each is enough. */
export interface SeenRecords {
  has(id: number): boolean;
  add(id: number): void;
}

export type ListedRecord = 'person' | 'company';

export interface Listing {
  /** '' if there is none. */
  readonly givenId: string;
  /** JSON of header and cell; '' if the import keeps no column. */
  readonly kept: string;
}

/** What a row says of a record whose later rows may say more. */
export interface WaitingListing {
  readonly record: ListedRecord;
  readonly recordId: number;
  readonly listing: Listing;
}

export interface PlacedFacts extends PersonFacts {
  /** company.id; null without a company. */
  readonly companyId: number | null;
}

export interface ImportContext {
  readonly db: WritableDatabase;
  readonly claimant: ValueSource;
  /** Default day of observation of rows without one. */
  readonly observedOn: string;
  readonly tally: ImportTally;
  readonly bulk: BulkLoad;
  readonly insert: Readonly<
    Record<'person' | 'employment' | 'person_phone' | 'company', RowInserter>
  >;
  /** UUIDs of the companies that this import added; null if the directory had any before. */
  readonly newCompanies: AddedKeys | null;
  readonly seenPeople: SeenRecords;
  readonly namesakes: Namesakes;
  readonly seenCompanies: SeenRecords;
  /** Companies that a row names for themselves, and not as an employer alone. */
  readonly statedCompanies: SeenRecords;
  readonly refusedCompanies: Set<number>;
  readonly seenEmployments: SeenRecords;
  /** People whose current jobs no row has confirmed → the day of the rows with another job. */
  readonly unsaidJobs: Map<number, string>;
  readonly changedPeople: SeenRecords;
  readonly changedCompanies: SeenRecords;
  /** What rows say of records whose later rows may say more (write-listing.ts). */
  readonly waitingListings: Map<string, WaitingListing>;
  /** Records with several ids in this list, with those that it has said. */
  readonly seenDoubles: Set<string>;
  /** Companies in rows of this import, by the row's wording. */
  readonly companyIds: Map<string, number>;
  /** The next free id of each table, assigned early so that rows can refer to each other. */
  readonly nextIds: Record<RecordName, number>;
  /** Marks a number of a new record whose holders changed. A bulk load finds these at its end. */
  touchNumber(number: string): void;
}

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

/** The next id of AUTOINCREMENT. Ids are never reused, even after an undo. */
export function readNextId(db: WritableDatabase, record: RecordName): number {
  const last = statement<{ seq: number }>(db, 'SELECT seq FROM sqlite_sequence WHERE name = ?').get(
    record,
  );
  return (last?.seq ?? 0) + 1;
}

/** A record by id. Throws if there is none. */
export function readRecord(db: ReadableDatabase, record: RecordName, id: number): RecordRow {
  const row = statement<RecordRow>(db, `SELECT * FROM ${record} WHERE id = ?`).get(id);
  if (!row) throw new Error(`there is no ${record} ${id}`);
  return row;
}

/** The source of an import by id. It never changes. */
export function readSource(db: WritableDatabase, importId: number): string {
  const row = statement<{ source: string }>(
    db,
    'SELECT source FROM source_import WHERE id = ?',
  ).get(importId);
  if (!row) throw new Error(`there is no import ${importId}`);
  return row.source;
}
