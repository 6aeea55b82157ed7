// What an API key may spend at the user's data services.
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/**
 * The most that one request of a key may spend at each data service, in credits of the service;
 * null for no limit, which the app and the command line have.
 */
export function readProviderCap(database: ReadableDatabase, keyId: string | null): number | null {
  if (keyId === null) return null;
  const key = statement<{ cap: number | null }>(
    database,
    'SELECT provider_cap AS cap FROM api_key WHERE id = ?',
  ).get(keyId);
  return key ? key.cap : 0;
}
