// An assistant on the local socket has its own key, found by the name that it gives itself.
import { expect, test } from 'vitest';
import { listKeys } from '../../engine/accounts/api-key.table.ts';
import { changeKey, createKey, revokeAccountKey } from '../../engine/accounts/api-keys.ts';
import { admitStdioClient } from '../../engine/accounts/create-account-commands.ts';
import { labelCharactersMax, stdioClientsMax } from '../../engine/contract/limits/accounts.ts';
import { addAccount, openTemporaryStore } from '../migrations/temporary-store.ts';

const now = new Date('2026-11-20T10:00:00Z');
const later = new Date('2026-11-20T11:00:00Z');

function open() {
  const database = openTemporaryStore();
  const { id: accountId } = addAccount(database);
  const admit = (name: string, account = accountId) =>
    admitStdioClient(database, 'live', { accountId: account, name }, now).keyId;
  return { database, accountId, admit };
}

test('a name has one key, whatever its label; another name or account has another', () => {
  const { database, accountId, admit } = open();
  const id = admit('claude-ai');
  expect(listKeys(database, accountId).map(({ label }) => label)).toEqual(['stdio: claude-ai']);
  changeKey(database, { accountId, id, label: 'mine', capDayUnits: null }, now);
  expect(admit('claude-ai')).toBe(id);
  expect(admit('claude-Ai')).not.toBe(id);
  expect(admit('claude-ai', addAccount(database).id)).not.toBe(id);
});

test('a revoked name is refused until a newer key has its label', () => {
  const { database, accountId, admit } = open();
  const revoke = (id: string) => revokeAccountKey(database, { accountId, id }, now);
  const make = (label: string, at = now) =>
    createKey(database, 'live', { accountId, label }, at).id;
  const id = admit('zed');
  revoke(id);
  expect(() => admit('zed')).toThrow(/revoked.*label "stdio: zed"/);
  make('stdio: zeds');
  expect(() => admit('zed')).toThrow('revoked');
  make('stdio: zed');
  const newest = make('stdio: zed', later);
  expect(admit('zed')).toBe(newest);
  revoke(newest);
  expect(admit('zed')).not.toBe(newest);
});

test('a key made by hand belongs to no client until a revoked name claims it', () => {
  const { database, accountId, admit } = open();
  const { id } = createKey(database, 'live', { accountId, label: 'stdio: new' }, now);
  expect(admit('new')).not.toBe(id);
});

test('a long name is truncated in the label', () => {
  const { database, accountId, admit } = open();
  const id = admit('x'.repeat(200));
  expect(admit('x'.repeat(200))).toBe(id);
  expect(listKeys(database, accountId)[0]?.label).toHaveLength(labelCharactersMax);
});

test('the number of made-up names is limited', () => {
  const { database, accountId, admit } = open();
  for (let at = 0; at < stdioClientsMax; at += 1) admit(`client ${at}`);
  expect(() => admit('one more')).toThrow(/are already connected/);
  expect(admit('client 0')).toBeTypeOf('string');
  expect(listKeys(database, accountId)).toHaveLength(stdioClientsMax);
});
