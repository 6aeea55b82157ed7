/**
 * What every route of one server shares: the world, its address, and what waits between two
 * requests.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ExportCommand, World } from '../domain/world.ts';
import type { EventStreams } from './event-streams.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { RateWindow } from './rate-window.ts';
import type { Tasks } from './tasks.ts';
import type { UploadShelf } from './upload-shelf.ts';

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
  /** The clock in milliseconds; the system's where left out. */
  readonly now?: (() => number) | undefined;
}

/** What routes work with. */
export interface ServerContext {
  readonly world: World;
  readonly version: string;
  readonly uiDir: string | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. */
  readonly address: { url: string | null; port: number | null };
  readonly sessionToken: string;
  readonly openCodes: OneTimeCodes<true>;
  readonly openCodeTries: RateWindow;
  readonly tickets: OneTimeCodes<ExportCommand>;
  readonly uploads: UploadShelf;
  readonly events: EventStreams;
  readonly rateWindow: RateWindow;
  readonly tasks: Tasks;
  /** Whether a request came over the local socket. */
  readonly isLocal: (request: IncomingMessage) => boolean;
}

/** The server as routes see it: schemas are Zod's. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
