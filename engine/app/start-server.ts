// Starts and stops the HTTP server, on loopback and the local socket.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createLoginQueue } from '../accounts/login-queue.ts';
import { createWaitingCalls } from '../assistants/tool-server/waiting-calls.ts';
import { EngineError, errorTable, requestErrorCodes } from '../contract/errors.ts';
import { environmentPaths } from '../contract/ids.ts';
import { identityAnswerMaxMs, loginBeginsMax, loginWindowMs } from '../contract/limits/accounts.ts';
import { toolRequestsMax } from '../contract/limits/assistants.ts';
import { serverCloseMaxMs } from '../contract/limits/http.ts';
import {
  openLinkKeptMs,
  rateLimitRequestsMax,
  rateLimitWindowMs,
  ticketKeptMs,
} from '../contract/limits/http-server.ts';
import { registrationsMax } from '../contract/limits/oauth.ts';
import { uploadSweepIntervalMs } from '../contract/limits/uploads.ts';
import { createLargeBodies } from '../http/bodies/large-bodies.ts';
import { type BodyReader, openBodyReader } from '../http/bodies/read-body-on-worker.ts';
import { createEventStreams } from '../http/event-streams.ts';
import { closeServer, listenOnLoopback, listenOnSocket } from '../http/loopback.ts';
import { createOneTimeCodes } from '../http/one-time-codes.ts';
import { createRateWindow } from '../http/rate-window.ts';
import { createRequestLog } from '../http/requests/request-log.ts';
import { createTasks } from '../http/tasks.ts';
import { createUploadStore } from '../http/upload-store.ts';
import { createConsents } from '../oauth/consents.ts';
import { createIdentityLogins } from '../oauth/identity-logins.ts';
import { createPersonData } from '../person-data/person-data.ts';
import { takeAgain } from '../platform/folder-handover.ts';
import { logFailure } from '../platform/log-failure.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import { rulesOf } from '../policy/team-rules.ts';
import { createBrowserSessions } from '../sessions/browser-sessions.ts';
import { buildApp } from './build-app.ts';
import type { Environment, LazyEnvironment } from './environment.ts';
import type { ServerConfig, ServerContext } from './server-context.ts';

/** The live environment, and staging if it was ever used, which is then opened. */
async function openAllEnvironments(
  live: Environment,
  staging: LazyEnvironment | null,
): Promise<readonly Environment[]> {
  if (!staging || !existsSync(join(staging.folder, 'engine.db'))) return [live];
  await staging.whenOpen();
  return [live, staging];
}

export interface RunningServer {
  /** Origin without a trailing slash; null without a port. */
  readonly url: string | null;
  readonly port: number | null;
  /** A one-time link to the interface, with its code in the fragment. Throws without a port. */
  openUrl(onOpened?: () => void): string;
  /**
   * Resolves when no request of the local socket is waiting for an answer, except reads, which can
   * be repeated.
   * @param onWait called if one is waiting now
   */
  whenAnswered(onWait: () => void): Promise<void>;
  close(): Promise<void>;
  /** Resolves when no request has unfinished files; call it after the environments are closed. */
  whenSettled(): Promise<void>;
}

function createShared({
  config,
  local,
  stopping,
  bodyReader,
  live,
  listOpen,
  contexts,
}: {
  readonly config: ServerConfig;
  readonly local: WeakSet<IncomingMessage>;
  readonly stopping: AbortController;
  readonly bodyReader: BodyReader;
  readonly live: Environment;
  readonly listOpen: () => readonly Environment[];
  /** Those of all environments, once they exist. */
  readonly contexts: readonly ServerContext[];
}) {
  // Wall clocks can go back; intervals need a monotonic clock.
  const elapsed = config.now ?? (() => performance.now());
  return {
    version: config.version,
    uiDir: config.uiDir,
    wasOpenToOthers: config.wasOpenToOthers ?? false,
    now: config.now ?? Date.now,
    elapsed,
    address: {
      url: null as string | null,
      port: null as number | null,
      publicUrl: config.publicUrl ?? null,
    },
    shellToken: config.sessionToken,
    sessions: createBrowserSessions(live, config.now ?? Date.now),
    endSessionStreams(sessionId: string) {
      for (const { events } of contexts) events.endSession(sessionId);
    },
    openCodes: createOneTimeCodes<() => void>(openLinkKeptMs, elapsed),
    logins: createLoginQueue(elapsed, config.delay),
    consents: createConsents(config.now ?? Date.now, elapsed),
    documentSource: config.documentSource,
    largeBodies: createLargeBodies(config.readBody ?? bodyReader.read),
    identityDeadline:
      config.identityDeadline ??
      (() => AbortSignal.any([AbortSignal.timeout(identityAnswerMaxMs), stopping.signal])),
    isLocal: (request: IncomingMessage) => local.has(request),
    async applySuppressions() {
      await Promise.all(listOpen().map(({ reader }) => reader.applySuppressions()));
    },
    restores: config.restores ?? null,
    rules: config.rules ?? rulesOf({}),
    retentionPolicy: config.rules?.config.retention ?? {},
    stopping: stopping.signal,
  };
}

