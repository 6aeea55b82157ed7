// The employments that a person has now: the primary one is what the layers return.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** A current employment; '' if a value is unknown. */
export interface CurrentJob {
  readonly title: string;
  readonly email: string;
}

/** @param database a connection with the directory attached as `directory` */
export const listCurrentJobs = (database: ReadableDatabase, uuid: string): CurrentJob[] =>
  statement<CurrentJob>(
    database,
    `SELECT ifnull(e.title, '') AS title, ifnull(e.email, '') AS email
     FROM directory.person p JOIN directory.employment e ON e.person_id = p.id
     WHERE p.uuid = ? AND e.is_current`,
  ).all(uuid);
