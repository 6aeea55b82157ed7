// The table `provider_key`: where the user's keys at data services are.
import { z } from 'zod';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readJson } from '../../platform/sqlite/read-json.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** A key: in an entry of the keychain, or sealed (secrets/secret-box.ts). */
export type ProviderKeyRow = {
  readonly provider: string;
  /** The hosts that it was entered for, in order. None if they are damaged: it fits no host. */
  readonly hosts: readonly string[];
} & (
  | { readonly entry: string; readonly sealed: null }
  | { readonly entry: null; readonly sealed: Buffer }
);

const HostsSchema = z.array(z.string());

export const listKeys = (database: ReadableDatabase): Map<string, ProviderKeyRow> =>
  new Map(
    statement<ProviderKeyRow & { hosts: string }>(
      database,
      'SELECT provider, entry, sealed, hosts FROM provider_key',
    )
      .all()
      .map((record) => [
        record.provider,
        { ...record, hosts: readJson(HostsSchema, record.hosts, []) },
      ]),
  );

/** Sets or replaces the key of a provider, which must have settings. */
export function putKey(database: WritableDatabase, row: ProviderKeyRow & { at: string }): void {
  const { provider, entry, sealed, hosts, at } = row;
  statement(
    database,
    `INSERT OR REPLACE INTO provider_key (provider, entry, sealed, hosts, set_at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(provider, entry, sealed, JSON.stringify(hosts), at);
}

export function deleteKey(database: WritableDatabase, provider: string): void {
  statement(database, 'DELETE FROM provider_key WHERE provider = ?').run(provider);
}