type Shared = ReturnType<typeof createShared>;

/** The dependencies of one environment's routes. Nothing in it belongs to another environment. */
function createContext(
  { elapsed, ...shared }: Shared & Pick<ServerContext, 'liveDatabase' | 'personData'>,
  environment: Environment,
  whenOpen: () => Promise<void>,
): ServerContext {
  const events = createEventStreams(environment.subscribe);
  return {
    ...shared,
    environment,
    basePath: environmentPaths[environment.name],
    whenOpen,
    tickets: createOneTimeCodes(ticketKeptMs, elapsed),
    identityLogins: createIdentityLogins(elapsed),
    uploads: createUploadStore(join(environment.folder, 'uploads'), environment.reader, () =>
      trustedTime(environment.database, new Date(shared.now())).getTime(),
    ),
    events,
    waitingCalls: createWaitingCalls(),
    requestLog: createRequestLog(),
    rateWindow: createRateWindow(rateLimitRequestsMax, rateLimitWindowMs, elapsed),
    toolWindow: createRateWindow(toolRequestsMax, rateLimitWindowMs, elapsed),
    loginWindow: createRateWindow(loginBeginsMax, loginWindowMs, elapsed),
    registrationWindow: createRateWindow(registrationsMax, rateLimitWindowMs, elapsed),
    tasks: createTasks(),
  };
}

/** The list is applied again at the next change, and at the next start. */
const logFailedApply = (error: unknown) =>
  logFailure('applying the suppression list to the directory failed', error);

/** Applies what refusals of data services add to the suppression list without a request. */
function applyRefusals(
  contexts: readonly ServerContext[],
  { applySuppressions }: Pick<Shared, 'applySuppressions'>,
): void {
  for (const { environment } of contexts)
    environment.subscribe(({ type }) => {
      if (type === 'suppression') applySuppressions().catch(logFailedApply);
    });
}

/** Explains why staging cannot be opened. Throws; bugs are rethrown as they are. */
function explainClosed(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  const isUnavailable =
    requestErrorCodes.includes(error.code) &&
    errorTable[error.code].status === errorTable.read_only.status;
  throw new EngineError(
    isUnavailable ? error.code : 'read_only',
    `The staging environment cannot be opened: ${error.detail}`,
  );
}

/** The context of an environment that opens later. Leftovers of uploads are removed first. */
function createLazyContext(
  shared: Parameters<typeof createContext>[0],
  environment: LazyEnvironment,
): ServerContext {
  let swept: Promise<void> | null = null;
  const context = createContext(shared, environment, async () => {
    await environment.whenOpen().catch(explainClosed);
    swept ??= context.uploads.sweep(true);
    await swept.catch((error: unknown) => {
      swept = null;
      throw error;
    });
  });
  return context;
}

function sweepUploads(
  contexts: readonly ServerContext[],
  staging: LazyEnvironment | null,
  log: FastifyBaseLogger,
): () => void {
  const sweeps = setInterval(() => {
    for (const { uploads, environment } of contexts)
      if (environment !== staging || staging.isOpen)
        uploads
          .sweep(false)
          .catch((error: unknown) => log.warn(error, 'removing expired uploads failed'));
  }, uploadSweepIntervalMs).unref();
  return () => clearInterval(sweeps);
}

