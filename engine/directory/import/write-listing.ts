// Writes what an own list says of a record: its id in the list, and the columns that are kept.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { ImportContext, ListedRecord, Listing } from './import-context.ts';

type Cells = Record<string, string>;

const parseKept = (kept: string): Cells => (kept === '' ? {} : JSON.parse(kept));

const isBlank = (kept: string): boolean =>
  kept === '' || Object.values(parseKept(kept)).every((cell) => cell === '');

/** Kept columns whose empty cells are filled from a later row of the record. */
export function fillKept(kept: string, later: string): string {
  if (kept === '' || later === '') return kept || later;
  const cells = parseKept(kept);
  for (const [header, cell] of Object.entries(parseKept(later)))
    if ((cells[header] ?? '') === '') cells[header] = cell;
  return JSON.stringify(cells);
}

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

export function addListing(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  listing: Listing,
): void {
  if (!isBlank(listing.kept)) insertListing(context, record, recordId, listing);
}

interface LastListing extends Listing {
  /** 0 if the record itself has the id. */
  readonly listingId: number;
  readonly importId: number;
}

/** What a source says of a known record under an id, or under any if it is ''; the last first. */
function readSaid(
  { db, claimant: { source } }: Pick<ImportContext, 'db' | 'claimant'>,
  record: ListedRecord,
  id: number,
  givenId: string,
): LastListing[] {
  return statement<LastListing>(
    db,
    `SELECT l.id AS listingId, import_id AS importId, given_id AS givenId, kept FROM (
       SELECT given_id, '{}' AS kept, import_id, 0 AS id FROM ${record}
         WHERE id = @id AND given_id IS NOT NULL
       UNION ALL
       SELECT given_id, kept, import_id, id FROM ${record}_listing WHERE ${record}_id = @id) l
     JOIN source_import s ON s.id = l.import_id
     WHERE s.source = @source AND (@givenId = '' OR given_id IN (@givenId, ''))
     ORDER BY l.import_id DESC, l.id DESC`,
  ).all({ id, source, givenId });
}

/** Records to which lists give this id besides their own, newest first, with the import. */
export const readListed = (
  db: ReadableDatabase,
  record: ListedRecord,
  givenId: string,
): { readonly id: number; readonly importId: number }[] =>
  statement<{ id: number; importId: number }>(
    db,
    `SELECT ${record}_id AS id, import_id AS importId FROM ${record}_listing
     WHERE given_id = ? AND given_id <> '' ORDER BY ${record}_listing.id DESC LIMIT 20`,
  ).all(givenId);

/** Another id that a source gives a known record; '' if there is none. */
export function findOtherId(
  context: Pick<ImportContext, 'db' | 'claimant'>,
  record: ListedRecord,
  id: number,
  givenId: string,
): string {
  const ids = readSaid(context, record, id, '').map((said) => said.givenId);
  return ids.findLast((known) => known !== '' && known !== givenId) ?? '';
}

export const readPersonKeys = (db: ReadableDatabase, id: number): ReadonlySet<string> =>
  new Set(
    statement<{ key: string }>(
      db,
      `SELECT lower(email) AS key FROM employment WHERE person_id = @id AND email IS NOT NULL
       UNION SELECT lower(value) FROM person_key WHERE person_id = @id
       UNION SELECT number FROM person_phone WHERE person_id = @id
       UNION SELECT lower(profile_key) FROM person WHERE id = @id AND profile_key IS NOT NULL`,
    )
      .all({ id })
      .map(({ key }) => key),
  );

export function addKeysOfId(
  db: WritableDatabase,
  personId: number,
  givenId: string,
  keys: readonly string[],
): void {
  if (keys.length === 0) return;
  statement(
    db,
    `UPDATE person_listing SET keys =
       (SELECT json_group_array(value) FROM
         (SELECT value FROM json_each(keys) UNION SELECT value FROM json_each(@keys)))
     WHERE id = (SELECT max(id) FROM person_listing
       WHERE person_id = @personId AND given_id = @givenId)`,
  ).run({ personId, givenId, keys: JSON.stringify(keys) });
}

/** Adds keys of an id to the import's own record of it, so that an undo removes them. */
export function addImportedKeys(
  context: ImportContext,
  personId: number,
  givenId: string,
  keys: readonly string[],
): void {
  if (keys.length === 0) return;
  const { db, claimant } = context;
  const isSaid = statement(
    db,
    'SELECT 1 FROM person_listing WHERE person_id = ? AND given_id = ? AND import_id = ?',
  ).get(personId, givenId, claimant.importId);
  const [last] = readSaid(context, 'person', personId, givenId);
  if (!isSaid) insertListing(context, 'person', personId, { givenId, kept: last?.kept ?? '' });
  addKeysOfId(db, personId, givenId, keys);
}

/** Writes what a list says of a known record. Returns whether the source had not said it last. */
function writeListing(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  { givenId, kept }: Listing,
): boolean {
  const [last] = readSaid(context, record, recordId, givenId);
  const isSameId = givenId === '' || givenId === last?.givenId;
  const isSameKept =
    kept === '' || kept === last?.kept || (isBlank(kept) && isBlank(last?.kept ?? ''));
  if (isSameId && isSameKept) return false;
  if (last && last.listingId > 0 && isSameId && last.importId === context.claimant.importId)
    statement(context.db, `UPDATE ${record}_listing SET kept = ? WHERE id = ?`).run(
      kept,
      last.listingId,
    );
  else
    insertListing(context, record, recordId, { givenId: givenId || (last?.givenId ?? ''), kept });
  return true;
}

function hasSaid(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  givenId: string,
  last: LastListing | undefined,
): boolean {
  if (givenId === '' || last?.importId === context.claimant.importId) return true;
  if (findOtherId(context, record, recordId, givenId) === '') return true;
  const key = `${record} ${recordId} ${givenId}`;
  return context.seenDoubles.size === context.seenDoubles.add(key).size;
}

/**
 * Writes what a row says of a known record. Returns whether the source had not said it last.
 * Several rows of an import are one: the first filled cell counts. So a row that only lacks cells
 * waits for those behind it.
 * @param isSeen whether the import already wrote the record, under this id or another
 */
export function updateListing(
  context: ImportContext,
  record: ListedRecord,
  recordId: number,
  listing: Listing,
  isSeen: boolean,
): boolean {
  const { givenId, kept } = listing;
  if (givenId === '' && kept === '') return false;
  const key = `${record} ${recordId} ${givenId}`;
  const waiting = context.waitingListings.get(key);
  if (waiting) {
    const filled = { givenId, kept: fillKept(waiting.listing.kept, kept) };
    context.waitingListings.set(key, { ...waiting, listing: filled });
    return false;
  }
  const [last] = readSaid(context, record, recordId, givenId);
  if (isSeen && hasSaid(context, record, recordId, givenId, last))
    return writeListing(context, record, recordId, {
      givenId,
      kept: fillKept(last?.kept ?? '', kept),
    });
  const isPart = kept !== '' && last !== undefined && fillKept(kept, last.kept) === last.kept;
  if (!isPart || kept === last.kept) return writeListing(context, record, recordId, listing);
  context.waitingListings.set(key, { record, recordId, listing });
  return false;
}

/** Writes the rows that waited, once all were read. Calls `onChange` for a record that changes. */
export function writeWaiting(
  context: ImportContext,
  onChange: (record: ListedRecord, recordId: number) => void,
): void {
  for (const { record, recordId, listing } of context.waitingListings.values())
    if (writeListing(context, record, recordId, listing)) onChange(record, recordId);
}
