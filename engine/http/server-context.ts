/**
 * What every route of one server shares: the environment, its address, and what waits between two
 * requests.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Delay, LoginQueue } from '../accounts/login-queue.ts';
import type { Environment } from '../app/environment.ts';
import type { ExportCommand } from '../app/export-command.ts';
import type { ToolParts } from '../assistants/tool-server/tool-endpoint.ts';
import type { WaitingCalls } from '../assistants/tool-server/waiting-calls.ts';
import type { EnvironmentName, environmentPaths } from '../contract/ids.ts';
import type { Consents } from '../oauth/consents.ts';
import type { DocumentSource } from '../oauth/fetch-document.ts';
import type { IdentityLogins } from '../oauth/identity-logins.ts';
import type { LargeBodies } from './bodies/large-bodies.ts';
import type { ReadBody, ReadBodyCommand } from './bodies/read-large-body.ts';
import type { EventStreams } from './event-streams.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { RateWindow } from './rate-window.ts';
import type { Tasks } from './tasks.ts';
import type { UploadStore } from './upload-store.ts';

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
  /** Where metadata documents of clients may come from beside the public internet. */
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

/** What the routes of one environment work with; each environment has a context of its own. */
export interface ServerContext {
  readonly environment: Environment;
  /** What stands before every path of this environment: '' or '/staging'. */
  readonly basePath: (typeof environmentPaths)[EnvironmentName];
  /** Resolves when the environment may be used; rejects with what opening it refuses. */
  readonly whenOpen: () => Promise<void>;
  readonly version: string;
  readonly wasOpenToOthers: boolean;
  readonly uiDir: string | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. */
  readonly address: { url: string | null; port: number | null };
  readonly sessionToken: string;
  /** One-time links to the interface; what is behind a code is called when it is used. */
  readonly openCodes: OneTimeCodes<() => void>;
  readonly tickets: OneTimeCodes<ExportCommand>;
  readonly uploads: UploadStore;
  /** Large JSON bodies of every environment: one is read at a time. */
  readonly largeBodies: LargeBodies;
  readonly events: EventStreams;
  readonly rateWindow: RateWindow;
  /** The same for the tool server, which has a limit of its own. */
  readonly toolWindow: RateWindow;
  /** Calls of tools that wait for a person. */
  readonly waitingCalls: WaitingCalls;
  /** Programs that wait for a person's answer, in both environments. */
  readonly consents: Consents;
  /** People who log in at an identity provider. */
  readonly identityLogins: IdentityLogins;
  /** A signal that ends what an identity provider is asked in one step of a login. */
  readonly identityDeadline: () => AbortSignal;
  /** Passwords that are tried on the authorization server's page, in both environments. */
  readonly logins: LoginQueue;
  /** Logins at an identity provider that each page begins. */
  readonly loginWindow: RateWindow;
  /** Programs that register themselves. */
  readonly registrationWindow: RateWindow;
  readonly documentSource: DocumentSource | undefined;
  readonly tasks: Tasks;
  /** Whether a request came over the local socket. */
  readonly isLocal: (request: IncomingMessage) => boolean;
  /** Aborted when the server begins to end: whoever keeps an answer open ends it then. */
  readonly stopping: AbortSignal;
}

/** The server as routes see it: schemas are Zod's. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
