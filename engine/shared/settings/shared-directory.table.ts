// The table `shared_directory`: the address of the team's directory, and its sealed password.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** The one row of the table. */
export interface SharedDirectoryRow {
  readonly address: string;
  /** Sealed by the environment's key for this address alone. */
  readonly sealed: Buffer;
  /** 0 or 1. */
  readonly isOn: number;
  readonly setAt: string;
}

/** The setting; undefined if there is none. */
export const readSharedDirectory = (database: ReadableDatabase): SharedDirectoryRow | undefined =>
  statement<SharedDirectoryRow>(
    database,
    'SELECT address, sealed, is_on AS isOn, set_at AS setAt FROM shared_directory',
  ).get();

/** Stores the setting in place of the one before. */
export function putSharedDirectory(database: WritableDatabase, row: SharedDirectoryRow): void {
  statement(
    database,
    `INSERT OR REPLACE INTO shared_directory (only, address, sealed, is_on, set_at)
     VALUES (1, @address, @sealed, @isOn, @setAt)`,
  ).run({ ...row });
}

/** Removes the setting. */
export function deleteSharedDirectory(database: WritableDatabase): void {
  statement(database, 'DELETE FROM shared_directory').run();
}
