// Who sends a request: an API key, the app, the local socket (docs/rules.md, "Keys and secrets").
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountRow,
  getAccount,
  getAccountById,
  listAccounts,
  noSuchAccount,
} from '../accounts/account.table.ts';
import { findKeyByHash, getKey, type KeyRow } from '../accounts/api-key.table.ts';
import { hashKey } from '../accounts/api-keys.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { keyUseIntervalMs } from '../contract/limits/accounts.ts';
import { rememberUntilCommit } from '../platform/sqlite/statement.ts';
import { type CallOrigin, runWithOrigin } from '../platform/workers/call-origin.ts';
import { baseUrlOf } from './guards.ts';
import type { RateWindow } from './rate-window.ts';
import type { ApiServer, RouteDeps } from './route-deps.ts';

export interface Caller {
  readonly account: AccountRow;
  /** The scope of idempotency keys and the rate limit. */
  readonly keyScope: string;
  /** The API key; null for the app and the local socket. */
  readonly key: KeyRow | null;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The account of a key; null if the key is unknown or revoked. */
function findCaller(context: RouteDeps, key: string): Caller | null {
  const { database } = context.environment;
  const hash = hashKey(key);
  return rememberUntilCommit(database, `key ${hash}`, () => {
    const found = findKeyByHash(database, hash);
    if (!found || found.revokedAt !== null) return null;
    const account = getAccountById(database, found.accountId);
    return account && { account, keyScope: found.id, key: found };
  });
}

function readKey(context: RouteDeps, authorization: string): Caller | null {
  const key = /^(?:token|bearer) +(\S+) *$/i.exec(authorization)?.[1];
  return key === undefined ? null : findCaller(context, key);
}

/** How a request belongs to the app: the id of its browser's session; null for the shell. */
type OwnSession = { readonly sessionId: string | null };

/** Null if the request does not belong to the app. */
function findOwnSession(context: RouteDeps, request: FastifyRequest): OwnSession | null {
  if (context.isLocal(request.raw)) return { sessionId: null };
  const sentToken = request.headers['x-desk-session'];
  if (typeof sentToken !== 'string') return null;
  const { shellToken } = context;
  // Digests have equal lengths, so that the comparison leaks no timing.
  if (shellToken !== null && timingSafeEqual(digest(sentToken), digest(shellToken)))
    return { sessionId: null };
  const sessionId = context.sessions.find(sentToken);
  return sessionId === null ? null : { sessionId };
}

/** The account that the app acts for: X-Desk-Account, otherwise the first account. */
function readAppCaller(context: RouteDeps, request: FastifyRequest): Caller {
  const { database } = context.environment;
  const named = request.headers['x-desk-account'];
  const account =
    named === undefined
      ? rememberUntilCommit(database, 'first account', () => listAccounts(database)[0])
      : UuidSchema.safeParse(named).success && getAccount(database, named.toString().toLowerCase());
  if (!account) throw noSuchAccount();
  return { account, keyScope: `app:${account.uuid}`, key: null };
}

/** The caller, once a hook of `requireKey` or `requireSession` has authenticated the request. */
export const callerOf = (request: FastifyRequest): Caller => request.getDecorator('caller');

/** The session of the browser that sent an app's request; null for the shell and the socket. */
export const sessionOf = (request: FastifyRequest): string | null =>
  request.getDecorator('session');

/** Adds the request properties that `callerOf` and `sessionOf` read to a server. */
export const decorateCaller = (server: ApiServer) =>
  server.decorateRequest('caller', null).decorateRequest('session', null);

function originOf({ account, key }: Caller, isLocal: boolean): CallOrigin {
  const accountId = account.id;
  if (key) return { channel: 'key', keyId: key.id, accountId };
  return { channel: isLocal ? 'command_line' : 'app', keyId: null, accountId };
}

/**
 * A hook that runs the rest of a request with its caller as the origin, for the audit log.
 * Not an async function: its context would end before the handler.
 */
export const keepOrigin =
  (isLocal: RouteDeps['isLocal']) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const caller: Caller | null = request.getDecorator('caller');
    runWithOrigin(caller && originOf(caller, isLocal(request.raw)), done);
  };

/** A hook that admits the app's session and the local socket. Throws `unauthorized`. */
export function requireSession(context: RouteDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    const session = findOwnSession(context, request);
    if (!session)
      throw new EngineError(
        'unauthorized',
        'This page has no session. Open the link that "desk open" prints.',
      );
    request.setDecorator('caller', readAppCaller(context, request));
    request.setDecorator('session', session.sessionId);
  };
}

