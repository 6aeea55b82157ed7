// The table `list_folder`: folders from which a person lets assistants have lists enriched.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Where a folder is. */
export interface FolderPlace {
  /** As the person wrote it, absolute. */
  readonly path: string;
  /** Where it led when it was allowed, without any link. */
  readonly realPath: string;
}

/** A folder that is allowed. */
export interface ListFolderRow extends FolderPlace {
  readonly id: number;
  readonly addedAt: string;
}

/** The folders of an account, by their paths. */
export const listListFolders = (database: ReadableDatabase, accountId: number): ListFolderRow[] =>
  statement<ListFolderRow>(
    database,
    `SELECT id, path, real_path AS realPath, added_at AS addedAt
     FROM list_folder WHERE account_id = ? ORDER BY path`,
  ).all(accountId);

/** Allows a folder; one that was allowed before leads from now on to where it leads now. */
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

/** Allows a folder no longer; false where the account has none by this id. */
export const deleteListFolder = (
  database: WritableDatabase,
  accountId: number,
  id: number,
): boolean =>
  statement(database, 'DELETE FROM list_folder WHERE account_id = ? AND id = ?').run(accountId, id)
    .changes > 0;
