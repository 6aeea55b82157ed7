// Merges two records of one person or company: one survives with the values of both, and the other
// leads to it from then on. Recorded with the rows of both, so that undo-merge.ts restores them.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { invalid, notFound } from '../../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { clearTouched, derivePhones, raiseGeneration, touchNumber } from '../import/derive.ts';
import { readNextId, readRecord } from '../import/import-context.ts';
import { mergeValues, type RecordRow } from '../import/source-values.ts';
import { decideFields, jobFields, type RecordPair, readChoices, sidesOf } from './decide-sides.ts';
import { transferPairs } from './duplicate.table.ts';
import { areOtherCompanies, type CompanyIdentity } from './legal-forms.ts';
import { insertMerge, redirectRecord, setOutcome } from './merge.table.ts';
import { keepListing, mergePeople, type Sides } from './merge-people.ts';
import { takeSnapshot } from './snapshot.ts';

/** Keeps the names that did not become the company's own as aliases. */
function keepNames(db: WritableDatabase, row: RecordRow, before: readonly RecordRow[]): void {
  for (const { name, import_id } of before)
    if (name !== row.name)
      statement(
        db,
        `INSERT INTO company_alias (company_id, name, import_id) SELECT @id, @name, @import_id
         WHERE NOT EXISTS (SELECT 1 FROM company_alias WHERE company_id = @id AND name = @name)`,
      ).run({ id: row.id, name, import_id });
}

function moveListings(db: WritableDatabase, from: number, to: number): void {
  statement(db, 'UPDATE company_listing SET company_id = ? WHERE company_id = ?').run(to, from);
}

function moveAliases(db: WritableDatabase, from: number, to: number): void {
  statement(
    db,
    `DELETE FROM company_alias WHERE company_id = @from AND EXISTS
       (SELECT 1 FROM company_alias o WHERE o.company_id = @to AND o.name = company_alias.name
          AND o.import_id = company_alias.import_id)`,
  ).run({ from, to });
  statement(db, 'UPDATE company_alias SET company_id = ? WHERE company_id = ?').run(to, from);
}

function mergeCompanies(
  db: WritableDatabase,
  survivorId: number,
  otherId: number,
  sides: Sides<'company'>,
): number[] {
  const survivor = readRecord(db, 'company', survivorId);
  const other = readRecord(db, 'company', otherId);
  const before = [{ ...survivor }, other];
  mergeValues(db, 'company', survivor, other, sides);
  moveAliases(db, otherId, survivorId);
  moveListings(db, otherId, survivorId);
  keepListing(db, 'company', survivorId, other);
  keepNames(db, survivor, before);
  const moved = statement<{ id: number }>(
    db,
    'SELECT id FROM employment WHERE company_id = ? ORDER BY id',
  ).all(otherId);
  statement(db, 'UPDATE employment SET company_id = ? WHERE company_id = ?').run(
    survivorId,
    otherId,
  );
  statement(db, 'DELETE FROM value_claim WHERE record = 2 AND record_id = ?').run(otherId);
  statement(db, 'DELETE FROM company WHERE id = ?').run(otherId);
  for (const { phone } of before) if (phone) touchNumber(db, String(phone));
  return moved.map(({ id }) => id);
}

export interface MergeRequest {
  readonly kind: DuplicateKind;
  /** UUIDs of the record that is kept, and of the other. */
  readonly survivor: string;
  readonly other: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly acrossLegalForms: boolean;
  readonly author: string;
  /** ISO 8601. */
  readonly at: string;
}

const nouns = { person: 'person', company: 'company' } as const;

/** A record that may be shown. Throws `not_found`. */
export function findRecord(db: ReadableDatabase, kind: DuplicateKind, uuid: string): RecordRow {
  const hidden = kind === 'person' ? 'suppressed' : 'listed';
  const found = statement<RecordRow>(
    db,
    `SELECT * FROM ${kind} WHERE uuid = ? AND ${hidden} = 0`,
  ).get(uuid.toLowerCase());
  if (found) return found;
  throw notFound(`The directory has no ${nouns[kind]} ${uuid}.`);
}

