// Options of the server, and the dependencies of all routes of one environment.
import type { Delay } from '../accounts/login-queue.ts';
import type { AssistantRouteDeps } from '../assistants/route-deps.ts';
import type { ToolParts } from '../assistants/tool-server/tool-endpoint.ts';
import type { RetentionPolicy } from '../contract/retention/retention.ts';
import type { ReadBody, ReadBodyCommand } from '../http/bodies/read-large-body.ts';
import type { OneTimeCodes } from '../http/one-time-codes.ts';
import type { DocumentSource } from '../oauth/fetch-document.ts';
import type { OauthRouteDeps } from '../oauth/route-deps.ts';
import type { PersonDataRouteDeps } from '../person-data/route-deps.ts';
import type { TeamRules } from '../policy/team-rules.ts';
import type { Environment } from './environment.ts';
import type { ExportCommand } from './open-export.ts';
import type { RunningRestores } from './restore-running.ts';

export interface ServerConfig {
  /** Loopback port; 0 picks a free one, null means only the local socket. */
  readonly port: number | null;
  readonly isPortReleased?: boolean | undefined;
  /** Local socket (a named pipe on Windows); null for none. */
  readonly socketPath: string | null;
  /** Folder of the built interface; null if another shell shows it. */
  readonly uiDir: string | null;
  /** The value of X-Desk-Session that the shell sends; null if there is no shell. */
  readonly sessionToken: string | null;
  readonly publicUrl?: URL | null | undefined;
  readonly version: string;
  /** Whether other users could read the data folder before the engine locked it; for doctor. */
  readonly wasOpenToOthers?: boolean | undefined;
  /** Sources of clients' metadata documents besides the public internet. */
  readonly documentSource?: DocumentSource | undefined;
  /** Ends the requests to an identity provider in one step of a login; by default in 10 s. */
  readonly identityDeadline?: (() => AbortSignal) | undefined;
  /** Restores a backup into the folder of this engine; impossible by default. */
  readonly restores?: RunningRestores | undefined;
  /** The organisation's rules; none by default. */
  readonly rules?: TeamRules | undefined;
  /** The clock in milliseconds; defaults to the system's. */
  readonly now?: (() => number) | undefined;
  /** Delays logins after failed ones; defaults to a timer. */
  readonly delay?: Delay | undefined;
  /** Parts of the tool server; defaults to the product's own tools. */
  readonly toolParts?: ToolParts | undefined;
  /** Parses a large JSON body; defaults to a separate thread. */
  readonly readBody?: ((command: ReadBodyCommand) => Promise<ReadBody>) | undefined;
}

export interface ServerContext extends AssistantRouteDeps, OauthRouteDeps, PersonDataRouteDeps {
  readonly environment: Environment;
  readonly tickets: OneTimeCodes<ExportCommand>;
  readonly applySuppressions: () => Promise<void>;
  /** Restores a backup into the folder of this engine; null if that is impossible. */
  readonly restores: RunningRestores | null;
  readonly rules: TeamRules;
  readonly retentionPolicy: RetentionPolicy;
  readonly wasOpenToOthers: boolean;
}
