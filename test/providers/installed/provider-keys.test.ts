// Keys at data services: in the keychain for their hosts, sealed without one, in no answer.
import { expect, test } from 'vitest';
import { EngineError } from '../../../engine/contract/errors.ts';
import { ProviderKeySchema } from '../../../engine/contract/providers.ts';
import { listKeys } from '../../../engine/providers/installed/provider-key.table.ts';
import {
  createProviderKeys,
  type KeyOwner,
} from '../../../engine/providers/installed/provider-keys.ts';
import {
  deleteSetting,
  writeSetting,
} from '../../../engine/providers/waterfall/provider-setting.table.ts';
import { createSecretBox } from '../../../engine/secrets/secret-box.ts';
import { listUnusedEntries } from '../../../engine/secrets/unused-entry.table.ts';
import { openTemporaryStore } from '../../migrations/temporary-store.ts';
import { openMemoryKeychain } from '../../secrets/memory-keychain.ts';

const key = 'sk-0123456789-very-secret';
const owner = { id: 'finder', hosts: ['api.finder.example', 'files.finder.example'] };
const place = async (keys: { describe(): Promise<ReadonlyMap<string, string>> }) =>
  (await keys.describe()).get(owner.id);

/** An engine's data, opened as each start of the engine does. */
function openEngine({ boxKey = 1, enginePlace = 'keychain' as 'keychain' | 'file' } = {}) {
  const database = openTemporaryStore();
  const keychain = openMemoryKeychain();
  const state = {
    boxKey,
    enginePlace,
    areSecretsOut: false,
    now: new Date('2026-11-20T10:00:00Z'),
  };
  const secrets = {
    async open() {
      if (state.areSecretsOut) throw new EngineError('secrets_unavailable');
      return createSecretBox(Buffer.alloc(32, state.boxKey));
    },
    describe: async () => ({ place: state.enginePlace, detail: '' }),
  };
  const start = () => createProviderKeys({ database, keychain, secrets, now: () => state.now });
  const prepare = () => {
    const caps = { capJobUnits: null, capDayUnits: null, capMonthUnits: null };
    writeSetting(database, { provider: owner.id, isOn: false, ...caps, repeatsUncertain: false });
  };
  const keys = start();
  return {
    database,
    keychain,
    state,
    start,
    keys,
    store: (text = key, of: KeyOwner = owner) => keys.store(of, text, prepare),
  };
}

const withoutKeychain = async () => {
  const engine = openEngine({ enginePlace: 'file' });
  engine.keychain.problem = 'refused';
  await engine.store();
  return engine;
};
const withKeychain = async () => {
  const engine = openEngine();
  await engine.store();
  return engine;
};

const places = [
  ['keychain', withKeychain],
  ['file', withoutKeychain],
] as const;
const owners = [
  ['the same hosts', owner, key],
  ['the same hosts in another order', { ...owner, hosts: [...owner.hosts].reverse() }, key],
  ['one host more', { ...owner, hosts: [...owner.hosts, 'evil.example'] }, null],
  ['another host', { ...owner, hosts: ['evil.example'] }, null],
  ['another provider', { ...owner, id: 'other' }, null],
] as const;

test.each(places.flatMap(([where, open]) => owners.map((row) => [where, ...row, open] as const)))(
  'a key in the %s is read for its own hosts alone: %s',
  async (where, _name, asked, expected, open) => {
    const { start } = await open();
    expect(await start().read(asked)).toBe(expected);
    expect(await place(start())).toBe(where);
  },
);

test('a key is in the keychain alone; without one it is in the database, but not in clear', async () => {
  const { database, keychain } = await withKeychain();
  expect(listKeys(database).get(owner.id)).toMatchObject({ sealed: null });
  expect([...keychain.entries.values()]).toEqual([expect.stringContaining(key)]);
  const sealed = await withoutKeychain();
  expect(listKeys(sealed.database).get(owner.id)).toMatchObject({ entry: null });
  expect(listUnusedEntries(sealed.database)).toEqual([]);
  for (const one of [database, sealed.database]) expect(one.serialize().includes(key)).toBe(false);
});

test('an entry of the keychain is read once, at its first use, until the engine stops', async () => {
  const { keychain, start } = await withKeychain();
  keychain.calls = 0;
  const keys = start();
  expect(keychain.calls).toBe(0);
  expect([await keys.read(owner), await keys.read(owner)]).toEqual([key, key]);
  keychain.problem = 'refused';
  expect(await keys.read(owner)).toBe(key);
  expect(keychain.calls).toBe(1);
});

test('a locked keychain makes the key unavailable, is not asked for each request, and then is again', async () => {
  const { keychain, start, state } = await withKeychain();
  keychain.problem = 'refused';
  const keys = start();
  const refusal = { failure: 'unavailable', message: expect.stringMatching(/locked.*Unlock it/) };
  keychain.calls = 0;
  for (const _ of [1, 2]) await expect(keys.read(owner)).rejects.toMatchObject(refusal);
  expect(keychain.calls).toBe(1);
  expect(await place(keys)).toBe('unavailable');
  keychain.problem = null;
  await expect(keys.read(owner)).rejects.toMatchObject(refusal);
  state.now = new Date(state.now.getTime() + 60_000);
  expect(await keys.read(owner)).toBe(key);
  keychain.problem = 'refused';
  const others = start();
  await expect(others.read(owner)).rejects.toMatchObject(refusal);
  keychain.problem = null;
  others.forgetFailures();
  expect(await others.read(owner)).toBe(key);
});

