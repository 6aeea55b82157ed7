/** Keys at data services: sealed for their hosts, and in no answer. */
import { expect, test } from 'vitest';
import { EngineError } from '../../../engine/contract/errors.ts';
import { ProviderKeySchema } from '../../../engine/contract/providers.ts';
import { putKey } from '../../../engine/providers/installed/provider-key.table.ts';
import { openKey, sealKey } from '../../../engine/providers/installed/provider-keys.ts';
import { writeSetting } from '../../../engine/providers/waterfall/provider-setting.table.ts';
import { createSecretBox } from '../../../engine/secrets/secret-box.ts';
import { openTemporaryStore } from '../../migrations/temporary-store.ts';

const key = 'sk-0123456789-very-secret';
const owner = { id: 'finder', hosts: ['api.finder.example', 'files.finder.example'] };
const box = createSecretBox(Buffer.alloc(32, 1));
const secretsOf = (open: () => Promise<typeof box>) => ({
  open,
  describe: async () => ({ place: 'file' as const, detail: '' }),
});

async function openStored() {
  const database = openTemporaryStore();
  const deps = { database, secrets: secretsOf(async () => box) };
  const caps = { capJobUnits: null, capDayUnits: null, capMonthUnits: null };
  writeSetting(database, { provider: owner.id, isOn: false, ...caps, repeatsUncertain: false });
  putKey(database, { ...(await sealKey(deps, owner, key)), at: '2026-11-20T10:00:00.000Z' });
  return deps;
}

test.each([
  ['the same hosts', owner, key],
  ['the same hosts in another order', { ...owner, hosts: [...owner.hosts].reverse() }, key],
  ['one host more', { ...owner, hosts: [...owner.hosts, 'evil.example'] }, null],
  ['another host', { ...owner, hosts: ['evil.example'] }, null],
  ['another provider', { ...owner, id: 'other' }, null],
])('a stored key is opened for its own hosts alone: %s', async (_name, asked, expected) => {
  expect(await openKey(await openStored(), asked)).toBe(expected);
});

test('a key is not in the database in clear', async () => {
  const { database } = await openStored();
  expect(database.serialize().includes(key)).toBe(false);
});

test.each([
  [
    'another encryption key',
    async () => createSecretBox(Buffer.alloc(32, 2)),
    'bad_key',
    /Enter it again/,
  ],
  [
    'no encryption key',
    () => Promise.reject(new EngineError('secrets_unavailable')),
    'unavailable',
    /./,
  ],
] as const)('a key that cannot be decrypted is a failure without the key: %s', async (...row) => {
  const [, open, failure, message] = row;
  const deps = { ...(await openStored()), secrets: secretsOf(open) };
  const error = await openKey(deps, owner).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure, message: expect.stringMatching(message) });
  expect(JSON.stringify(error) + String(error)).not.toContain(key);
});

test.each(['', '  ', 'two words', 'line\r\nx-other: 1', 'ключ'])(
  'the key %j is refused, and the refusal does not repeat it',
  (bad) => {
    const { error } = ProviderKeySchema.safeParse({ key: bad });
    expect(error?.issues[0]?.message).toBe('send one word of printable ASCII characters');
  },
);
