/**
 * Where the key is that seals secrets: in the system's keychain; where none answers, in
 * `engine.key` of the data folder (docs/rules.md, "Keys and secrets").
 *
 *   none yet ──first secret──> keychain ──it answers no more──> unavailable (asked again) ──>
 * keychain
 *       └──no keychain answers──> file
 *
 * A key that was made is never replaced silently: while its keychain does not answer, secrets wait.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { keychainRetryMs } from '../contract/limits/secrets.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import type { KeychainQuestion } from './keychain.ts';
import { createSecretBox, type SecretBox, secretKeyBytes } from './secret-box.ts';
import { readSecretKey, type SecretKeyRow, writeSecretKey } from './secret-key.table.ts';

/** Asks the system's keychain; rejects where it gives no answer. */
export type AskKeychain = (question: KeychainQuestion) => Promise<string>;

/** The way to secrets. */
export interface Secrets {
  /** The box that seals and opens. Throws `secrets_unavailable` while its key is out of reach. */
  open(): Promise<SecretBox>;
  /** Where the key is, making one where there is none yet. */
  describe(): Promise<SecretKey>;
}

/** What keeping the key needs. */
interface SecretDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly askKeychain: AskKeychain;
  now(): Date;
}

const fileName = 'engine.key';

const sentences: Readonly<Record<'keychain' | 'file', string>> = {
  keychain: "secrets are sealed with a key in the system's keychain",
  file:
    'no keychain answered, so secrets are sealed with engine.key in the data folder, which only ' +
    'your user may read and no backup holds: keep the folder to yourself',
};

function readFileKey(folder: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(join(folder, fileName), 'utf8').trim(), 'base64');
    if (key.length === secretKeyBytes) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new EngineError(
    'secrets_unavailable',
    'engine.key in the data folder is damaged. Put back the file as it was; or move it away, and ' +
      'then give every webhook a new secret.',
  );
}

/** Writes a new key for the user's eyes alone, durably before anything is sealed with it. */
function writeFileKey(folder: string): Buffer {
  const key = randomBytes(secretKeyBytes);
  const file = openSync(join(folder, fileName), 'wx', 0o600);
  try {
    writeSync(file, `${key.toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(folder);
  return key;
}

/** Decides where the key is, and gets it. */
async function findKey(deps: SecretDeps): Promise<{ key: Buffer } & SecretKeyRow> {
  const { database, folder, environment } = deps;
  const found = (key: Buffer, place: SecretKeyRow['place']) => {
    const row = { place, keyId: createSecretBox(key).keyId };
    writeSecretKey(database, row);
    return { key, ...row };
  };
  const ofFile = readFileKey(folder);
  if (ofFile) return found(ofFile, 'file');
  const known = readSecretKey(database);
  try {
    const fallback = randomBytes(secretKeyBytes).toString('base64');
    const text = await deps.askKeychain({
      name: `key of the ${environment} environment`,
      fallback,
    });
    return found(Buffer.from(text, 'base64'), 'keychain');
  } catch (cause) {
    // What was sealed with a key of the keychain must not be given up for a moment's silence.
    if (known?.place === 'keychain')
      throw new EngineError('secrets_unavailable', undefined, { cause });
    return found(writeFileKey(folder), 'file');
  }
}

/** Opens the way to secrets; nothing is asked or made before the first use. */
export function openEncryptionKey(deps: SecretDeps): Secrets {
  let finding: Promise<{ box: SecretBox; place: SecretKeyRow['place'] }> | null = null;
  let failedAtMs: number | null = null;
  const find = async () => {
    const { key, place } = await findKey(deps);
    return { box: createSecretBox(key), place };
  };
  const open = () => {
    const nowMs = deps.now().getTime();
    if (failedAtMs !== null && Math.abs(nowMs - failedAtMs) >= keychainRetryMs) finding = null;
    if (finding) return finding;
    failedAtMs = null;
    finding = find();
    finding.catch(() => {
      failedAtMs = deps.now().getTime();
    });
    return finding;
  };
  return {
    open: async () => (await open()).box,
    describe: async () => {
      try {
        const { place } = await open();
        return { place, detail: sentences[place] };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { place: 'unavailable', detail: error.detail };
      }
    },
  };
}
