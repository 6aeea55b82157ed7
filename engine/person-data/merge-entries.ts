// Finds and deletes what merges and searches for duplicates store about a person.
import type { MergeOutcome, StoredMerge } from '../directory/duplicates/merge.table.ts';
import type { Snapshot } from '../directory/duplicates/snapshot.ts';
import { recordNames } from '../directory/normalize/record-fields.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { FoundEntry } from './found-entry.ts';
import type { Matcher, Subject } from './subject.ts';

interface MergeTexts extends Omit<StoredMerge, 'kind' | 'before' | 'after'> {
  readonly survivorUuid: string;
  readonly loserName: string;
  readonly choices: string;
  readonly before: string;
  readonly after: string;
}

function listMerges(directory: ReadableDatabase, { uuids }: Subject, matcher: Matcher) {
  const found: MergeTexts[] = [];
  const all = statement<MergeTexts>(
    directory,
    `SELECT id, survivor_id AS survivorId, survivor_uuid AS survivorUuid,
       survivor_name AS survivorName, loser_id AS loserId, loser_uuid AS loserUuid,
       loser_name AS loserName, choices, before, after, merged_at AS mergedAt,
       undone_at AS undoneAt
     FROM record_merge WHERE kind = 'person'`,
  );
  for (const merge of all.iterate()) {
    const isOwn = uuids.includes(merge.survivorUuid) || uuids.includes(merge.loserUuid);
    const { before, after, survivorName, loserName } = merge;
    if (isOwn || matcher.hasIdentifier([before, after, survivorName, loserName].join(' ')))
      found.push(merge);
  }
  return found;
}

const [personCode, employmentCode] = [
  recordNames.indexOf('person'),
  recordNames.indexOf('employment'),
];

function ownRows(rows: Snapshot, ids: ReadonlySet<unknown>, matcher: Matcher): Snapshot {
  const jobs = (rows.employment ?? []).filter((row) => ids.has(row.person_id));
  const jobIds = new Set(jobs.map(({ id }) => id));
  const isOwn = (table: string, row: Readonly<Record<string, unknown>>): boolean => {
    if (table === 'person') return ids.has(row.id);
    if (table !== 'value_claim') return ids.has(row.person_id);
    if (row.record === personCode) return ids.has(row.record_id);
    return row.record === employmentCode && jobIds.has(row.record_id);
  };
  return Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      list.filter((row) => isOwn(table, row) || matcher.hasIdentifier(JSON.stringify(row))),
    ]),
  );
}

function presentMerge(merge: MergeTexts, { uuids }: Subject, matcher: Matcher): FoundEntry {
  const sides = [
    { id: merge.survivorId, uuid: merge.survivorUuid, name: merge.survivorName },
    { id: merge.loserId, uuid: merge.loserUuid, name: merge.loserName },
  ].filter(({ uuid }) => uuids.includes(uuid));
  const ids = new Set(sides.map(({ id }) => id));
  const { rows } = JSON.parse(merge.after) as MergeOutcome;
  // After an undo, the rows of the survivor have values of two people.
  const isOne = merge.undoneAt === null && ids.has(merge.survivorId);
  return {
    place: 'merges',
    key: ['record_merge', merge.id],
    record: `merge ${merge.id}`,
    values: {
      names: sides.map(({ name }) => name),
      ids: sides.map(({ uuid }) => uuid),
      merged_at: merge.mergedAt,
      undone_at: merge.undoneAt,
      before: ownRows(JSON.parse(merge.before) as Snapshot, ids, matcher),
      ...(isOne ? { after: rows, choices: JSON.parse(merge.choices) } : {}),
    },
  };
}

const isOneOf = (column: string) => `${column} IN (SELECT value FROM json_each(@uuids))`;

/** Rows that name people by UUID alone. */
const named = {
  merged_record: `SELECT uuid FROM merged_record
    WHERE kind = 'person' AND (${isOneOf('uuid')}
      OR survivor_id IN (SELECT id FROM person WHERE ${isOneOf('uuid')}))`,
  duplicate_pair: `SELECT id, one_uuid, other_uuid FROM duplicate_pair
    WHERE ${isOneOf('one_uuid')} OR ${isOneOf('other_uuid')}`,
} as const;

export const findMergeEntries = (
  directory: ReadableDatabase,
  subject: Subject,
  matcher: Matcher,
): FoundEntry[] => [
  ...listMerges(directory, subject, matcher).map((merge) => presentMerge(merge, subject, matcher)),
  ...Object.entries(named).flatMap(([table, sql]) =>
    statement<Record<string, unknown>>(directory, sql)
      .all({ uuids: JSON.stringify(subject.uuids) })
      .map((row): FoundEntry => {
        const key = [table, Object.values(row)[0]];
        // The other UUID of a pair may be another person's.
        const ids = Object.values(row).filter((value) => subject.uuids.includes(String(value)));
        return { place: 'merges', key, record: key.join(' '), values: { ids } };
      }),
  ),
];

/**
 * Deletes them. Call before the person is deleted. A merge of others whose rows have an identifier
 * of the person is deleted too: it holds, but cannot be undone any more.
 */
export function eraseMerges(directory: WritableDatabase, subject: Subject, matcher: Matcher): void {
  const values = { uuids: JSON.stringify(subject.uuids) };
  const [ids, pairs] = [named.merged_record, named.duplicate_pair];
  statement(directory, `DELETE FROM merged_record WHERE uuid IN (${ids})`).run(values);
  statement(directory, `DELETE FROM duplicate_pair WHERE id IN (SELECT id FROM (${pairs}))`).run(
    values,
  );
  for (const { id } of listMerges(directory, subject, matcher))
    statement(directory, 'DELETE FROM record_merge WHERE id = ?').run(id);
}
