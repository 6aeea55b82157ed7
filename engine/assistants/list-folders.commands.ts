/** Commands to the writer thread about the folders whose lists assistants may name. */
import type { ListFolder } from '../contract/assistants/assistants.ts';
import type { FolderPlace } from './list-folder.table.ts';

/** What is asked of the writer thread. */
export interface ListFolderCalls {
  /** Throws `validation_error` where the account has too many. */
  allowListFolder(command: FolderPlace & { accountId: number }): Promise<ListFolder>;
  /** Throws `not_found`. */
  removeListFolder(command: { accountId: number; id: number }): Promise<void>;
}
