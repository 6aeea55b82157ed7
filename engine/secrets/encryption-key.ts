// Location of the key that encrypts secrets: the system's keychain, or `engine.key` in the data
// folder if no keychain responds (docs/webhooks.md, "Where secrets are").
//
//   none yet ──first secret──> keychain ──stops responding──> unavailable (retried) ──> keychain
//       └──no keychain responds──> file
//
// An existing key is never replaced silently: while its keychain does not respond, secrets cannot
// be used.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { keychainRetryMs } from '../contract/limits/secrets.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { type Keychain, KeychainFailure } from './keychain-client.ts';
import { createSecretBox, type SecretBox, secretKeyBytes } from './secret-box.ts';
import { readSecretKey, type SecretKeyRow, writeSecretKey } from './secret-key.table.ts';

export interface Secrets {
  /** What seals and opens secrets. Throws `secrets_unavailable` while its key is out of reach. */
  open(): Promise<SecretBox>;
  /** Where the key is. Creates the key if there is none yet. */
  describe(): Promise<SecretKey>;
}

interface SecretDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly keychain: Pick<Keychain, 'readOrWrite'>;
  now(): Date;
}

const fileName = 'engine.key';

const sentences: Readonly<Record<'keychain' | 'file', string>> = {
  keychain: 'secrets are encrypted with a key in the system keychain',
  file:
    'no keychain is used, so secrets are encrypted with engine.key in the data folder, which ' +
    'only your user can read and backups do not contain: keep the folder private',
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
    'engine.key in the data folder is damaged. Restore the original file, or move it away and ' +
      'rotate the secret of every webhook.',
  );
}

/** A new key that only the user can read, synced to disk before it encrypts anything. */
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
    const name = `key of the ${environment} environment`;
    const text = await deps.keychain.readOrWrite(name, fallback);
    return found(Buffer.from(text, 'base64'), 'keychain');
  } catch (cause) {
    // A key in the keychain must not be abandoned because the keychain fails to respond once.
    const isStopping = cause instanceof KeychainFailure && cause.reason === 'stopped';
    if (isStopping || known?.place === 'keychain')
      throw new EngineError('secrets_unavailable', undefined, { cause });
    return found(writeFileKey(folder), 'file');
  }
}

/** Creates the access to secrets. No key is read or created before the first use. */
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
