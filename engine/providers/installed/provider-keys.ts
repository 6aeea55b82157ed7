/**
 * The user's keys at data services. A key is sealed for its provider and for the hosts of the
 * definition: it is not sent to the hosts of another definition with the same name.
 */
import { EngineError } from '../../contract/errors.ts';
import { ProviderError } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { Secrets } from '../../secrets/encryption-key.ts';
import { SecretUnreadable } from '../../secrets/secret-box.ts';
import { listKeys, type ProviderKeyRow } from './provider-key.table.ts';

/** What the keys need from outside. */
export interface ProviderKeyDeps {
  readonly database: WritableDatabase;
  readonly secrets: Secrets;
}

/** A provider, and the hosts that receive its key. */
export interface KeyOwner {
  readonly id: string;
  readonly hosts: readonly string[];
}

const sortedHosts = ({ hosts }: KeyOwner): string[] => [...new Set(hosts)].sort();

const secretIdentity = (owner: KeyOwner): string =>
  `provider_key:${JSON.stringify([owner.id, sortedHosts(owner)])}`;

/** Whether a stored key was entered for the hosts of a definition. */
export const isKeyOf = (row: ProviderKeyRow | undefined, owner: KeyOwner): boolean =>
  row !== undefined && JSON.stringify(row.hosts) === JSON.stringify(sortedHosts(owner));

/** Seals a key. Throws `secrets_unavailable`. */
export async function sealKey(
  { secrets }: ProviderKeyDeps,
  owner: KeyOwner,
  key: string,
): Promise<ProviderKeyRow> {
  const box = await secrets.open();
  const sealed = box.seal(key, secretIdentity(owner));
  return { provider: owner.id, key: sealed, hosts: sortedHosts(owner) };
}

/**
 * Opens the key of a provider; null if it has none for these hosts. Throws ProviderError:
 * `unavailable` while the encryption key is out of reach, `bad_key` if it has changed.
 */
export async function openKey(deps: ProviderKeyDeps, owner: KeyOwner): Promise<string | null> {
  const row = listKeys(deps.database).get(owner.id);
  if (!row || !isKeyOf(row, owner)) return null;
  try {
    return (await deps.secrets.open()).open(row.key, secretIdentity(owner));
  } catch (error) {
    if (error instanceof EngineError) throw new ProviderError('unavailable', error.detail);
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new ProviderError(
      'bad_key',
      'The key was encrypted with another key and cannot be decrypted. Enter it again.',
    );
  }
}
