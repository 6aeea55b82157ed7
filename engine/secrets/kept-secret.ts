// A secret that is in an entry of the keychain alone; where no keychain responds, it is sealed by
// engine.key. Every secret is bound to an identity, so that a changed database cannot send it
// elsewhere (decision 040).
import { createHash, randomUUID } from 'node:crypto';
import { EngineError } from '../contract/errors.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { Secrets } from './encryption-key.ts';
import { type Keychain, KeychainFailure } from './keychain-client.ts';
import { SecretUnreadable } from './secret-box.ts';
import { markUnused, unmarkUnused } from './unused-entry.table.ts';

export type KeptSecret =
  | { readonly entry: string; readonly sealed: null }
  | { readonly entry: null; readonly sealed: Buffer };

export interface KeepDeps {
  readonly database: WritableDatabase;
  readonly secrets: Secrets;
  readonly keychain: Omit<Keychain, 'readOrWrite'>;
}

/** A secret that cannot be read: `missing` forever, or `unavailable` now. */
export interface SecretProblem {
  readonly problem: 'missing' | 'unavailable';
  readonly reason: 'other_key' | 'no_entry' | 'keychain' | 'engine_key';
  readonly detail: string;
}

const digestOf = (identity: string): string =>
  `${createHash('sha256').update(identity).digest('base64url')} `;

/**
 * Puts a secret where it is kept. A new entry of the keychain is marked as unused: end the mark in
 * the transaction that stores it, so that an engine that ends in between leaves none behind. Throws
 * `secrets_unavailable`.
 * @param before the entry that it replaces, if any
 */
export async function keepSecret(
  { database, secrets, keychain }: KeepDeps,
  secret: {
    readonly name: string;
    readonly identity: string;
    readonly text: string;
    readonly before: string | null;
    readonly refusal: string;
  },
): Promise<KeptSecret> {
  const { identity, text, before, refusal } = secret;
  const entry = before ?? `${secret.name}, ${randomUUID()}`;
  if (before === null) markUnused(database, entry);
  try {
    await keychain.write(entry, digestOf(identity) + text);
    return { entry, sealed: null };
  } catch (cause) {
    const reason = cause instanceof KeychainFailure ? cause.reason : 'refused';
    if (before === null && reason === 'refused') unmarkUnused(database, entry);
    // A secret leaves the keychain only where engine.key protects every other one.
    const isFile = reason !== 'stopped' && (await secrets.describe()).place === 'file';
    if (!isFile) throw new EngineError('secrets_unavailable', refusal, { cause });
    return { entry: null, sealed: (await secrets.open()).seal(text, identity) };
  }
}

/** Reads a secret. Rejects only for bugs. */
export async function readKeptSecret(
  { secrets, keychain }: Pick<KeepDeps, 'secrets' | 'keychain'>,
  kept: KeptSecret,
  identity: string,
): Promise<{ readonly text: string } | SecretProblem> {
  if (kept.entry === null)
    try {
      return { text: (await secrets.open()).open(kept.sealed, identity) };
    } catch (error) {
      if (error instanceof EngineError)
        return { problem: 'unavailable', reason: 'engine_key', detail: error.detail };
      if (!(error instanceof SecretUnreadable)) throw error;
      return { problem: 'missing', reason: 'other_key', detail: '' };
    }
  try {
    const text = await keychain.read(kept.entry);
    const digest = digestOf(identity);
    if (text?.startsWith(digest)) return { text: text.slice(digest.length) };
    return { problem: 'missing', reason: 'no_entry', detail: '' };
  } catch {
    return { problem: 'unavailable', reason: 'keychain', detail: '' };
  }
}
