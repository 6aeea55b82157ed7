/** Commands about folders whose lists assistants may read, to the writer thread. */
import type { ListFolder } from '../contract/assistants/assistants.ts';
import type { FolderPlace } from './list-folder.table.ts';

export interface ListFolderCalls {
  /** Throws `validation_error` if the account has too many. */
  allowListFolder(command: FolderPlace & { accountId: number }): Promise<ListFolder>;
  /** Throws `not_found`. */
  removeListFolder(command: { accountId: number; id: number }): Promise<void>;
}
