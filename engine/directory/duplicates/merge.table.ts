// The tables `record_merge` and `merged_record`: which records were merged, and into which.
import type {
  DuplicateKind,
  MergesPage,
  RecordMerge,
} from '../../contract/duplicates/duplicates.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { Snapshot } from './snapshot.ts';

export interface MergeOutcome {
  readonly rows: Snapshot;
  readonly jobs: readonly number[];
  readonly lastJob: number;
  /** UUIDs of records that had been merged into the other one. */
  readonly followers: readonly string[];
}

export interface StoredMerge {
  readonly id: number;
  readonly kind: DuplicateKind;
  readonly survivorId: number;
  readonly loserId: number;
  readonly loserUuid: string;
  readonly survivorName: string;
  readonly before: Snapshot;
  readonly after: MergeOutcome;
  readonly mergedAt: string;
  readonly undoneAt: string | null;
}

export function getMerge(db: ReadableDatabase, id: number): StoredMerge | null {
  const found = statement<
    Omit<StoredMerge, 'before' | 'after'> & { before: string; after: string }
  >(
    db,
    `SELECT id, kind, survivor_id AS survivorId, survivor_name AS survivorName,
       loser_id AS loserId, loser_uuid AS loserUuid, before, after, merged_at AS mergedAt,
       undone_at AS undoneAt
     FROM record_merge WHERE id = ?`,
  ).get(id);
  if (!found) return null;
  const { before, after, ...merge } = found;
  return { ...merge, before: JSON.parse(before), after: JSON.parse(after) };
}

interface ListedMerge extends Omit<StoredMerge, 'survivorId' | 'loserId' | 'before' | 'after'> {
  readonly survivorUuid: string;
  readonly loserName: string;
  readonly mergedBy: string;
  readonly undoneBy: string | null;
  readonly isHidden: 0 | 1;
}

// The names of a suppressed person are not shown. Records that are gone show none either.
const listSql = `SELECT m.id, m.kind, m.survivor_uuid AS survivorUuid,
    m.survivor_name AS survivorName, m.loser_uuid AS loserUuid, m.loser_name AS loserName,
    m.merged_at AS mergedAt, m.merged_by AS mergedBy, m.undone_at AS undoneAt,
    m.undone_by AS undoneBy,
    CASE m.kind
      WHEN 'person' THEN NOT EXISTS (SELECT 1 FROM person p
        WHERE p.id IN (m.survivor_id, (SELECT survivor_id FROM merged_record d
          WHERE d.kind = 'person' AND d.record_id = m.survivor_id)) AND p.suppressed = 0)
      ELSE NOT EXISTS (SELECT 1 FROM company c
        WHERE c.id IN (m.survivor_id, (SELECT survivor_id FROM merged_record d
          WHERE d.kind = 'company' AND d.record_id = m.survivor_id)) AND c.listed = 0)
    END AS isHidden
  FROM record_merge m WHERE m.id < @before ORDER BY m.id DESC LIMIT @limit`;

const presentMerge = (merge: ListedMerge): RecordMerge => {
  const nameOf = (name: string) => (merge.isHidden ? '' : name);
  return {
    id: merge.id,
    kind: merge.kind,
    survivor: { id: merge.survivorUuid, name: nameOf(merge.survivorName) },
    other: { id: merge.loserUuid, name: nameOf(merge.loserName) },
    merged_at: merge.mergedAt,
    merged_by: merge.mergedBy,
    undone_at: merge.undoneAt,
    undone_by: merge.undoneBy,
  };
};

/** Merges, newest first. @param page before: only merges with a lower id */
export function listMerges(
  db: ReadableDatabase,
  page: { readonly before?: number | undefined; readonly limit: number },
): MergesPage {
  const found = statement<ListedMerge>(db, listSql).all({
    before: page.before ?? Number.MAX_SAFE_INTEGER,
    limit: page.limit + 1,
  });
  const shown = found.slice(0, page.limit);
  const next = found.length > page.limit ? (shown.at(-1)?.id ?? null) : null;
  return { merges: shown.map(presentMerge), next };
}

