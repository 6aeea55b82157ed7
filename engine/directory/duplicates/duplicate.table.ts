// The table `duplicate_pair`: pairs of records that may be one, and decisions about them.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { pairsOfRecordMax } from '../../contract/limits/duplicates.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { areOtherCompanies, type CompanyIdentity } from './legal-forms.ts';
import type { MergedPair, StoredMerge } from './merge.table.ts';

/** A pair whose records both exist and may be shown. */
export interface PairRow {
  readonly id: number;
  readonly kind: DuplicateKind;
  readonly status: 'open' | 'dismissed';
  readonly probability: number;
  /** UUIDs. */
  readonly one: string;
  readonly other: string;
}

const columns = `d.id, d.kind, d.status, d.probability, d.one_uuid AS one, d.other_uuid AS other`;
// Only pairs of two records that exist and may be shown. A merged record has no row.
const shown: Readonly<Record<DuplicateKind, string>> = {
  person: `JOIN person a ON a.uuid = d.one_uuid AND a.suppressed = 0
    JOIN person b ON b.uuid = d.other_uuid AND b.suppressed = 0`,
  company: `JOIN company a ON a.uuid = d.one_uuid AND a.listed = 0
    JOIN company b ON b.uuid = d.other_uuid AND b.listed = 0`,
};

export interface PairFilter {
  readonly kind: DuplicateKind;
  readonly status: 'open' | 'dismissed';
}

export const listPairs = (
  db: ReadableDatabase,
  { kind, status }: PairFilter,
  page: { readonly offset: number; readonly limit: number },
): PairRow[] =>
  statement<PairRow>(
    db,
    `SELECT ${columns} FROM duplicate_pair d ${shown[kind]}
     WHERE d.kind = ? AND d.status = ? ORDER BY d.probability DESC, d.id DESC LIMIT ? OFFSET ?`,
  ).all(kind, status, page.limit, page.offset);

export const listPairsOf = (db: ReadableDatabase, kind: DuplicateKind, uuid: string): PairRow[] =>
  statement<PairRow>(
    db,
    `SELECT ${columns} FROM duplicate_pair d ${shown[kind]}
     WHERE (d.one_uuid = @uuid OR d.other_uuid = @uuid) AND d.kind = @kind AND d.status = 'open'
     ORDER BY d.probability DESC, d.id DESC LIMIT ${pairsOfRecordMax}`,
  ).all({ kind, uuid });

export const countPairs = (db: ReadableDatabase, { kind, status }: PairFilter): number =>
  statement<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM duplicate_pair d ${shown[kind]}
     WHERE d.kind = ? AND d.status = ?`,
  ).get(kind, status)?.count ?? 0;

/** A pair by id; null if there is none, or one of its records is gone or hidden. */
export function getPair(db: ReadableDatabase, id: number): PairRow | null {
  for (const kind of ['person', 'company'] as const) {
    const found = statement<PairRow>(
      db,
      `SELECT ${columns} FROM duplicate_pair d ${shown[kind]} WHERE d.id = ? AND d.kind = ?`,
    ).get(id, kind);
    if (found) return found;
  }
  return null;
}

export const setDismissed = (
  db: WritableDatabase,
  id: number,
  dismissed: { readonly at: string; readonly author: string } | null,
): boolean =>
  statement(
    db,
    `UPDATE duplicate_pair SET status = ?, dismissed_at = ?, dismissed_by = ?
     WHERE id = ? AND status = ?`,
  ).run(
    dismissed ? 'dismissed' : 'open',
    dismissed?.at ?? null,
    dismissed?.author ?? null,
    id,
    dismissed ? 'open' : 'dismissed',
  ).changes > 0;

export interface FoundPair {
  readonly kind: DuplicateKind;
  /** UUIDs in any order. */
  readonly one: string;
  readonly other: string;
  readonly probability: number;
}

/** Stores a pair of a search. One that was dismissed stays so. */
export const putPair = (db: WritableDatabase, search: number, pair: FoundPair): void =>
  void statement(
    db,
    `INSERT INTO duplicate_pair (kind, one_uuid, other_uuid, probability, search)
     VALUES (@kind, min(@one, @other), max(@one, @other), @probability, @search)
     ON CONFLICT (one_uuid, other_uuid) DO UPDATE SET merge_id = NULL, search = excluded.search,
       probability = CASE search WHEN excluded.search THEN max(probability, excluded.probability)
         ELSE excluded.probability END`,
  ).run({ ...pair, search });

/** Deletes the open pairs that a completed search no longer found. */
export const deleteOutdated = (db: WritableDatabase, search: number): void =>
  void statement(db, "DELETE FROM duplicate_pair WHERE status = 'open' AND search < ?").run(search);

const identitySql = 'SELECT id, name, country FROM company WHERE uuid = ?';

function areCompaniesApart(db: ReadableDatabase, one: string, other: string): boolean {
  const [a, b] = [one, other].map((uuid) => statement<CompanyIdentity>(db, identitySql).get(uuid));
  return !a || !b || areOtherCompanies(db, a, b);
}

/** Gives the pairs of a record that was merged to its survivor, with the decisions about them. */
export function transferPairs(db: WritableDatabase, merge: MergedPair, mergeId: number): void {
  const { kind, survivor, loser } = merge;
  const pairs = statement<PairRow & { at: string | null; author: string | null }>(
    db,
    `SELECT d.id, d.kind, d.status, d.probability, d.one_uuid AS one, d.other_uuid AS other,
       d.dismissed_at AS at, d.dismissed_by AS author
     FROM duplicate_pair d WHERE d.one_uuid = @uuid OR d.other_uuid = @uuid`,
  ).all({ uuid: loser.uuid });
  const insert = statement(
    db,
    `INSERT OR IGNORE INTO duplicate_pair (kind, one_uuid, other_uuid, probability, status,
       dismissed_at, dismissed_by, merge_id)
     VALUES (@kind, min(@one, @other), max(@one, @other), @probability, @status, @at, @author,
       @mergeId)`,
  );
  for (const { one, other, probability, status, at, author } of pairs) {
    const third = one === loser.uuid ? other : one;
    if (third === survivor.uuid) continue;
    if (kind === 'company' && areCompaniesApart(db, survivor.uuid, third)) continue;
    insert.run({
      kind,
      one: survivor.uuid,
      other: third,
      probability,
      status,
      at,
      author,
      mergeId,
    });
  }
}

export const deleteTransferred = (db: WritableDatabase, { id, mergedAt }: StoredMerge): void => {
  statement(
    db,
    'DELETE FROM duplicate_pair WHERE merge_id = ? AND (dismissed_at IS NULL OR dismissed_at <= ?)',
  ).run(id, mergedAt);
};
