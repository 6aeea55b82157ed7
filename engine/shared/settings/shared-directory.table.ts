// The table `shared_directory`: the address of the team's directory, and where its login is kept.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { KeptSecret } from '../../secrets/kept-secret.ts';

export type SharedDirectoryRow = {
  readonly address: string;
  /** 0 or 1: whether the secret of the keys is known. */
  readonly hasSecret: number;
  /** 0 or 1. */
  readonly isOn: number;
  /** 0 or 1: whether this engine runs a worker. */
  readonly matchesHere: number;
  readonly setAt: string;
} & KeptSecret;

export const readSharedDirectory = (database: ReadableDatabase): SharedDirectoryRow | undefined =>
  statement<SharedDirectoryRow>(
    database,
    `SELECT address, entry, sealed, has_secret AS hasSecret, is_on AS isOn,
       matches_here AS matchesHere, set_at AS setAt
     FROM shared_directory`,
  ).get();

export function putSharedDirectory(database: WritableDatabase, row: SharedDirectoryRow): void {
  statement(
    database,
    `INSERT OR REPLACE INTO shared_directory (only, address, entry, sealed, has_secret, is_on,
       matches_here, set_at)
     VALUES (1, @address, @entry, @sealed, @hasSecret, @isOn, @matchesHere, @setAt)`,
  ).run({ ...row });
}

export function deleteSharedDirectory(database: WritableDatabase): void {
  statement(database, 'DELETE FROM shared_directory').run();
}
