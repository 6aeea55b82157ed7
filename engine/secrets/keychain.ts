/**
 * The system's keychain: one text a name, through the Secret Service on Linux, Keychain on macOS
 * and Credential Manager on Windows. A call may block for as long as the system likes: it is made
 * in a process or thread of its own (secrets/keychain-client.ts).
 */
import { AsyncEntry } from '@napi-rs/keyring';

/** What is asked of a keychain: the text of a name, and `fallback` is put in where it has none. */
export interface KeychainQuestion {
  readonly name: string;
  readonly fallback: string;
}

const product = 'Enrichment Desk';

/**
 * Reads the text of a name; where there is none, puts `fallback` in and reads that again. Throws
 * where no keychain answers, or it is locked.
 */
export async function readOrWriteKeychain({ name, fallback }: KeychainQuestion): Promise<string> {
  // Pinned: by default the Linux binding falls back, without a word, to the kernel's keyring, which
  // a restart empties. Without a service this throws.
  const entry = new AsyncEntry(product, name, { linux: { store: 'secret-service' } });
  const found = await entry.getPassword();
  if (found !== null) return found;
  // A locked keychain says "none" when it is read, and refuses only when it is written to.
  await entry.setPassword(fallback);
  const kept = await entry.getPassword();
  if (kept === null) throw new Error('the keychain did not keep what it was given');
  return kept;
}
