// The table `owned`: values of people that an account has paid for, by lookup, tool or pipeline. A
// row is written with the charge that paid for it, or from a pipeline's hold; it is never changed
// or deleted.
import type { CreditUnits } from '../contract/credits.ts';
import type { OwnedKind } from '../contract/lookup.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { sameUuidsSql } from './merged-person.table.ts';

export interface PersonValue {
  readonly personUuid: string;
  readonly kind: OwnedKind;
}

const ownedSql = `SELECT 1 FROM owned
  WHERE account_id = @accountId AND person_uuid = @personUuid AND kind = @kind`;
const ownedBeforeSql = `SELECT 1 FROM merged_person m
  CROSS JOIN owned o ON o.account_id = @accountId AND o.person_uuid = m.uuid AND o.kind = @kind
  WHERE m.survivor_uuid = @personUuid`;

/** Whether an account has paid for a value, also before the person was merged with another. */
export const isOwned = (
  database: ReadableDatabase,
  accountId: number,
  { personUuid, kind }: PersonValue,
): boolean =>
  [ownedSql, ownedBeforeSql].some(
    (sql) => statement(database, sql).get({ accountId, personUuid, kind }) !== undefined,
  );

/** Number of these people, without duplicates, whose value of a kind the account has paid for. */
export const countOwned = (
  database: ReadableDatabase,
  accountId: number,
  kind: OwnedKind,
  personUuids: readonly string[],
): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM json_each(?) j WHERE EXISTS
       (SELECT 1 FROM owned o WHERE o.account_id = ? AND o.kind = ?
          AND o.person_uuid IN (${sameUuidsSql('j.value')}))`,
  ).get(JSON.stringify(personUuids), accountId, kind)?.count ?? 0;

/** People whose values a charge paid for, and the UUID of the person if it is only one. */
export function countPaidPeople(
  database: ReadableDatabase,
  entryId: number,
): { count: number; personUuid: string | null } {
  const people = statement<{ count: number; personUuid: string | null }>(
    database,
    `SELECT count(DISTINCT person_uuid) AS count, min(person_uuid) AS personUuid
     FROM owned WHERE entry_id = ?`,
  ).get(entryId);
  return people?.count === 1 ? people : { count: people?.count ?? 0, personUuid: null };
}

/**
 * Records what a charge or a hold has paid for, in the transaction that charges or spends from the
 * hold. Throws a SqliteError if the value is already owned, or the entry is neither a charge of the
 * account nor the hold of an unfinished pipeline.
 * @param paid entryId: the charge's ledger entry, whose amount is the sum of its values' prices; or
 *   the hold's, which covers them
 */
export function insertOwned(
  database: WritableDatabase,
  accountId: number,
  { personUuid, kind }: PersonValue,
  paid: { readonly priceUnits: CreditUnits; readonly entryId: number; readonly at: string },
): void {
  statement(
    database,
    `INSERT INTO owned (account_id, person_uuid, kind, price_units, entry_id, at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(accountId, personUuid, kind, paid.priceUnits, paid.entryId, paid.at);
}
