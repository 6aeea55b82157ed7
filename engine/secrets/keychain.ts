// The system's keychain: one text per name, in the Secret Service on Linux, Keychain on macOS and
// Credential Manager on Windows. A call may block for any time, so it is made in a separate process
// or thread (secrets/keychain-client.ts).
import { AsyncEntry } from '@napi-rs/keyring';

/** A call. Names are those of the product's own entries. */
export type KeychainQuestion =
  /** Reads the text of a name, and writes `fallback` if there is none. */
  | { readonly act: 'read_or_write'; readonly name: string; readonly fallback: string }
  /** Reads the text of a name; null if there is none. */
  | { readonly act: 'read'; readonly name: string }
  | { readonly act: 'write'; readonly name: string; readonly text: string }
  /** Deletes a name. Does nothing if there is none. */
  | { readonly act: 'delete'; readonly name: string };

const product = 'Enrichment Desk';
/** An entry that is written and deleted to find out whether the keychain is locked. */
const probeName = 'check of the keychain';

// Set explicitly: the Linux binding falls back silently to the kernel's keyring, which is empty
// after a restart. Without a Secret Service, its calls throw.
const openEntry = (name: string): AsyncEntry =>
  new AsyncEntry(product, name, { linux: { store: 'secret-service' } });

async function write(name: string, text: string): Promise<string> {
  const entry = openEntry(name);
  await entry.setPassword(text);
  const kept = await entry.getPassword();
  if (kept === null) throw new Error('the keychain did not store the key');
  return kept;
}

/** Reads a text. A locked keychain may return null on reads, but it fails on writes. */
async function read(name: string): Promise<string | null> {
  const found = await openEntry(name).getPassword();
  if (found !== null) return found;
  await write(probeName, 'empty');
  await openEntry(probeName).deletePassword();
  return null;
}

async function remove(name: string): Promise<null> {
  if ((await read(name)) !== null) await openEntry(name).deletePassword();
  return null;
}

/** Makes a call. Throws if no keychain responds, or it is locked. */
export async function callKeychain(question: KeychainQuestion): Promise<string | null> {
  const { act, name } = question;
  if (act === 'read') return read(name);
  if (act === 'delete') return remove(name);
  if (act === 'write') return write(name, question.text);
  return (await openEntry(name).getPassword()) ?? write(name, question.fallback);
}
