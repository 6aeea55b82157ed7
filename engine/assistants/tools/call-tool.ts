/** The handlers of all tools, one group for each of contract/assistants/tools/. */
import type { ToolName } from '../../contract/assistants/tools.ts';
import { listHandlers } from './enrich-list.ts';
import { enrichHandlers } from './enrich-person.ts';
import { finishHandlers } from './finish-list.ts';
import { importHandlers } from './import-list.ts';
import { monitorHandlers } from './read-monitors.ts';
import { searchHandlers } from './search-directory.ts';
import type { ToolHandlers } from './tool-handler.ts';
import { unlockHandlers } from './unlock-contacts.ts';
import { validationHandlers } from './validate-list.ts';
import { walletHandlers } from './wallet.ts';

export const toolHandlers: ToolHandlers<ToolName> = {
  ...searchHandlers,
  ...unlockHandlers,
  ...enrichHandlers,
  ...walletHandlers,
  ...validationHandlers,
  ...listHandlers,
  ...finishHandlers,
  ...importHandlers,
  ...monitorHandlers,
};
