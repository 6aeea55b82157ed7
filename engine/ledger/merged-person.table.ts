// The table `merged_person`: people of the directory that were merged, by UUID, so that what was
// paid for before a merge is paid for after it. Derived from the directory.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface MergedPerson {
  readonly uuid: string;
  readonly survivorUuid: string;
}

/** SQL of the UUIDs of a person and of those merged into them. @param uuid SQL of the UUID */
export const sameUuidsSql = (uuid: string): string =>
  `SELECT ${uuid} UNION ALL SELECT uuid FROM merged_person WHERE survivor_uuid = ${uuid}`;

/** SQL of the UUID of the person that a UUID means now. @param uuid SQL of the UUID */
export const survivorSql = (uuid: string): string =>
  `ifnull((SELECT survivor_uuid FROM merged_person WHERE uuid = ${uuid}), ${uuid})`;

/** The UUID of the person that a UUID means now. */
export const survivorOf = (database: ReadableDatabase, uuid: string): string =>
  statement<{ survivor: string }>(
    database,
    'SELECT survivor_uuid AS survivor FROM merged_person WHERE uuid = ?',
  ).get(uuid)?.survivor ?? uuid;

/** The people who were merged into some people: the survivor of each. */
export const findMerged = (
  database: ReadableDatabase,
  people: readonly string[],
): ReadonlyMap<string, string> =>
  new Map(
    statement<MergedPerson>(
      database,
      `SELECT m.uuid, m.survivor_uuid AS survivorUuid FROM json_each(?) j
       CROSS JOIN merged_person m ON m.survivor_uuid = j.value`,
    )
      .all(JSON.stringify(people))
      .map(({ uuid, survivorUuid }) => [uuid, survivorUuid]),
  );

export function replaceMerged(database: WritableDatabase, people: readonly MergedPerson[]): void {
  statement(database, 'DELETE FROM merged_person').run();
  statement(
    database,
    `INSERT INTO merged_person (uuid, survivor_uuid)
     SELECT value ->> 'uuid', value ->> 'survivorUuid' FROM json_each(?)`,
  ).run(JSON.stringify(people));
}