/** Counts a request of a key and sets the rate limit headers. Throws `rate_limited`. */
function countRequest(
  window: RateWindow,
  key: KeyRow,
  reply: FastifyReply,
  requestsPerMinute = key.requestsPerMinute,
): void {
  const { allowed, remaining, resetSeconds } = window.take(key.id, requestsPerMinute);
  reply.headers({
    'ratelimit-limit': requestsPerMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
  });
  if (allowed) return;
  reply.header('retry-after', resetSeconds);
  throw new EngineError(
    'rate_limited',
    `This key has reached its limit of ${requestsPerMinute} requests in any 60 seconds. ` +
      `Try again in ${resetSeconds} s.`,
  );
}

/** Records the last use of a key, at most once a minute because each update is a synced write. */
function noteUse(context: RouteDeps, key: KeyRow, log: FastifyBaseLogger): void {
  const lastMs = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt);
  // The clock may have been set back since.
  if (Math.abs(context.now() - lastMs) < keyUseIntervalMs) return;
  context.environment.writer
    .touchKey({ id: key.id })
    .catch((error: unknown) => log.warn(error, 'recording the use of a key failed'));
}

/** Admits a caller. A request with a key is counted and its use recorded. Throws `rate_limited`. */
function admit(
  context: RouteDeps,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  request.setDecorator('caller', caller);
  if (caller.key === null) return;
  if (!context.isLocal(request.raw)) countRequest(context.rateWindow, caller.key, reply);
  noteUse(context, caller.key, request.log);
}

/** The caller by the request's API key, or by the session; null if there is neither. */
function readCaller(context: RouteDeps, request: FastifyRequest): Caller | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) return readKey(context, authorization);
  return findOwnSession(context, request) ? readAppCaller(context, request) : null;
}

/** Direct lookups: one `token` in the query, which is counted. Throws `unauthorized`. */
export function requireToken(context: RouteDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { token } = request.query as { token?: string | string[] };
    const caller = typeof token === 'string' ? findCaller(context, token) : null;
    if (!caller) {
      reply.header('www-authenticate', 'Token in="query", name="token"');
      throw new EngineError(
        'unauthorized',
        'The API token is missing or invalid. Send it once in the query: ?token=<API_TOKEN>.',
      );
    }
    admit(context, caller, request, reply);
  };
}

/** REST routes: admits an API key, which is counted, or the app. Throws `unauthorized`. */
export function requireKey(context: RouteDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = readCaller(context, request);
    if (!caller) {
      reply.header('www-authenticate', 'Token');
      throw new EngineError('unauthorized');
    }
    admit(context, caller, request, reply);
  };
}

/** WWW-Authenticate with the metadata URL (RFC 9728) on the host that the client used. */
function challengeOf(context: RouteDeps, request: FastifyRequest): string {
  const metadata = `${baseUrlOf(request)}/.well-known/oauth-protected-resource`;
  const refused =
    request.headers.authorization === undefined
      ? ''
      : 'error="invalid_token", error_description="The token is unknown or revoked", ';
  return `Bearer ${refused}resource_metadata="${metadata}${context.basePath}/api/v1/mcp"`;
}

/**
 * The assistant that `desk mcp` acts for, by the id of its key; null if the request names none.
 * Only the local socket may use a key without its secret. Throws `unauthorized` if the key is
 * revoked.
 */
function readStdioCaller(context: RouteDeps, request: FastifyRequest): Caller | null {
  const named = request.headers['x-desk-client'];
  if (typeof named !== 'string' || !context.isLocal(request.raw)) return null;
  const { account } = readAppCaller(context, request);
  const key = getKey(context.environment.database, account.id, named);
  if (key && key.revokedAt === null) return { account, keyScope: key.id, key };
  throw new EngineError(
    'unauthorized',
    key
      ? `The key "${key.label}" of this assistant has been revoked in Connections.`
      : 'X-Desk-Client is not a key of this account.',
  );
}

/**
 * A hook of the tool server: admits an API key, with its own rate limit window, or the app. Throws
 * `unauthorized` with the challenge that starts a client's authorization, and `rate_limited`.
 */
export function requireToolKey(context: RouteDeps & { readonly toolWindow: RateWindow }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = readStdioCaller(context, request) ?? readCaller(context, request);
    if (!caller) {
      reply.header('www-authenticate', challengeOf(context, request));
      throw new EngineError(
        'unauthorized',
        'The tool server needs a token: authorize this client, or send Authorization: Bearer ' +
          '<API_KEY> with a key from Connections.',
      );
    }
    request.setDecorator('caller', caller);
    if (caller.key === null) return;
    const { toolWindow } = context;
    if (!context.isLocal(request.raw))
      countRequest(toolWindow, caller.key, reply, toolWindow.requestsMax);
    noteUse(context, caller.key, request.log);
  };
}
