/** What the routes of one environment work with. A capability adds what it needs of its own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AccountCalls } from '../accounts/accounts.commands.ts';
import type { EnvironmentName, environmentPaths } from '../contract/ids.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { SpreadsheetCalls } from '../spreadsheet/spreadsheet.commands.ts';
import type { LargeBodies } from './bodies/large-bodies.ts';
import type { EventStreams, Subscribe } from './event-streams.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { RateWindow } from './rate-window.ts';
import type { Tasks } from './tasks.ts';
import type { UploadStore } from './upload-store.ts';

/** What every route may use of an environment. */
export interface RouteEnvironment {
  readonly name: EnvironmentName;
  /** Its data folder, absolute. */
  readonly folder: string;
  /** engine.db, for reading alone. */
  readonly database: ReadableDatabase;
  /** directory.db, for reading alone. */
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: Pick<AccountCalls, 'touchKey'>;
  readonly reader: SpreadsheetCalls;
  readonly subscribe: Subscribe;
}

/** What the routes of one environment share; each environment has its own. */
export interface RouteDeps {
  readonly environment: RouteEnvironment;
  /** The prefix of every path of this environment: '' or '/staging'. */
  readonly basePath: (typeof environmentPaths)[EnvironmentName];
  /** Resolves when the environment may be used; rejects with what opening it refuses. */
  readonly whenOpen: () => Promise<void>;
  readonly version: string;
  readonly uiDir: string | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. */
  readonly address: { url: string | null; port: number | null };
  readonly sessionToken: string;
  /** One-time links to the interface; what is behind a code is called when it is used. */
  readonly openCodes: OneTimeCodes<() => void>;
  readonly uploads: UploadStore;
  /** Large JSON bodies of every environment: one is read at a time. */
  readonly largeBodies: LargeBodies;
  readonly events: EventStreams;
  readonly rateWindow: RateWindow;
  readonly tasks: Tasks;
  /** Whether a request came over the local socket. */
  readonly isLocal: (request: IncomingMessage) => boolean;
  /** Aborted when the server begins to end: streams that are open end then. */
  readonly stopping: AbortSignal;
}

/** Routes that call more of an environment's threads. */
export interface RouteDepsWith<Writer, Reader = unknown> extends RouteDeps {
  readonly environment: RouteEnvironment & { readonly writer: Writer; readonly reader: Reader };
}

/** Where exports that are about to be downloaded wait for their ticket. */
export type ExportTickets<Command> = Pick<OneTimeCodes<Command>, 'issue'>;

/** The server as routes see it: schemas are Zod's. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