/** Continues the deletions of people that the last run left. A stop leaves them to the next. */
function continueDeletions({ personData, stopping }: ServerContext): void {
  personData.continueDeletions().catch((error: unknown) => {
    if (!stopping.aborted) logFailure('continuing the deletion of a person failed', error);
  });
}

/** Opens the sockets. Throws `port_unavailable`, with all sockets closed. */
async function openSockets(
  address: Shared['address'],
  config: ServerConfig,
  listener: RequestListener,
  local: WeakSet<IncomingMessage>,
  unanswered: Set<ServerResponse>,
): Promise<Server[]> {
  const servers: Server[] = [];
  if (config.port !== null) {
    const { port, isPortReleased } = config;
    const listen = () => listenOnLoopback(listener, port);
    const opened = await (isPortReleased ? takeAgain(listen, 'port_unavailable') : listen());
    servers.push(...opened.servers);
    address.port = opened.port;
    address.url = `http://127.0.0.1:${opened.port}`;
  }
  if (config.socketPath !== null) {
    const listenLocal: RequestListener = (request, response) => {
      local.add(request);
      if (request.method !== 'GET') {
        unanswered.add(response);
        response.once('close', () => unanswered.delete(response));
      }
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
 * Starts the server for the live environment and, if there is one, the staging environment, which
 * is opened on its first request. Throws `port_unavailable`; nothing is left running then.
 */
export async function startServer({
  environment,
  staging = null,
  config,
}: {
  environment: Environment;
  staging?: LazyEnvironment | null;
  config: ServerConfig;
}): Promise<RunningServer> {
  const local = new WeakSet<IncomingMessage>();
  const unanswered = new Set<ServerResponse>();
  const stopping = new AbortController();
  const bodyReader = openBodyReader();
  const listOpen = () => (staging?.isOpen ? [environment, staging] : [environment]);
  const contexts: ServerContext[] = [];
  const { database: liveDatabase } = environment;
  const personData = createPersonData({
    openAll: () => openAllEnvironments(environment, staging),
    liveDatabase,
    now: () => new Date((config.now ?? Date.now)()),
  });
  const shared = {
    ...createShared({
      config,
      local,
      stopping,
      bodyReader,
      live: environment,
      listOpen,
      contexts,
    }),
    liveDatabase,
    personData,
  };
  const live = createContext(shared, environment, async () => undefined);
  contexts.push(live);
  if (staging) contexts.push(createLazyContext(shared, staging));
  applyRefusals(contexts, shared);
  // The app listens only to events of the live environment, but shows requests of all environments.
  shared.consents.onChange(() => live.events.publish({ type: 'authorizations' }, null));
  const app = buildApp(contexts, config.toolParts);
  await live.uploads.sweep(true);
  await app.ready();
  const endSweeps = sweepUploads(contexts, staging, app.log);
  const end = async (servers: readonly Server[]) => {
    endSweeps();
    stopping.abort();
    for (const { events } of contexts) events.close();
    await Promise.all(servers.map(closeServer));
    await Promise.all(contexts.map(({ tasks }) => tasks.settle(serverCloseMaxMs)));
    await bodyReader.stop();
    await app.close();
  };
  const servers = await openSockets(
    shared.address,
    config,
    (request, response) => app.routing(request, response),
    local,
    unanswered,
  ).catch(async (error: unknown) => {
    await end([]);
    throw error;
  });
  continueDeletions(live);
  const { url, port } = shared.address;
  return {
    url,
    port,
    openUrl(onOpened = () => undefined) {
      if (url === null) throw new Error('a server without a port has no link');
      const base = config.publicUrl?.origin ?? url;
      return `${base}/#open=${shared.openCodes.issue(onOpened)}`;
    },
    async whenAnswered(onWait) {
      if (unanswered.size > 0) onWait();
      // The loop includes requests that arrive meanwhile.
      for (const response of unanswered) await once(response, 'close');
    },
    close: () => end(servers),
    async whenSettled() {
      await Promise.all(contexts.map(({ uploads }) => uploads.whenSettled()));
    },
  };
}
