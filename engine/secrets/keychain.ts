/**
 * The system's keychain: one text per name, in the Secret Service on Linux, Keychain on macOS and
 * Credential Manager on Windows. A call may block for any time, so it is made in a separate process
 * or thread (secrets/keychain-client.ts).
 */
import { AsyncEntry } from '@napi-rs/keyring';

/** A call: reads the text of a name, and writes `fallback` if there is none. */
export interface KeychainQuestion {
  readonly name: string;
  readonly fallback: string;
}

const product = 'Enrichment Desk';

/**
 * Reads the text of a name; if there is none, writes `fallback` and reads it back. Throws if no
 * keychain responds, or it is locked.
 */
export async function readOrWriteKeychain({ name, fallback }: KeychainQuestion): Promise<string> {
  // Set explicitly: the Linux binding falls back silently to the kernel's keyring, which is empty
  // after a restart. Without a Secret Service, this throws.
  const entry = new AsyncEntry(product, name, { linux: { store: 'secret-service' } });
  const found = await entry.getPassword();
  if (found !== null) return found;
  // A locked keychain returns null on reads and fails only on writes.
  await entry.setPassword(fallback);
  const kept = await entry.getPassword();
  if (kept === null) throw new Error('the keychain did not store the key');
  return kept;
}
