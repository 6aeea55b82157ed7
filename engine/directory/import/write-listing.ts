/** Writes what an own list says of a record: its id in the list, and the columns that are kept. */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { ImportContext } from './import-context.ts';

export type ListedRecord = 'person' | 'company';

/** What a row of a list says. */
export interface Listing {
  /** '' if there is none. */
  readonly givenId: string;
  /** JSON of header and cell; '' if the import keeps no column. */
  readonly kept: string;
}

const isBlank = (kept: string): boolean =>
  kept === '' || Object.values(JSON.parse(kept) as object).every((cell) => cell === '');

export function insertListing(
  { db, claimant }: Pick<ImportContext, 'db' | 'claimant'>,
  record: ListedRecord,
  recordId: number,
  { givenId, kept }: Listing,
): void {
  statement(
    db,
    `INSERT INTO ${record}_listing (${record}_id, given_id, kept, import_id) VALUES (?, ?, ?, ?)`,
  ).run(recordId, givenId, kept || '{}', claimant.importId);
}

/** Writes the kept columns of a record that this import adds, which has the id itself. */
export function addListing(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  listing: Listing,
): void {
  if (!isBlank(listing.kept)) insertListing(context, record, recordId, listing);
}

/** The last that a source says of a known record. */
function readLast(
  db: ReadableDatabase,
  record: ListedRecord,
  id: number,
  source: string,
): Listing | undefined {
  return statement<Listing>(
    db,
    `SELECT given_id AS givenId, kept FROM (
       SELECT given_id, '{}' AS kept, import_id, 0 AS id FROM ${record}
         WHERE id = @id AND given_id IS NOT NULL
       UNION ALL
       SELECT given_id, kept, import_id, id FROM ${record}_listing WHERE ${record}_id = @id) l
     JOIN source_import s ON s.id = l.import_id
     WHERE s.source = @source ORDER BY l.import_id DESC, l.id DESC LIMIT 1`,
  ).get({ id, source });
}

/**
 * The records to which lists give this id in addition to their own, newest first, with the import
 * that did.
 */
export const readListed = (
  db: ReadableDatabase,
  record: ListedRecord,
  givenId: string,
): { readonly id: number; readonly importId: number }[] =>
  statement<{ id: number; importId: number }>(
    db,
    `SELECT ${record}_id AS id, import_id AS importId FROM ${record}_listing
     WHERE given_id = ? AND given_id <> '' ORDER BY id DESC LIMIT 20`,
  ).all(givenId);

/** Whether a source gives a known record another id: then it lists two records. */
export function hasOtherId(
  { db, claimant }: Pick<ImportContext, 'db' | 'claimant'>,
  record: ListedRecord,
  id: number,
  givenId: string,
): boolean {
  const known = readLast(db, record, id, claimant.source)?.givenId ?? '';
  return known !== '' && known !== givenId;
}

/** Writes what a list says of a known record. Returns whether the source had not said it last. */
export function updateListing(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  listing: Listing,
): boolean {
  const { givenId, kept } = listing;
  if (givenId === '' && kept === '') return false;
  const last = readLast(context.db, record, recordId, context.claimant.source);
  const isSameId = givenId === '' || givenId === last?.givenId;
  const isSameKept =
    kept === '' || kept === last?.kept || (isBlank(kept) && isBlank(last?.kept ?? ''));
  if (isSameId && isSameKept) return false;
  insertListing(context, record, recordId, { givenId: givenId || (last?.givenId ?? ''), kept });
  return true;
}