test.each([
  ['the keychain of another machine', withKeychain, 'bad_key', /Enter the key again/, 'missing'],
  ['an entry for other hosts', withKeychain, 'bad_key', /Enter the key again/, 'missing'],
  ['another engine.key', withoutKeychain, 'bad_key', /Enter the key again/, 'missing'],
  ['no engine.key', withoutKeychain, 'unavailable', /./, 'unavailable'],
] as const)('a key that cannot be read is a failure without the key: %s', async (...row) => {
  const [name, open, failure, message, expected] = row;
  const { keychain, start, state } = await open();
  const [entry = ''] = keychain.entries.keys();
  if (name === 'an entry for other hosts') keychain.entries.set(entry, `otherDigest ${key}`);
  else keychain.entries.clear();
  state.boxKey = 2;
  state.areSecretsOut = name === 'no engine.key';
  const keys = start();
  const error = await keys.read(owner).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure, message: expect.stringMatching(message) });
  expect(JSON.stringify(error) + String(error)).not.toContain(key);
  expect(await place(keys)).toBe(expected);
});

test.each([
  ['a locked keychain', 'keychain', 'refused'],
  ['a keychain that does not answer', 'keychain', 'late'],
  ['an engine that stops', 'file', 'stopped'],
] as const)(
  '%s refuses a new key, and the key before it stays',
  async (_name, enginePlace, problem) => {
    const { database, keychain, start, state, store } = await withKeychain();
    state.enginePlace = enginePlace;
    keychain.problem = problem;
    const refusal = { code: 'secrets_unavailable' };
    const error = await store('sk-new').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refusal);
    expect(String((error as Error).stack)).not.toContain('sk-new');
    expect(database.serialize().includes('sk-new')).toBe(false);
    keychain.problem = null;
    expect(await start().read(owner)).toBe(key);
  },
);

test('a key that replaces another is in the same entry; one that is sealed leaves none', async () => {
  const { database, keychain, start, state, store, keys } = await withKeychain();
  await store('sk-second');
  expect([keychain.entries.size, await keys.read(owner)]).toEqual([1, 'sk-second']);
  expect(await start().read(owner)).toBe('sk-second');
  state.enginePlace = 'file';
  keychain.problem = 'refused';
  await store('sk-third');
  expect([await start().read(owner), listUnusedEntries(database).length]).toEqual(['sk-third', 1]);
  keychain.problem = null;
  expect(await place(start())).toBe('file');
  expect([keychain.entries.size, listUnusedEntries(database)]).toEqual([0, []]);
  await store('sk-fourth');
  expect([await place(start()), await start().read(owner)]).toEqual(['keychain', 'sk-fourth']);
});

test('a removed key is deleted from the keychain: now, or when it responds again', async () => {
  const { database, keychain, keys, state, start, store } = await withKeychain();
  const remove = () => keys.remove(owner.id, () => deleteSetting(database, owner.id));
  await remove();
  expect([keychain.entries.size, await keys.read(owner)]).toEqual([0, null]);
  await store();
  keychain.problem = 'refused';
  await remove();
  expect([await keys.read(owner), listUnusedEntries(database).length]).toEqual([null, 1]);
  keychain.problem = null;
  await keys.describe();
  expect(keychain.entries.size).toBe(1);
  state.now = new Date(state.now.getTime() + 60_000);
  await keys.describe();
  expect([keychain.entries.size, listUnusedEntries(database)]).toEqual([0, []]);
  await store();
  expect(await start().read(owner)).toBe(key);
});

test('an engine that ends while it stores a key leaves no entry behind', async () => {
  const { database, keychain, keys, start } = openEngine();
  const killed = keys.store(owner, key, () => {
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  expect([keychain.entries.size, listUnusedEntries(database).length]).toEqual([1, 1]);
  await start().describe();
  expect([keychain.entries.size, listUnusedEntries(database)]).toEqual([0, []]);
});

test('keys that are stored at the same time leave one entry, the one that is used', async () => {
  const { keychain, start, store } = openEngine();
  await Promise.all(['sk-a', 'sk-b', 'sk-c'].map((text) => store(text)));
  expect([keychain.entries.size, await start().read(owner)]).toEqual([1, 'sk-c']);
});

test.each(['', '  ', 'two words', 'line\r\nx-other: 1', 'ключ'])(
  'the key %j is refused, and the refusal does not repeat it',
  (bad) => {
    const { error } = ProviderKeySchema.safeParse({ key: bad });
    expect(error?.issues[0]?.message).toBe('send one word of printable ASCII characters');
  },
);
