// Encrypts a secret and decrypts it after a restart, with the available keychain; prints the
// result. With `provider`, also stores, reads and removes a key of a data service.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import {
  createProviderKeys,
  type ProviderKeys,
} from '../../engine/providers/installed/provider-keys.ts';
import {
  deleteSetting,
  writeSetting,
} from '../../engine/providers/waterfall/provider-setting.table.ts';
import { openEncryptionKey, type Secrets } from '../../engine/secrets/encryption-key.ts';
import { openKeychain } from '../../engine/secrets/keychain-client.ts';
import { listUnusedEntries } from '../../engine/secrets/unused-entry.table.ts';

const [, , folder = '', what] = process.argv;
mkdirSync(folder, { recursive: true });
const now = () => new Date();

interface Started {
  readonly secrets: Secrets;
  readonly keys: ProviderKeys;
  readonly database: WritableDatabase;
}

/** Opens the folder as an engine's start does. */
async function start<Value>(work: (started: Started) => Promise<Value>): Promise<Value> {
  const database = openStore(folder);
  const keychain = openKeychain();
  const secrets = openEncryptionKey({ database, folder, environment: 'live', keychain, now });
  const keys = createProviderKeys({ database, secrets, keychain, now });
  try {
    return await work({ secrets, keys, database });
  } finally {
    keychain.stop();
    database.close();
  }
}

const sealed = await start(async ({ secrets }) =>
  (await secrets.open()).seal('whsec_ä🔑', 'webhook:1'),
);
const found = await start(async ({ secrets }) => ({
  opened: (await secrets.open()).open(sealed, 'webhook:1'),
  place: (await secrets.describe()).place,
}));

const owner = { id: 'finder', hosts: ['api.finder.example'] };
const key = 'key-of-finder';

async function keepProviderKey() {
  const caps = { capJobUnits: null, capDayUnits: null, capMonthUnits: null };
  const setting = { provider: owner.id, isOn: false, ...caps, repeatsUncertain: false };
  await start(({ keys, database }) =>
    keys.store(owner, key, () => writeSetting(database, setting)),
  );
  const read = await start(async ({ keys }) => ({
    providerKey: await keys.read(owner),
    keyPlace: (await keys.describe()).get(owner.id),
  }));
  const files = readdirSync(folder).filter((name) => name !== 'jobs');
  const isInFile = files.some((name) => readFileSync(join(folder, name)).includes(key));
  const left = await start(async ({ keys, database }) => {
    await keys.remove(owner.id, () => deleteSetting(database, owner.id));
    return listUnusedEntries(database);
  });
  return { ...read, isInFile, left };
}

const used = what === 'provider' ? await keepProviderKey() : {};
const hasFile = existsSync(join(folder, 'engine.key'));
console.log(JSON.stringify({ ...found, ...used, hasFile }));
