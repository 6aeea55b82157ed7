/** How the server is started, and what all routes of one environment work with. */
import type { Delay } from '../accounts/login-queue.ts';
import type { AssistantRouteDeps } from '../assistants/route-deps.ts';
import type { ToolParts } from '../assistants/tool-server/tool-endpoint.ts';
import type { ReadBody, ReadBodyCommand } from '../http/bodies/read-large-body.ts';
import type { OneTimeCodes } from '../http/one-time-codes.ts';
import type { DocumentSource } from '../oauth/fetch-document.ts';
import type { OauthRouteDeps } from '../oauth/route-deps.ts';
import type { Environment } from './environment.ts';
import type { ExportCommand } from './export-command.ts';

/** How a server is started. */
export interface ServerConfig {
  /** Loopback port; 0 picks a free one, null means the local socket alone. */
  readonly port: number | null;
  /** Local socket (a named pipe on Windows); null for none. */
  readonly socketPath: string | null;
  /** Folder of the built interface; null where another shell shows it. */
  readonly uiDir: string | null;
  /** What X-Desk-Session must carry; made here where null. */
  readonly sessionToken: string | null;
  readonly version: string;
  /** Whether other users could read the data folder until the engine took it; for doctor. */
  readonly wasOpenToOthers?: boolean | undefined;
  /** Where metadata documents of clients may come from besides the public internet. */
  readonly documentSource?: DocumentSource | undefined;
  /** Ends what an identity provider is asked in one step of a login; ten seconds where left out. */
  readonly identityDeadline?: (() => AbortSignal) | undefined;
  /** The clock in milliseconds; the system's where left out. */
  readonly now?: (() => number) | undefined;
  /** How a login waits behind wrong ones; by a timer where left out. */
  readonly delay?: Delay | undefined;
  /** What the tool server offers; the product's own tools where left out. */
  readonly toolParts?: ToolParts | undefined;
  /** Reads a large JSON body; a thread of its own where left out. */
  readonly readBody?: ((command: ReadBodyCommand) => Promise<ReadBody>) | undefined;
}

/** The deps of every capability's routes; each environment has a context of its own. */
export interface ServerContext extends AssistantRouteDeps, OauthRouteDeps {
  readonly environment: Environment;
  readonly tickets: OneTimeCodes<ExportCommand>;
  /** Whether other users could read the data folder until the engine took it. */
  readonly wasOpenToOthers: boolean;
}
