/** The door of the server: starts it on loopback and the local socket over a world, and ends it. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import {
  openCodeTriesMax,
  openLinkKeptMs,
  rateLimitRequestsMax,
  rateLimitWindowMs,
  serverCloseMaxMs,
  ticketKeptMs,
  uploadSweepIntervalMs,
} from '../contract/limits.ts';
import type { World } from '../domain/world.ts';
import { buildApp } from './build-app.ts';
import { createEventStreams } from './event-streams.ts';
import { closeServer, listenOnLoopback, listenOnSocket } from './loopback.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createRateWindow } from './rate-window.ts';
import type { ServerConfig, ServerContext } from './server-context.ts';
import { createTasks } from './tasks.ts';
import { createUploadShelf } from './upload-shelf.ts';

/** A server that answers. */
export interface RunningServer {
  /** Origin without a trailing slash; null without a port. */
  readonly url: string | null;
  readonly port: number | null;
  /** A one-time link to the interface, its code in the fragment. Throws without a port. */
  openUrl(): string;
  /** Ends answers and streams; the world stays open. */
  close(): Promise<void>;
}

/** What a server knows before it listens. */
function createContext(world: World, config: ServerConfig, local: WeakSet<IncomingMessage>) {
  const now = config.now ?? Date.now;
  // Wall clocks go back; intervals must not.
  const elapsed = config.now ?? (() => performance.now());
  return {
    world,
    version: config.version,
    uiDir: config.uiDir,
    now,
    address: { url: null as string | null, port: null as number | null },
    sessionToken: config.sessionToken ?? randomBytes(32).toString('base64url'),
    openCodes: createOneTimeCodes<true>(openLinkKeptMs, elapsed),
    openCodeTries: createRateWindow(openCodeTriesMax, rateLimitWindowMs, elapsed),
    tickets: createOneTimeCodes(ticketKeptMs, elapsed),
    uploads: createUploadShelf(join(world.folder, 'uploads'), world.reader, now),
    events: createEventStreams(world.subscribe),
    rateWindow: createRateWindow(rateLimitRequestsMax, rateLimitWindowMs, elapsed),
    tasks: createTasks(),
    isLocal: (request) => local.has(request),
  } satisfies ServerContext;
}

type Context = ReturnType<typeof createContext>;

/** Opens the sockets. Throws `validation_error` where the port is taken; none is left open then. */
async function openSockets(
  context: Context,
  config: ServerConfig,
  listener: RequestListener,
  local: WeakSet<IncomingMessage>,
): Promise<Server[]> {
  const servers: Server[] = [];
  if (config.port !== null) {
    const opened = await listenOnLoopback(listener, config.port);
    servers.push(...opened.servers);
    context.address.port = opened.port;
    context.address.url = `http://127.0.0.1:${opened.port}`;
  }
  if (config.socketPath !== null) {
    const listenLocal: RequestListener = (request, response) => {
      local.add(request);
      listener(request, response);
    };
    try {
      servers.push(await listenOnSocket(listenLocal, config.socketPath));
    } catch (error) {
      await Promise.all(servers.map(closeServer));
      throw error;
    }
  }
  return servers;
}

/**
 * Starts the server of a world. Throws `validation_error` where the port is taken, and leaves
 * nothing running then.
 */
export async function startServer({
  world,
  config,
}: {
  world: World;
  config: ServerConfig;
}): Promise<RunningServer> {
  const local = new WeakSet<IncomingMessage>();
  const context = createContext(world, config, local);
  const app = buildApp(context);
  await context.uploads.sweep(true);
  await app.ready();
  const sweeps = setInterval(() => {
    context.uploads.sweep(false).catch((error: unknown) => app.log.warn(error, 'no sweep'));
  }, uploadSweepIntervalMs).unref();
  const end = async (servers: readonly Server[]) => {
    clearInterval(sweeps);
    context.events.close();
    await Promise.all(servers.map(closeServer));
    await context.tasks.settle(serverCloseMaxMs);
    await app.close();
  };
  const servers = await openSockets(
    context,
    config,
    (request, response) => app.routing(request, response),
    local,
  ).catch(async (error: unknown) => {
    await end([]);
    throw error;
  });
  const { url, port } = context.address;
  return {
    url,
    port,
    openUrl() {
      if (url === null) throw new Error('a server without a port has no link');
      return `${url}/#open=${context.openCodes.issue(true)}`;
    },
    close: () => end(servers),
  };
}
