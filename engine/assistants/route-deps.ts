// Dependencies of the tool server and its routes.
import type { AccountCalls } from '../accounts/create-account-commands.ts';
import type { RateWindow } from '../http/rate-window.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { AssistantCalls } from './create-assistant-commands.ts';
import type { ListFolderCalls } from './list-folders.ts';
import type { WaitingCalls } from './tool-server/waiting-calls.ts';
import type { ToolEnvironment } from './tools/tool-call.ts';

type Base = RouteDepsWith<AssistantCalls & ListFolderCalls & Pick<AccountCalls, 'changeKey'>>;

export interface AssistantRouteDeps extends Base {
  readonly environment: Base['environment'] & ToolEnvironment;
  readonly toolWindow: RateWindow;
  readonly waitingCalls: WaitingCalls;
}
