// Stores the values that imports claim for records. The stored value depends only on the claims:
// the newest claim wins (observed day, then trust, then the later import), and removing an import's
// claims restores the previous value.
//
// A value that only the record's own import claims, on the record's own day, has no row in
// value_claim. As soon as another import claims it too, all of its claims have a row.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { lastNameKey } from '../normalize/compatible-names.ts';
import { companyNameKey } from '../normalize/normalize-company.ts';
import { profileUrlKey } from '../normalize/normalize-url.ts';
import {
  emptyValues,
  type FieldName,
  type RecordName,
  recordFields,
  recordNames,
  type Values,
} from '../normalize/record-fields.ts';

export interface ValueSource {
  readonly importId: number;
  readonly source: string;
  readonly trust: number;
}

/** A record with all columns by name. */
export type RecordRow = Record<string, unknown> & {
  id: number;
  import_id: number;
  observed_on: string;
  is_mixed: number;
};

export interface Claim {
  readonly import_id: number;
  readonly value: string;
  readonly observed_on: string;
  readonly source: string;
  /** What is shown instead of the source; null if the source is. */
  readonly name?: string | null;
  readonly trust: number;
}

function fieldCode(record: RecordName, field: FieldName): number {
  return (recordFields[record] as readonly string[]).indexOf(field);
}

function keyColumns(record: RecordName, row: RecordRow, field: FieldName): Record<string, unknown> {
  const text = (name: string) => String(row[name] ?? '');
  if (record === 'company' && field === 'name') return { name_key: companyNameKey(text('name')) };
  if (record !== 'person') return {};
  if (field === 'profile_url') return { profile_key: profileUrlKey(text('profile_url')) || null };
  if (field === 'first_name' || field === 'last_name')
    return { last_key: lastNameKey({ first: text('first_name'), last: text('last_name') }) };
  return {};
}

