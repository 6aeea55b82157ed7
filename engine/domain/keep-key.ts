/** API keys: made at random, shown once, kept as SHA-256 (decisions.md, "Keys and secrets"). */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Key } from '../contract/app.ts';
import { EngineError } from '../contract/errors.ts';
import type { WorldName } from '../contract/ids.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import { insertKey, type KeyRow, listKeys, revokeKey } from '../store/api-key.ts';

const prefixes: Readonly<Record<WorldName, string>> = { live: 'sk_live_', test: 'sk_test_' };

/** Characters of a key that may be shown later: its kind and the first few of its own. */
const shownCharacters = 12;

/** What is kept of a key: its SHA-256 in lower-case hexadecimal. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** An API key as lists show it. */
export const describeKey = (key: KeyRow): Key => ({
  id: key.id,
  label: key.label,
  prefix: key.prefix,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
});

/** Makes a key of a world; the answer is the only place where it is ever seen. */
export function createKey(
  database: WritableDatabase,
  world: WorldName,
  command: { accountId: number; label: string },
  now: Date,
): { id: string; key: string; label: string } {
  const id = randomUUID();
  const key = prefixes[world] + randomBytes(32).toString('base64url');
  insertKey(database, {
    id,
    accountId: command.accountId,
    label: command.label,
    prefix: key.slice(0, shownCharacters),
    hash: hashKey(key),
    at: now.toISOString(),
  });
  return { id, key, label: command.label };
}

/** Revokes a key of an account for good. Throws `not_found`. */
export function revokeAccountKey(
  database: WritableDatabase,
  command: { accountId: number; id: string },
  now: Date,
): Key {
  revokeKey(database, command.accountId, command.id, now.toISOString());
  const key = listKeys(database, command.accountId).find((one) => one.id === command.id);
  if (!key) throw new EngineError('not_found', 'There is no such key.');
  return describeKey(key);
}
