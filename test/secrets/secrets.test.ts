// Secrets at rest: encrypted for their row, with a key from the keychain or from engine.key.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { openEncryptionKey } from '../../engine/secrets/encryption-key.ts';
import { type Keychain, KeychainFailure } from '../../engine/secrets/keychain-client.ts';
import { createSecretBox, SecretUnreadable } from '../../engine/secrets/secret-box.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';

const box = createSecretBox(Buffer.alloc(32, 7));

test('an encrypted secret is decrypted for its row, and hides its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string(), (secret, row) => {
      const sealed = box.seal(secret, row);
      expect(box.open(sealed, row)).toBe(Buffer.from(secret).toString('utf8'));
      expect(box.seal(secret, row).equals(sealed)).toBe(false);
    }),
  );
  expect(box.seal('whsec_abc', 'webhook:1').includes('whsec_abc')).toBe(false);
});

test('a secret that was changed, or moved to another row, is not decrypted', () => {
  const sealed = box.seal('whsec_abc', 'webhook:1');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = changed[at]! ^ 1;
    expect(() => box.open(changed, 'webhook:1')).toThrow(SecretUnreadable);
  }
  expect(() => box.open(sealed, 'webhook:2')).toThrow(SecretUnreadable);
  expect(() => box.open(sealed.subarray(0, 30), 'webhook:1')).toThrow(SecretUnreadable);
  expect(() => createSecretBox(Buffer.alloc(32, 8)).open(sealed, 'webhook:1')).toThrow(
    SecretUnreadable,
  );
});

/** A keychain with one entry, which can stop answering. */
function openKeychain() {
  const keychain = {
    text: null as string | null,
    questions: 0,
    isSilent: false,
    isStopped: false,
  };
  const ask: Keychain['readOrWrite'] = async (_name, fallback) => {
    keychain.questions += 1;
    if (keychain.isStopped) throw new KeychainFailure('stopped', 'the engine is stopping');
    if (keychain.isSilent) throw new KeychainFailure('late', 'it does not answer');
    keychain.text ??= fallback;
    return keychain.text;
  };
  return { keychain, ask };
}

/** A data folder, opened as each start of the engine does. */
function openFolder(readOrWrite: Keychain['readOrWrite']) {
  const folder = makeTemporaryFolder();
  const state = { now: new Date('2026-11-20T10:00:00Z') };
  const open = () => {
    const database = openStore(folder);
    const secrets = openEncryptionKey({
      database,
      folder,
      environment: 'live',
      keychain: { readOrWrite },
      now: () => state.now,
    });
    return { database, secrets };
  };
  return { folder, state, open, keyPath: join(folder, 'engine.key') };
}

test('the key is in the keychain, created at its first use and not before, and in no file', async () => {
  const { keychain, ask } = openKeychain();
  const { open, keyPath } = openFolder(ask);
  const { secrets, database } = open();
  expect(keychain.questions).toBe(0);
  const sealed = (await secrets.open()).seal('a', 'b');
  expect((await secrets.describe()).place).toBe('keychain');
  expect([keychain.questions, existsSync(keyPath)]).toEqual([1, false]);
  database.close();
  const later = open();
  expect((await later.secrets.open()).open(sealed, 'b')).toBe('a');
  later.database.close();
});

test('without a keychain it is engine.key, private to the user, and stays there', {
  tags: ['posix'],
}, async () => {
  const { keychain, ask } = openKeychain();
  keychain.isSilent = true;
  const { open, keyPath } = openFolder(ask);
  const { secrets, database } = open();
  const sealed = (await secrets.open()).seal('a', 'b');
  expect(await secrets.describe()).toMatchObject({
    place: 'file',
    detail: expect.stringContaining('engine.key'),
  });
  expect(statSync(keyPath).mode & 0o777).toBe(0o600);
  database.close();
  keychain.isSilent = false;
  const later = open();
  expect((await later.secrets.open()).open(sealed, 'b')).toBe('a');
  expect((await later.secrets.describe()).place).toBe('file');
  later.database.close();
});

test('a keychain that stops answering creates no other key: secrets wait, and it is asked again', async () => {
  const { keychain, ask } = openKeychain();
  const { open, state, keyPath } = openFolder(ask);
  const first = open();
  const sealed = (await first.secrets.open()).seal('a', 'b');
  first.database.close();
  keychain.isSilent = true;
  const { secrets, database } = open();
  await expect(secrets.open()).rejects.toMatchObject({ code: 'secrets_unavailable' });
  expect((await secrets.describe()).place).toBe('unavailable');
  expect(existsSync(keyPath)).toBe(false);
  keychain.isSilent = false;
  await expect(secrets.open()).rejects.toMatchObject({ code: 'secrets_unavailable' });
  state.now = new Date(state.now.getTime() + 60_000);
  expect((await secrets.open()).open(sealed, 'b')).toBe('a');
  database.close();
});

test('an engine that stops while it asks creates no key', async () => {
  const { keychain, ask } = openKeychain();
  const { open, keyPath } = openFolder(ask);
  const { secrets, database } = open();
  keychain.isStopped = true;
  await expect(secrets.open()).rejects.toMatchObject({ code: 'secrets_unavailable' });
  expect(existsSync(keyPath)).toBe(false);
  database.close();
});

test('a damaged engine.key is refused and left unchanged', async () => {
  const { open, keyPath } = openFolder(openKeychain().ask);
  writeFileSync(keyPath, 'half a key');
  const { secrets, database } = open();
  await expect(secrets.open()).rejects.toMatchObject({ code: 'secrets_unavailable' });
  expect(readFileSync(keyPath, 'utf8')).toBe('half a key');
  database.close();
});