/** Sets one value of a record and the derived keys; also updates `row`. */
function setValue(
  db: WritableDatabase,
  record: RecordName,
  row: RecordRow,
  field: FieldName,
  value: string | null,
): void {
  row[field] = value ?? emptyValues[field] ?? null;
  const columns = { [field]: row[field], ...keyColumns(record, row, field) };
  Object.assign(row, columns);
  const names = Object.keys(columns);
  statement(
    db,
    `UPDATE ${record} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  ).run(...Object.values(columns), row.id);
}

function setMixed(db: WritableDatabase, record: RecordName, row: RecordRow, isMixed: number): void {
  if (row.is_mixed === isMixed) return;
  row.is_mixed = isMixed;
  statement(db, `UPDATE ${record} SET is_mixed = ? WHERE id = ?`).run(isMixed, row.id);
}

const selectClaims = `SELECT k.import_id, k.value, k.observed_on, s.source, s.name, s.trust
  FROM value_claim k JOIN source_import s ON s.id = k.import_id
  WHERE k.record = ? AND k.record_id = ? AND k.field = ? ORDER BY k.import_id`;

/** Whether a record's value is empty. A job that is not current is a value. */
function isUnsaid(row: RecordRow, field: FieldName): boolean {
  const value = row[field] ?? '';
  return value === '' || (field === 'opted_out' && Number(value) === 0);
}

export function readClaims(
  db: ReadableDatabase,
  record: RecordName,
  row: RecordRow,
  field: FieldName,
): Claim[] {
  if (row.is_mixed) {
    const code = recordNames.indexOf(record);
    const kept = statement<Claim>(db, selectClaims).all(code, row.id, fieldCode(record, field));
    if (kept.length) return kept;
  }
  if (isUnsaid(row, field)) return [];
  const value = row[field];
  const base = statement<Pick<Claim, 'source' | 'name' | 'trust'>>(
    db,
    'SELECT source, name, trust FROM source_import WHERE id = ?',
  ).get(row.import_id);
  if (!base) throw new Error(`${record} ${row.id} has no import`);
  const { import_id, observed_on } = row;
  return [{ import_id, observed_on, value: String(value), ...base }];
}

function isStronger(one: Claim, other: Claim): boolean {
  if (one.observed_on !== other.observed_on) return one.observed_on > other.observed_on;
  if (one.trust !== other.trust) return one.trust > other.trust;
  return one.import_id > other.import_id;
}

/** The claim that decides a value; null without any. */
export const findStrongest = (claims: readonly Claim[]): Claim | null =>
  claims.reduce<Claim | null>(
    (best, claim) => (best && isStronger(best, claim) ? best : claim),
    null,
  );

/** Stores a value and its claims in their normal form. Returns whether the value changed. */
function writeClaims(
  db: WritableDatabase,
  record: RecordName,
  row: RecordRow,
  field: FieldName,
  claims: readonly Claim[],
): boolean {
  const key = [recordNames.indexOf(record), row.id, fieldCode(record, field)];
  statement(db, 'DELETE FROM value_claim WHERE record = ? AND record_id = ? AND field = ?').run(
    ...key,
  );
  const winner = findStrongest(claims);
  // The first import that claimed the current value is its source; the others agree.
  const origin = claims.find((claim) => claim.value === winner?.value);
  const [only] = claims;
  const isPlain =
    claims.length === 0 ||
    (claims.length === 1 &&
      only?.import_id === row.import_id &&
      only.observed_on === row.observed_on);
  if (!isPlain) {
    const insert = statement(db, 'INSERT INTO value_claim VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const claim of claims)
      insert.run(...key, claim.import_id, claim.value, claim.observed_on, Number(claim === origin));
  }
  // A company that other records refer to keeps its name, even without any claim.
  if (!winner && record === 'company' && field === 'name') return false;
  const value = winner?.value ?? null;
  const before = row[field] === null || row[field] === undefined ? null : String(row[field]);
  if (before === (value ?? emptyValues[field] ?? null)) return false;
  setValue(db, record, row, field, value);
  return true;
}

function refreshMixed(db: WritableDatabase, record: RecordName, row: RecordRow): void {
  const found = statement(
    db,
    'SELECT 1 FROM value_claim WHERE record = ? AND record_id = ? LIMIT 1',
  ).get(recordNames.indexOf(record), row.id);
  setMixed(db, record, row, found ? 1 : 0);
}

function readKeptClaims(
  db: WritableDatabase,
  record: RecordName,
  row: RecordRow,
): Map<FieldName, Claim[]> {
  const code = recordNames.indexOf(record);
  const kept = recordFields[record].map((field) => {
    const claims = statement<Claim>(db, selectClaims).all(code, row.id, fieldCode(record, field));
    return [field, claims] as const;
  });
  return new Map(kept.filter(([, claims]) => claims.length));
}

/**
 * Sets a value to the strongest remaining claim after one was removed. Without any stored claim,
 * the value is unclaimed: the claim of the record's own import was stored too, as long as there was
 * another.
 */
export function applyRemainingClaim(
  db: WritableDatabase,
  record: RecordName,
  row: RecordRow,
  fieldCodeTaken: number,
): void {
  const field = recordFields[record][fieldCodeTaken];
  if (!field) throw new Error(`${record} has no field ${fieldCodeTaken}`);
  writeClaims(db, record, row, field, readKeptClaims(db, record, row).get(field) ?? []);
  refreshMixed(db, record, row);
}

// That a job is no longer current is said about an existing record; it does not create one.
const remarksOnOthers = new Set<FieldName>(['is_current', 'is_primary']);

/** Whether stored claims of any import justify a record on their own. */
export function hasOwnClaims(db: WritableDatabase, record: RecordName, row: RecordRow): boolean {
  const claimed = [...readKeptClaims(db, record, row).keys()];
  return claimed.some((field) => !remarksOnOthers.has(field));
}

// Identifying values are kept with a record even without any claim.
const identity = new Set<FieldName>(['first_name', 'last_name', 'name']);

/** The import that a record belongs to, and its day. */
export interface RecordBase {
  readonly import_id: number;
  readonly observed_on: string;
}

function keepIdOfSource(
  db: WritableDatabase,
  record: 'person' | 'company',
  row: RecordRow,
  base: RecordBase,
): void {
  statement(
    db,
    `UPDATE ${record} SET given_id = NULL WHERE id = @id AND
       (SELECT source FROM source_import WHERE id = @before) IS NOT
       (SELECT source FROM source_import WHERE id = @after)`,
  ).run({ id: row.id, before: row.import_id, after: base.import_id });
}

/**
 * Transfers a record whose own import was undone to the earliest import that still claims values of
 * it, or to `heir` if only another record refers to it. Unclaimed values are removed.
 */
export function rebaseRecord(
  db: WritableDatabase,
  record: RecordName,
  row: RecordRow,
  heir?: RecordBase,
): void {
  const claimed = readKeptClaims(db, record, row);
  const claims = [...claimed.values()].flat();
  const first = Math.min(...claims.map((claim) => claim.import_id));
  const days = claims.filter((claim) => claim.import_id === first).map((one) => one.observed_on);
  const base = heir ?? { import_id: first, observed_on: days.sort().at(-1) ?? '' };
  if (record !== 'employment') keepIdOfSource(db, record, row, base);
  row.import_id = base.import_id;
  row.observed_on = base.observed_on;
  statement(db, `UPDATE ${record} SET import_id = ?, observed_on = ? WHERE id = ?`).run(
    base.import_id,
    base.observed_on,
    row.id,
  );
  for (const field of recordFields[record])
    if (claimed.has(field) || !identity.has(field))
      writeClaims(db, record, row, field, claimed.get(field) ?? []);
  refreshMixed(db, record, row);
}

export interface ClaimOptions {
  readonly observedOn: string;
  /** This import claimed values before: they are kept, and only gaps are filled. */
  readonly fillsOnly: boolean;
}

/**
 * Claims values of an existing record for an import. Identical values of the same source are
 * ignored; identical values of another source are stored as agreement. Returns whether a value
 * changed.
 */
export function claimValues<R extends RecordName>(
  db: WritableDatabase,
  record: R,
  row: RecordRow,
  values: Values<R>,
  claimant: ValueSource,
  options: ClaimOptions,
): boolean {
  let isChanged = false;
  let isWritten = false;
  for (const [name, value] of Object.entries(values) as [FieldName<R>, string][]) {
    const claims = readClaims(db, record, row, name);
    if (options.fillsOnly && claims.length) continue;
    const claim: Claim = {
      import_id: claimant.importId,
      value,
      observed_on: options.observedOn,
      source: claimant.source,
      trust: claimant.trust,
    };
    const isKnown = claims.some(
      (kept) =>
        kept.source === claim.source &&
        kept.value === value &&
        (kept.observed_on >= claim.observed_on || value === String(row[name])),
    );
    if (isKnown) continue;
    const others = claims.filter((kept) => kept.import_id !== claim.import_id);
    isChanged = writeClaims(db, record, row, name, [...others, claim]) || isChanged;
    isWritten = true;
  }
  if (isWritten) refreshMixed(db, record, row);
  return isChanged;
}

/** Which of two records a person chose a value of: the one that is kept, or the other. */
export type Side = 'own' | 'other';

/**
 * The claims of both records as one record has them, which has one claim of each import. Of a
 * chosen side, claims of the other side that would decide against it are left out.
 */
export function uniteClaims(
  own: readonly Claim[],
  other: readonly Claim[],
  side: Side | undefined,
): Claim[] {
  const [first, second] = side === 'other' ? [other, own] : [own, other];
  const best = findStrongest(first);
  const rest =
    side === undefined
      ? second
      : second.filter((claim) => best && (claim.value === best.value || isStronger(best, claim)));
  const byImport = new Map(first.map((claim) => [claim.import_id, claim]));
  for (const claim of rest) {
    const known = byImport.get(claim.import_id);
    if (!known || (side === undefined && isStronger(claim, known)))
      byImport.set(claim.import_id, claim);
  }
  return [...byImport.values()].sort((a, b) => a.import_id - b.import_id);
}

/** Adds what imports state about another record of the same person, job or company to a record. */
export function mergeValues<R extends RecordName>(
  db: WritableDatabase,
  record: R,
  row: RecordRow,
  other: RecordRow,
  sides: Partial<Record<FieldName<R>, Side>>,
): void {
  for (const field of recordFields[record] as readonly FieldName<R>[]) {
    const claims = readClaims(db, record, other, field);
    if (claims.length > 0 || sides[field] === 'other')
      writeClaims(
        db,
        record,
        row,
        field,
        uniteClaims(readClaims(db, record, row, field), claims, sides[field]),
      );
  }
  refreshMixed(db, record, row);
}