const identityOf = (row: RecordRow): CompanyIdentity => ({
  id: row.id,
  name: String(row.name),
  country: typeof row.country === 'string' ? row.country : null,
});

export const nameOf = (kind: DuplicateKind, row: RecordRow): string =>
  kind === 'company' ? String(row.name) : `${row.first_name} ${row.last_name}`.trim();

function requireOneCompany(db: ReadableDatabase, { own, other }: RecordPair): void {
  if (areOtherCompanies(db, identityOf(own), identityOf(other)))
    throw invalid(
      `${String(own.name)} and ${String(other.name)} have different legal forms or countries, so ` +
        'they are two companies. If they are one, confirm it with across_legal_forms.',
    );
}

function mergeRows(
  db: WritableDatabase,
  pair: RecordPair,
  choices: Readonly<Record<string, string>>,
): number[] {
  const chosen = readChoices(pair, choices);
  const sides = sidesOf(decideFields(db, pair, chosen));
  const [ownId, otherId] = [pair.own.id, pair.other.id];
  if (pair.kind === 'company') return mergeCompanies(db, ownId, otherId, sides as Sides<'company'>);
  const ofJob = Object.entries(jobFields).flatMap(([name, field]) => {
    const side = chosen.get(name);
    return side ? [[field, side]] : [];
  });
  const employment = Object.fromEntries(ofJob) as Sides<'employment'>;
  mergePeople(db, ownId, otherId, { person: sides as Sides<'person'>, employment });
  return [];
}

/**
 * Merges two records in one transaction. Throws EngineError: not_found, or validation_error for one
 * record, unknown choices, or companies of different legal forms or countries.
 * @param beforeCommit runs at the end of the transaction
 * @returns the id of the merge
 */
export function mergeRecords(
  db: WritableDatabase,
  request: MergeRequest,
  beforeCommit?: () => void,
): number {
  const { kind, at, author, choices } = request;
  return inTransaction(db, () => {
    const pair: RecordPair = {
      kind,
      own: findRecord(db, kind, request.survivor),
      other: findRecord(db, kind, request.other),
    };
    if (pair.own.id === pair.other.id)
      throw invalid('Name two records: these are one and the same.');
    if (kind === 'company' && !request.acrossLegalForms) requireOneCompany(db, pair);
    const named = (row: RecordRow) => ({
      id: row.id,
      uuid: String(row.uuid),
      name: nameOf(kind, row),
    });
    const merged = { kind, survivor: named(pair.own), loser: named(pair.other) };
    const before = takeSnapshot(db, kind, [pair.own.id, pair.other.id]);
    clearTouched(db);
    const mergeId = insertMerge(db, merged, { choices, before, at, author });
    const followers = redirectRecord(db, merged, mergeId);
    const jobs = mergeRows(db, pair, choices);
    transferPairs(db, merged, mergeId);
    derivePhones(db);
    raiseGeneration(db);
    setOutcome(db, mergeId, {
      rows: takeSnapshot(db, kind, [pair.own.id]),
      jobs,
      followers,
      lastJob: readNextId(db, 'employment') - 1,
    });
    beforeCommit?.();
    return mergeId;
  });
}

export function chooseSurvivor(
  db: ReadableDatabase,
  kind: DuplicateKind,
  one: RecordRow,
  other: RecordRow,
): RecordRow {
  const jobs = statement<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM employment WHERE ${kind}_id = ?`,
  );
  const count = (row: RecordRow) => {
    const record = readRecord(db, kind, row.id);
    const values = Object.values(record).filter((value) => value !== null && value !== '').length;
    return values + Math.min(10, jobs.get(row.id)?.count ?? 0);
  };
  const [a, b] = [count(one), count(other)];
  if (a !== b) return a > b ? one : other;
  return one.id < other.id ? one : other;
}
