// Accounts with their keys, rates and idempotency keys.
import { expect, test } from 'vitest';
import {
  getAccount,
  getAccountById,
  listAccounts,
  updateAccount,
} from '../../engine/accounts/account.table.ts';
import {
  findKeyByHash,
  insertKey,
  listKeys,
  revokeKey,
  touchKey,
} from '../../engine/accounts/api-key.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { rateCodes } from '../../engine/contract/rates.ts';
import {
  findIdempotent,
  forgetIdempotentBefore,
  rememberIdempotent,
} from '../../engine/ledger/idempotency.ts';
import {
  insertDefaultRates,
  insertMissingRates,
  listRates,
  setRate,
} from '../../engine/ledger/rate.table.ts';
import { addAccount, at, noCaps, openTemporaryStore } from '../migrations/temporary-store.ts';

test('an account is charged per row by default', () => {
  const database = openTemporaryStore();
  const account = addAccount(database);
  expect(account).toMatchObject({ name: 'Acme', chargePolicy: 'row', matchThreshold: 0.9 });
  expect(getAccount(database, account.uuid)).toEqual(account);
  updateAccount(database, account.id, { chargePolicy: 'layers_found' });
  updateAccount(database, account.id, { matchThreshold: 0.5 });
  updateAccount(database, account.id, {});
  const changed = { ...account, chargePolicy: 'layers_found', matchThreshold: 0.5 };
  expect(getAccountById(database, account.id)).toEqual(changed);
  const other = addAccount(database);
  expect(listAccounts(database)).toEqual([changed, other]);
});

test('reading an unknown account returns null, changing it throws', () => {
  const database = openTemporaryStore();
  expect([getAccount(database, 'nobody'), getAccountById(database, 9)]).toEqual([null, null]);
  expect(() => updateAccount(database, 9, {})).toThrow('account_unknown');
});

test('a key is found by its hash even after its revocation, which happens once', () => {
  const database = openTemporaryStore();
  const owner = addAccount(database);
  const stranger = addAccount(database);
  const hash = 'ab'.repeat(32);
  const key = { id: 'k1', accountId: owner.id, label: 'CRM', prefix: 'sk_live_ab' };
  const later = '2026-11-20T11:00:00.000Z';
  insertKey(database, { ...key, hash, at, ...noCaps });
  const row = { ...key, ...noCaps, createdAt: at, lastUsedAt: null, revokedAt: null };
  expect(findKeyByHash(database, hash)).toEqual(row);
  expect(findKeyByHash(database, 'cd'.repeat(32))).toBeNull();
  touchKey(database, 'k1', later);
  expect(revokeKey(database, stranger.id, 'k1', later)).toBe(false);
  expect(listKeys(database, owner.id)).toEqual([{ ...row, lastUsedAt: later }]);
  expect(revokeKey(database, owner.id, 'k1', later)).toBe(true);
  expect(revokeKey(database, owner.id, 'k1', at)).toBe(false);
  expect(findKeyByHash(database, hash)?.revokedAt).toBe(later);
  expect(listKeys(database, stranger.id)).toEqual([]);
});

test('two keys never share a hash', () => {
  const database = openTemporaryStore();
  const { id: accountId } = addAccount(database);
  const key = { accountId, label: '', prefix: '', hash: '0'.repeat(64), at, ...noCaps };
  insertKey(database, { ...key, id: 'k1' });
  expect(() => insertKey(database, { ...key, id: 'k2' })).toThrow(/UNIQUE/);
});

test('the default prices are L1 1, L2 0.5, L3 1, L4 0.5, MPA 5, email validation 0.1', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database);
  insertDefaultRates(database, id);
  const rates = listRates(database, id);
  expect(rates.map(({ code }) => code)).toEqual(rateCodes);
  expect(rates).toEqual(
    expect.arrayContaining([
      { code: 'L1', priceUnits: 10_000, active: true },
      { code: 'L2', priceUnits: 5_000, active: true },
      { code: 'L3', priceUnits: 10_000, active: true },
      { code: 'L4', priceUnits: 5_000, active: true },
      { code: 'MPA', priceUnits: 50_000, active: true },
      { code: 'email_validation', priceUnits: 1_000, active: true },
    ]),
  );
});

test('an account gets a rate of a newer layer at its default price, switched off', () => {
  const database = openTemporaryStore();
  const [{ id }, other] = [addAccount(database), addAccount(database)];
  for (const account of [id, other.id]) insertDefaultRates(database, account);
  setRate(database, id, 'L1', { priceUnits: creditUnits(7) });
  database.prepare("DELETE FROM rate WHERE account_id = ? AND code = 'L4'").run(id);
  const before = listRates(database, other.id);
  insertMissingRates(database);
  expect(listRates(database, id)).toEqual([
    { code: 'L1', priceUnits: 7, active: true },
    ...before.slice(1, 3),
    { code: 'L4', priceUnits: 5_000, active: false },
    ...before.slice(4),
  ]);
  expect(listRates(database, other.id)).toEqual(before);
});

test('a rate changes its price or its state for one account only', () => {
  const database = openTemporaryStore();
  const [own, other] = [addAccount(database), addAccount(database)];
  for (const { id } of [own, other]) insertDefaultRates(database, id);
  setRate(database, own.id, 'MPA', { priceUnits: creditUnits(0) });
  setRate(database, own.id, 'MPA', { active: false });
  setRate(database, own.id, 'L1', { active: true });
  const ofMpa = (id: number) => listRates(database, id).find(({ code }) => code === 'MPA');
  expect(ofMpa(own.id)).toEqual({ code: 'MPA', priceUnits: 0, active: false });
  expect(ofMpa(other.id)).toEqual({ code: 'MPA', priceUnits: 50_000, active: true });
  expect(() => setRate(database, 99, 'L1', { active: true })).toThrow('rate_unknown');
});

test('an idempotency key is known in its scope until it is removed', () => {
  const database = openTemporaryStore();
  const use = { fingerprint: 'f', jobUuid: 'j', at };
  const later = { ...use, jobUuid: 'j2', at: '2026-11-21T10:00:00.000Z' };
  rememberIdempotent(database, { keyScope: 'k1', key: 'a', ...use });
  rememberIdempotent(database, { keyScope: 'k1', key: 'b', ...use });
  expect(findIdempotent(database, 'k1', 'a')).toEqual(use);
  expect(findIdempotent(database, 'k2', 'a')).toBeNull();
  rememberIdempotent(database, { keyScope: 'k1', key: 'a', ...later });
  expect(forgetIdempotentBefore(database, later.at)).toBe(1);
  expect(findIdempotent(database, 'k1', 'a')).toEqual(later);
  expect(findIdempotent(database, 'k1', 'b')).toBeNull();
});