export const presentMergeById = (db: ReadableDatabase, id: number): RecordMerge => {
  const [merge] = listMerges(db, { before: id + 1, limit: 1 }).merges;
  if (merge?.id !== id) throw new Error(`there is no merge ${id}`);
  return merge;
};

export interface MergedPair {
  readonly kind: DuplicateKind;
  readonly survivor: { readonly id: number; readonly uuid: string; readonly name: string };
  readonly loser: { readonly id: number; readonly uuid: string; readonly name: string };
}

export function insertMerge(
  db: WritableDatabase,
  { kind, survivor, loser }: MergedPair,
  merge: {
    readonly choices: Readonly<Record<string, string>>;
    readonly before: Snapshot;
    readonly at: string;
    readonly author: string;
  },
): number {
  const { lastInsertRowid } = statement(
    db,
    `INSERT INTO record_merge (kind, survivor_id, survivor_uuid, survivor_name, loser_id,
       loser_uuid, loser_name, choices, before, after, merged_at, merged_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', ?, ?)`,
  ).run(
    kind,
    survivor.id,
    survivor.uuid,
    survivor.name,
    loser.id,
    loser.uuid,
    loser.name,
    JSON.stringify(merge.choices),
    JSON.stringify(merge.before),
    merge.at,
    merge.author,
  );
  return Number(lastInsertRowid);
}

export const setOutcome = (db: WritableDatabase, id: number, outcome: MergeOutcome): void =>
  void statement(db, 'UPDATE record_merge SET after = ? WHERE id = ?').run(
    JSON.stringify(outcome),
    id,
  );

export const setUndone = (db: WritableDatabase, id: number, at: string, author: string): void =>
  void statement(db, 'UPDATE record_merge SET undone_at = ?, undone_by = ? WHERE id = ?').run(
    at,
    author,
    id,
  );

/**
 * Makes the identifiers of the record that is merged lead to the survivor, together with those of
 * records that were merged into it before. Call while its row still exists.
 * @returns the UUIDs of the latter
 */
export function redirectRecord(db: WritableDatabase, merge: MergedPair, mergeId: number): string[] {
  const { kind, survivor, loser } = merge;
  const values = { kind, survivorId: survivor.id, loserId: loser.id, mergeId };
  const followers = statement<{ uuid: string }>(
    db,
    'SELECT uuid FROM merged_record WHERE kind = ? AND survivor_id = ? ORDER BY uuid',
  ).all(kind, loser.id);
  statement(db, 'UPDATE merged_record SET survivor_id = ? WHERE kind = ? AND survivor_id = ?').run(
    survivor.id,
    kind,
    loser.id,
  );
  // A record that was deleted by an undo and imported again may have been merged before.
  statement(db, 'DELETE FROM merged_record WHERE uuid IN (?, ?)').run(loser.uuid, survivor.uuid);
  const ofCompany = kind === 'company' ? 'name, name_key, domain, phone' : 'NULL, NULL, NULL, NULL';
  statement(
    db,
    `INSERT INTO merged_record (uuid, kind, record_id, survivor_id, merge_id, import_id, name,
       name_key, domain, phone)
     SELECT uuid, @kind, id, @survivorId, @mergeId, import_id, ${ofCompany}
     FROM ${kind} WHERE id = @loserId`,
  ).run(values);
  return followers.map(({ uuid }) => uuid);
}

export function restoreRecord(db: WritableDatabase, merge: StoredMerge): void {
  statement(db, 'DELETE FROM merged_record WHERE uuid = ?').run(merge.loserUuid);
  statement(
    db,
    `UPDATE merged_record SET survivor_id = ?
     WHERE uuid IN (SELECT value FROM json_each(?)) AND survivor_id = ?`,
  ).run(merge.loserId, JSON.stringify(merge.after.followers), merge.survivorId);
}

/** The first later merge of the survivor that was not undone; null if there is none. */
export const findLaterMerge = (db: ReadableDatabase, merge: StoredMerge): number | null =>
  statement<{ id: number }>(
    db,
    `SELECT max(id) AS id FROM record_merge WHERE id > @id AND kind = @kind AND undone_at IS NULL
       AND (survivor_id = @survivorId OR loser_id = @survivorId)`,
  ).get({ id: merge.id, kind: merge.kind, survivorId: merge.survivorId })?.id ?? null;
