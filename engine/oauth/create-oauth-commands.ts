// State of the authorization server: registered clients, codes for allowed requests, and the API
// key that each code is exchanged for once (OAuth 2.1 with PKCE; docs/api.md).
//
//   allowed ──issueCode──> code (60 s) ──redeemCode──> key ──revokeToken──> revoked
//                            └──redeemed twice: its key is revoked──────────^
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { findKeyByHash } from '../accounts/api-key.table.ts';
import { createKey, endKey, hashKey } from '../accounts/api-keys.ts';
import { removeLogin, setLogin } from '../accounts/logins.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { codeKeptMs, codeRememberedMs, oauthClientsMax } from '../contract/limits/oauth.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { type ClientRow, forgetClients, insertClient } from './oauth-client.table.ts';
import {
  bindCode,
  type CodeOrder,
  type CodeRow,
  findCode,
  forgetCodes,
  insertCode,
  spendCode,
} from './oauth-code.table.ts';
import { getConnection, insertConnection } from './oauth-connection.table.ts';

/** Why a code gives no key: an error code of RFC 6749 or RFC 8707, and a sentence. */
interface TokenRefusal {
  readonly error: 'invalid_grant' | 'invalid_target' | 'unauthorized_client';
  readonly detail: string;
}

interface RedeemCommand {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Null if it was not sent; then it is not compared. */
  readonly resource: string | null;
  /** The time of the request, ISO 8601 in UTC. */
  readonly at: string;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const shift = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

function registerClient(
  database: WritableDatabase,
  { name, redirectUris, at }: { name: string; redirectUris: readonly string[]; at: string },
): ClientRow {
  const id = `client_${randomBytes(16).toString('base64url')}`;
  const client = { id, name, redirectUris, createdAt: at };
  inTransaction(database, () => {
    insertClient(database, client);
    // Any client may register, so clients without an authorization are dropped.
    forgetClients(database, oauthClientsMax);
  });
  return client;
}

function issueCode(database: WritableDatabase, { at, ...order }: CodeOrder & { at: string }) {
  const code = randomBytes(32).toString('base64url');
  inTransaction(database, () => {
    forgetCodes(database, shift(at, -codeRememberedMs));
    insertCode(database, { ...order, hash: hashKey(code), expiresAt: shift(at, codeKeptMs) });
  });
  return { code };
}

const refuse = (error: TokenRefusal['error'], detail: string): TokenRefusal => ({ error, detail });

/** Whether a verifier matches a challenge (RFC 7636, 4.6). */
function isVerified(challenge: string, verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const [actual, expected] = [sha256(verifier), Buffer.from(challenge, 'base64url')];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Why a valid code gives this client no key; null if it does. */
function findFault(code: CodeRow, command: RedeemCommand): TokenRefusal | null {
  // A code that is valid for longer was issued by a clock that has been set back since.
  if (code.expiresAt <= command.at || code.expiresAt > shift(command.at, codeKeptMs))
    return refuse('invalid_grant', 'The code has expired. Start the authorization again.');
  if (code.clientId !== command.clientId || code.redirectUri !== command.redirectUri)
    return refuse('invalid_grant', 'The code was issued to another client or redirect_uri.');
  if (!isVerified(code.challenge, command.verifier))
    return refuse('invalid_grant', 'code_verifier does not match code_challenge.');
  if (command.resource !== null && code.resource !== null && command.resource !== code.resource)
    return refuse('invalid_target', 'resource is not the one that was authorized.');
  return null;
}

/** A code that is used twice has been stolen (RFC 6749, 4.1.2). */
function endReused(database: WritableDatabase, code: CodeRow, at: string): TokenRefusal {
  const { accountId, keyId } = code;
  if (keyId === null) return refuse('invalid_grant', 'The code was already used, without success.');
  endKey(database, { accountId, id: keyId }, at);
  return refuse(
    'invalid_grant',
    'The code was already used. The key that was issued for it has been revoked.',
  );
}

function redeemCode(
  database: WritableDatabase,
  environment: EnvironmentName,
  command: RedeemCommand,
) {
  return inTransaction(database, () => {
    const code = findCode(database, hashKey(command.code));
    if (!code) return refuse('invalid_grant', 'The code does not exist.');
    if (code.usedAt !== null) return endReused(database, code, command.at);
    // A code allows only one try, so that a verifier cannot be guessed.
    spendCode(database, code.hash, command.at);
    const fault = findFault(code, command);
    if (fault) return fault;
    const { id, key } = createKey(
      database,
      environment,
      {
        accountId: code.accountId,
        label: `MCP: ${code.clientName}`,
        byItself: true,
        capDayUnits: code.capDayUnits,
        capMonthUnits: code.capMonthUnits,
      },
      new Date(command.at),
    );
    bindCode(database, code.hash, id);
    const { clientId, clientName, redirectUri } = code;
    insertConnection(database, { keyId: id, clientId, clientName, redirectUri });
    return { key };
  });
}

function revokeToken(
  database: WritableDatabase,
  command: { token: string; clientId: string; at: string },
): TokenRefusal | null {
  const key = findKeyByHash(database, hashKey(command.token));
  // An unknown token is not an error: it is already invalid (RFC 7009, 2.2).
  if (!key) return null;
  if (getConnection(database, key.id)?.clientId !== command.clientId)
    return refuse('unauthorized_client', 'The token was issued to another client.');
  endKey(database, key, command.at, key.id);
  return null;
}

export const createOauthCommands = (
  database: WritableDatabase,
  environment: EnvironmentName,
  now: () => Date,
) => ({
  registerClient: async (command: Parameters<typeof registerClient>[1]) =>
    registerClient(database, command),
  /** The answer is the only place where the code is shown. */
  issueCode: async (command: CodeOrder & { at: string }) => issueCode(database, command),
  /** Exchanges a code for a key, once. A second use revokes the key of the first. */
  redeemCode: async (command: RedeemCommand) => redeemCode(database, environment, command),
  /** Revokes a key for the client that received it. Ignores unknown keys. */
  revokeToken: async (command: Parameters<typeof revokeToken>[1]) => revokeToken(database, command),
  /** Throws `validation_error` if another account has the email. */
  setLogin: async (command: Parameters<typeof setLogin>[1]) => setLogin(database, command, now()),
  removeLogin: async ({ accountId }: { accountId: number }) =>
    removeLogin(database, accountId, now()),
});

export type OauthCalls = ReturnType<typeof createOauthCommands>;
