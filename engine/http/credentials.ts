/**
 * Whose request it is: an API key, the app's own session, or the local socket (docs/rules.md, "Keys
 * and secrets").
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountRow,
  getAccount,
  getAccountById,
  listAccounts,
} from '../accounts/account.table.ts';
import { findKeyByHash, getKey, type KeyRow } from '../accounts/api-key.table.ts';
import { hashKey } from '../accounts/api-keys.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { keyUseIntervalMs } from '../contract/limits/accounts.ts';
import { baseUrlOf } from './guards.ts';
import type { RateWindow } from './rate-window.ts';
import type { ApiServer, RouteDeps } from './route-deps.ts';

/** Who asks. */
export interface Caller {
  /** The account that acts and pays. */
  readonly account: AccountRow;
  /** What idempotency keys and the rate limit count by. */
  readonly keyScope: string;
  /** The API key; null for the app and the local socket. */
  readonly key: KeyRow | null;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The account that a key opens; null where it opens none, or no more. */
function findCaller(context: RouteDeps, key: string): Caller | null {
  const { database } = context.environment;
  const found = findKeyByHash(database, hashKey(key));
  if (!found || found.revokedAt !== null) return null;
  const account = getAccountById(database, found.accountId);
  return account && { account, keyScope: found.id, key: found };
}

function readKey(context: RouteDeps, authorization: string): Caller | null {
  const key = /^(?:token|bearer) +(\S+) *$/i.exec(authorization)?.[1];
  return key === undefined ? null : findCaller(context, key);
}

function isOwnSession(context: RouteDeps, request: FastifyRequest): boolean {
  if (context.isLocal(request.raw)) return true;
  const sentToken = request.headers['x-desk-session'];
  // Digests are of one length whatever was given, so that the comparison tells nothing.
  return (
    typeof sentToken === 'string' &&
    timingSafeEqual(digest(sentToken), digest(context.sessionToken))
  );
}

/** The account that the app acts for: X-Desk-Account, else the installation's first. */
function readAppCaller(context: RouteDeps, request: FastifyRequest): Caller {
  const { database } = context.environment;
  const named = request.headers['x-desk-account'];
  const account =
    named === undefined
      ? listAccounts(database)[0]
      : UuidSchema.safeParse(named).success && getAccount(database, named.toString().toLowerCase());
  if (!account)
    throw new EngineError(
      'not_found',
      'X-Desk-Account names no account. List them with /accounts.',
    );
  return { account, keyScope: `app:${account.uuid}`, key: null };
}

/** Whose request it is, once a hook of `requireKey` or `requireSession` has found out. */
export const callerOf = (request: FastifyRequest): Caller => request.getDecorator('caller');

/** Makes `callerOf` possible on a server. */
export const decorateCaller = (server: ApiServer) => server.decorateRequest('caller', null);

/** A hook that lets the app and the local socket in. Throws `unauthorized`. */
export function requireSession(context: RouteDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isOwnSession(context, request))
      throw new EngineError(
        'unauthorized',
        'This page has no session. Open the link that the app printed at its start, or a new one.',
      );
    request.setDecorator('caller', readAppCaller(context, request));
  };
}

/** Counts a request of a key in a window, and says so in headers. Throws `rate_limited`. */
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
    `This key may make ${requestsPerMinute} requests in any 60 seconds and has made them. ` +
      `Go on in ${resetSeconds} s.`,
  );
}

/** Notes when a key was used, once a minute: every note is a synced write. */
function noteUse(context: RouteDeps, key: KeyRow, log: FastifyBaseLogger): void {
  const lastMs = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt);
  if (context.now() - lastMs < keyUseIntervalMs) return;
  context.environment.writer
    .touchKey({ id: key.id })
    .catch((error: unknown) => log.warn(error, 'the use of a key was not noted'));
}

/** Lets a caller in: one with a key is counted, and its use noted. Throws `rate_limited`. */
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

/** Whose key a request's header carries, or else whose session; null where it is nobody's. */
function readCaller(context: RouteDeps, request: FastifyRequest): Caller | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) return readKey(context, authorization);
  return isOwnSession(context, request) ? readAppCaller(context, request) : null;
}

/**
 * A hook of the direct lookups: a key as `token` in the query, once, and nothing else; counted.
 * Throws `unauthorized` (specification, "Authentication", 3).
 */
export function requireToken(context: RouteDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { token } = request.query as { token?: string | string[] };
    const caller = typeof token === 'string' ? findCaller(context, token) : null;
    if (!caller) {
      reply.header('www-authenticate', 'Token in="query", name="token"');
      throw new EngineError(
        'unauthorized',
        'The API token is missing or not valid. Send it once in the query: ?token=<API_TOKEN>.',
      );
    }
    admit(context, caller, request, reply);
  };
}

/** A hook of the REST routes: a key, counted, or the app itself. Throws `unauthorized`. */
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

/** Where a client learns how to be let in: RFC 9728, for the address that it used itself. */
function challengeOf(context: RouteDeps, request: FastifyRequest): string {
  const metadata = `${baseUrlOf(request)}/.well-known/oauth-protected-resource`;
  const refused =
    request.headers.authorization === undefined
      ? ''
      : 'error="invalid_token", error_description="The token is unknown or revoked", ';
  return `Bearer ${refused}resource_metadata="${metadata}${context.basePath}/api/v1/mcp"`;
}

/**
 * The assistant for which `desk mcp` asks, by the key that its name stands for; null where the
 * request names none. Only the local socket may act by a key whose secret it does not send. Throws
 * `unauthorized` where the key is revoked.
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
      ? `The key "${key.label}", by which this assistant acts, has been revoked in Connections.`
      : 'X-Desk-Client names no key of this account.',
  );
}

/**
 * A hook of the tool server: a key, counted in a window of its own, or the app itself. Throws
 * `unauthorized` with the challenge that begins a client's authorization, and `rate_limited`.
 */
export function requireToolKey(context: RouteDeps & { readonly toolWindow: RateWindow }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = readStdioCaller(context, request) ?? readCaller(context, request);
    if (!caller) {
      reply.header('www-authenticate', challengeOf(context, request));
      throw new EngineError(
        'unauthorized',
        'The tool server needs a token: authorize this client, or send Authorization: Bearer ' +
          '<API_KEY> with a key made in Connections.',
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
