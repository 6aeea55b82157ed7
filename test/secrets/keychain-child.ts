// Encrypts a secret and decrypts it after a restart, with the available keychain; prints the
// result.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { openEncryptionKey } from '../../engine/secrets/encryption-key.ts';
import { openKeychain } from '../../engine/secrets/keychain-client.ts';

const folder = process.argv[2] ?? '';
mkdirSync(folder, { recursive: true });
const now = () => new Date();

/** Opens the folder as an engine's start does. */
async function start<Value>(
  work: (secrets: ReturnType<typeof openEncryptionKey>) => Promise<Value>,
): Promise<Value> {
  const database = openStore(folder);
  const keychain = openKeychain();
  try {
    return await work(openEncryptionKey({ database, folder, environment: 'live', keychain, now }));
  } finally {
    keychain.stop();
    database.close();
  }
}

const sealed = await start(async (secrets) =>
  (await secrets.open()).seal('whsec_ä🔑', 'webhook:1'),
);
const found = await start(async (secrets) => ({
  opened: (await secrets.open()).open(sealed, 'webhook:1'),
  place: (await secrets.describe()).place,
}));
console.log(JSON.stringify({ ...found, hasFile: existsSync(join(folder, 'engine.key')) }));
