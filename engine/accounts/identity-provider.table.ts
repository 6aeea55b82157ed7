// The table `identity_provider`: where people of an account log in, and who may authorize apps.
import { z } from 'zod';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** An identity provider. Its secret is encrypted: see secrets/secret-box.ts. */
export interface IdentityProviderRow {
  readonly accountId: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Buffer | null;
  /** In lower case. */
  readonly emails: readonly string[];
  readonly subjects: readonly string[];
  readonly setAt: string;
}

type ProviderRecord = Omit<IdentityProviderRow, 'emails' | 'subjects'> & {
  readonly emails: string;
  readonly subjects: string;
};
const TextsSchema = z.array(z.string());

/** Nobody may log in by a list that is damaged. */
const readRecord = (record: ProviderRecord): IdentityProviderRow => ({
  ...record,
  emails: readJson(TextsSchema, record.emails, []),
  subjects: readJson(TextsSchema, record.subjects, []),
});

const selectProvider = `
  SELECT account_id AS accountId, issuer, client_id AS clientId, client_secret AS clientSecret,
    emails, subjects, set_at AS setAt
  FROM identity_provider`;

export function getIdentityProvider(
  database: ReadableDatabase,
  accountId: number,
): IdentityProviderRow | null {
  const select = `${selectProvider} WHERE account_id = ?`;
  const record = statement<ProviderRecord>(database, select).get(accountId);
  return record ? readRecord(record) : null;
}

export const listIdentityProviders = (database: ReadableDatabase): IdentityProviderRow[] =>
  statement<ProviderRecord>(database, `${selectProvider} ORDER BY account_id`)
    .all()
    .map(readRecord);

export function putIdentityProvider(
  database: WritableDatabase,
  provider: IdentityProviderRow,
): void {
  statement(
    database,
    `INSERT OR REPLACE INTO identity_provider
       (account_id, issuer, client_id, client_secret, emails, subjects, set_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    provider.accountId,
    provider.issuer,
    provider.clientId,
    provider.clientSecret,
    JSON.stringify(provider.emails),
    JSON.stringify(provider.subjects),
    provider.setAt,
  );
}

export const deleteIdentityProvider = (database: WritableDatabase, accountId: number): boolean =>
  statement(database, 'DELETE FROM identity_provider WHERE account_id = ?').run(accountId).changes >
  0;
