/**
 * Whose request it is: an API key, the app's own session, or the local socket (decisions.md, "Keys
 * and secrets").
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { keyUseIntervalMs } from '../contract/limits.ts';
import { hashKey } from '../domain/keep-key.ts';
import { type AccountRow, getAccount, getAccountById, listAccounts } from '../store/account.ts';
import { findKeyByHash, type KeyRow } from '../store/api-key.ts';
import type { ApiServer, ServerContext } from './server-context.ts';

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

function readKey(context: ServerContext, authorization: string): Caller | null {
  const key = /^(?:token|bearer) +(\S+) *$/i.exec(authorization)?.[1];
  if (key === undefined) return null;
  const { database } = context.world;
  const found = findKeyByHash(database, hashKey(key));
  if (!found || found.revokedAt !== null) return null;
  const account = getAccountById(database, found.accountId);
  return account && { account, keyScope: found.id, key: found };
}

function isOwnSession(context: ServerContext, request: FastifyRequest): boolean {
  if (context.isLocal(request.raw)) return true;
  const given = request.headers['x-desk-session'];
  // Digests are of one length whatever was given, so that the comparison tells nothing.
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(context.sessionToken));
}

/** The account that the app acts for: X-Desk-Account, else the installation's first. */
function readAppCaller(context: ServerContext, request: FastifyRequest): Caller {
  const { database } = context.world;
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
export function requireSession(context: ServerContext) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isOwnSession(context, request))
      throw new EngineError(
        'unauthorized',
        'This page has no session. Open the link that the app printed at its start, or a new one.',
      );
    request.setDecorator('caller', readAppCaller(context, request));
  };
}

/** Counts a request of a key, and says so in headers. Throws `rate_limited`. */
function countRequest(context: ServerContext, caller: Caller, reply: FastifyReply): void {
  const { allowed, remaining, resetSeconds } = context.rateWindow.take(caller.keyScope);
  reply.headers({
    'ratelimit-limit': context.rateWindow.requestsMax,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
  });
  if (allowed) return;
  reply.header('retry-after', resetSeconds);
  throw new EngineError(
    'rate_limited',
    `This key made ${context.rateWindow.requestsMax} requests in the last minute. ` +
      `Go on in ${resetSeconds} s.`,
  );
}

/** Notes when a key was used, once a minute: every note is a synced write. */
function noteUse(context: ServerContext, key: KeyRow, log: FastifyBaseLogger): void {
  const lastMs = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt);
  if (context.now() - lastMs < keyUseIntervalMs) return;
  context.world.writer
    .touchKey({ id: key.id })
    .catch((error: unknown) => log.warn(error, 'the use of a key was not noted'));
}

/** A hook of the REST routes: a key, counted, or the app itself. Throws `unauthorized`. */
export function requireKey(context: ServerContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers;
    const caller =
      authorization === undefined
        ? isOwnSession(context, request) && readAppCaller(context, request)
        : readKey(context, authorization);
    if (!caller) {
      reply.header('www-authenticate', 'Token');
      throw new EngineError('unauthorized');
    }
    request.setDecorator('caller', caller);
    if (caller.key === null) return;
    if (!context.isLocal(request.raw)) countRequest(context, caller, reply);
    noteUse(context, caller.key, request.log);
  };
}
