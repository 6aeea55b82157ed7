// The table `list_folder`: folders whose lists assistants may read.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface FolderPlace {
  /** The absolute path as entered. */
  readonly path: string;
  /** The path with all links resolved, when the folder was allowed. */
  readonly realPath: string;
}

export interface ListFolderRow extends FolderPlace {
  readonly id: number;
  readonly addedAt: string;
}

export const listListFolders = (database: ReadableDatabase, accountId: number): ListFolderRow[] =>
  statement<ListFolderRow>(
    database,
    `SELECT id, path, real_path AS realPath, added_at AS addedAt
     FROM list_folder WHERE account_id = ? ORDER BY path`,
  ).all(accountId);

/** Allows a folder. If it was allowed before, its real path is updated. */
export function putListFolder(
  database: WritableDatabase,
  folder: FolderPlace & { readonly accountId: number; readonly addedAt: string },
): void {
  statement(
    database,
    `INSERT INTO list_folder (account_id, path, real_path, added_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, path) DO UPDATE SET
       real_path = excluded.real_path, added_at = excluded.added_at`,
  ).run(folder.accountId, folder.path, folder.realPath, folder.addedAt);
}

export const deleteListFolder = (
  database: WritableDatabase,
  accountId: number,
  id: number,
): boolean =>
  statement(database, 'DELETE FROM list_folder WHERE account_id = ? AND id = ?').run(accountId, id)
    .changes > 0;
