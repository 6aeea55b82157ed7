// Records of one millisecond have random ids, and are listed in the order of their creation.
import { expect, test } from 'vitest';
import { insertKey, listKeys } from '../../engine/accounts/api-key.table.ts';
import { insertConnection, listConnections } from '../../engine/oauth/oauth-connection.table.ts';
import {
  insertBrowserSession,
  listBrowserSessions,
} from '../../engine/sessions/browser-session.table.ts';
import { addAccount, at, noCaps, openTemporaryStore } from '../migrations/temporary-store.ts';

/** Ids as they were given, in no order of their own. */
const ids = ['m', 'a', 'z', 'b'];
const newestFirst = ids.toReversed();
const hashOf = (place: number) => String(place).repeat(64);

function openKeys() {
  const database = openTemporaryStore();
  const { id: accountId } = addAccount(database);
  for (const [place, id] of ids.entries()) {
    const key = { id, accountId, label: id, prefix: id, hash: hashOf(place), at };
    insertKey(database, { ...key, ...noCaps });
  }
  return { database, accountId };
}

test('keys are listed oldest first', () => {
  const { database, accountId } = openKeys();
  expect(listKeys(database, accountId).map(({ id }) => id)).toEqual(ids);
});

test('connected apps are listed newest first', () => {
  const { database, accountId } = openKeys();
  for (const keyId of ids)
    insertConnection(database, { keyId, clientId: 'c', clientName: 'C', redirectUri: 'r' });
  expect(listConnections(database, accountId).map(({ keyId }) => keyId)).toEqual(newestFirst);
});

test('browsers are listed with the last opened first', () => {
  const database = openTemporaryStore();
  for (const [place, id] of ids.entries())
    insertBrowserSession(database, {
      id,
      hash: hashOf(place),
      browser: 'Firefox',
      openedAt: at,
      lastUsedAt: at,
    });
  expect(listBrowserSessions(database).map(({ id }) => id)).toEqual(newestFirst);
});
