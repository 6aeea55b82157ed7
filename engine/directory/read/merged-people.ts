// Finds the survivor of a person who was merged, in the queries that read people.

/**
 * SQL of the UUID of the person that a UUID means now.
 * @param schema of the directory: `main`, or the one it is attached as
 * @param uuid SQL of the UUID
 */
export const meantUuidSql = (schema: 'main' | 'directory', uuid: string): string =>
  `ifnull((SELECT s.uuid FROM ${schema}.merged_record m
     JOIN ${schema}.person s ON s.id = m.survivor_id
     WHERE m.uuid = ${uuid} AND m.kind = 'person'), ${uuid})`;

export const meantIdSql = (schema: 'main' | 'directory', id: string): string =>
  `ifnull((SELECT m.survivor_id FROM ${schema}.merged_record m
     WHERE m.kind = 'person' AND m.record_id = ${id}), ${id})`;
