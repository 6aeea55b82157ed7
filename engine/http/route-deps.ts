// Dependencies of the routes of one environment. A capability adds its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AccountCalls } from '../accounts/create-account-commands.ts';
import type { EnvironmentName, environmentPaths } from '../contract/ids.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { BrowserSessions } from '../sessions/browser-sessions.ts';
import type { SpreadsheetCalls } from '../spreadsheet/table-calls.ts';
import type { LargeBodies } from './bodies/large-bodies.ts';
import type { EventStreams, Subscribe } from './event-streams.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { RateWindow } from './rate-window.ts';
import type { RequestLog } from './requests/request-log.ts';
import type { Tasks } from './tasks.ts';
import type { UploadStore } from './upload-store.ts';

export interface RouteEnvironment {
  readonly name: EnvironmentName;
  /** Its data folder, absolute. */
  readonly folder: string;
  /** engine.db, read-only. */
  readonly database: ReadableDatabase;
  /** directory.db, read-only. */
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: Pick<AccountCalls, 'touchKey'>;
  readonly reader: SpreadsheetCalls;
  readonly subscribe: Subscribe;
}

export interface RouteDeps {
  readonly environment: RouteEnvironment;
  /** The prefix of every path of this environment: '' or '/staging'. */
  readonly basePath: (typeof environmentPaths)[EnvironmentName];
  readonly whenOpen: () => Promise<void>;
  readonly version: string;
  readonly uiDir: string | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. `publicUrl` is the address of a proxy with TLS, if any. */
  readonly address: { url: string | null; port: number | null; readonly publicUrl: URL | null };
  readonly shellToken: string | null;
  readonly sessions: BrowserSessions;
  readonly endSessionStreams: (sessionId: string) => void;
  /** One-time links to the interface. The function behind a code is called once it is used. */
  readonly openCodes: OneTimeCodes<() => void>;
  readonly uploads: UploadStore;
  /** Large JSON bodies of all environments; one is parsed at a time. */
  readonly largeBodies: LargeBodies;
  readonly events: EventStreams;
  readonly rateWindow: RateWindow;
  readonly requestLog: RequestLog;
  readonly tasks: Tasks;
  readonly isLocal: (request: IncomingMessage) => boolean;
  /** Aborted when the server starts to close, so that open streams end. */
  readonly stopping: AbortSignal;
}

/** Routes that call further commands of an environment's threads. */
export interface RouteDepsWith<Writer, Reader = unknown> extends RouteDeps {
  readonly environment: RouteEnvironment & { readonly writer: Writer; readonly reader: Reader };
}

export type ExportTickets<Command> = Pick<OneTimeCodes<Command>, 'issue'>;

export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
