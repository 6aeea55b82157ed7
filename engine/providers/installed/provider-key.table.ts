// The table `provider_key`: the user's keys at data services, sealed.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** A sealed key: see secrets/secret-box.ts. */
export interface ProviderKeyRow {
  readonly provider: string;
  readonly key: Buffer;
  /** The hosts that it was entered for, in order. */
  readonly hosts: readonly string[];
}

/** Every key, by its provider. */
export const listKeys = (database: ReadableDatabase): Map<string, ProviderKeyRow> =>
  new Map(
    statement<Omit<ProviderKeyRow, 'hosts'> & { hosts: string }>(
      database,
      'SELECT provider, key, hosts FROM provider_key',
    )
      .all()
      .map((record) => [record.provider, { ...record, hosts: JSON.parse(record.hosts) }]),
  );

/** Sets or replaces the key of a provider, which must have settings. */
export function putKey(database: WritableDatabase, row: ProviderKeyRow & { at: string }): void {
  statement(
    database,
    'INSERT OR REPLACE INTO provider_key (provider, key, hosts, set_at) VALUES (?, ?, ?, ?)',
  ).run(row.provider, row.key, JSON.stringify(row.hosts), row.at);
}

/** Removes the key of a provider. */
export function deleteKey(database: WritableDatabase, provider: string): void {
  statement(database, 'DELETE FROM provider_key WHERE provider = ?').run(provider);
}
