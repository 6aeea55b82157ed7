// The table `rate`: the prices of each account per row of a layer and per validated email.
import type { CreditUnits } from '../contract/credits.ts';
import { defaultRates, type RateCode, rateCodes } from '../contract/rates.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';

export interface RateRow {
  readonly code: RateCode;
  readonly priceUnits: CreditUnits;
  readonly active: boolean;
}

/** The account's rates, in the order of the table of rates. */
export function listRates(database: ReadableDatabase, accountId: number): RateRow[] {
  const rates = statement<{ code: RateCode; priceUnits: CreditUnits; active: number }>(
    database,
    'SELECT code, price_units AS priceUnits, active FROM rate WHERE account_id = ?',
  ).all(accountId);
  return rates
    .map((rate) => ({ ...rate, active: rate.active === 1 }))
    .sort((one, other) => rateCodes.indexOf(one.code) - rateCodes.indexOf(other.code));
}

/** Changes the given fields. Throws if the account has no such rate. */
export function setRate(
  database: WritableDatabase,
  accountId: number,
  code: RateCode,
  change: { priceUnits?: CreditUnits | undefined; active?: boolean | undefined },
): void {
  const active = change.active === undefined ? null : Number(change.active);
  const { changes } = statement(
    database,
    `UPDATE rate SET price_units = ifnull(?, price_units), active = ifnull(?, active)
     WHERE account_id = ? AND code = ?`,
  ).run(change.priceUnits ?? null, active, accountId, code);
  if (changes !== 1) throw new Error('rate_unknown');
}

/** Gives a new account the default rate card with everything switched on. */
export function insertDefaultRates(database: WritableDatabase, accountId: number): void {
  inTransaction(database, () => {
    for (const { code, defaultUnits } of defaultRates)
      statement(
        database,
        'INSERT INTO rate (account_id, code, price_units, active) VALUES (?, ?, ?, 1)',
      ).run(accountId, code, defaultUnits);
  });
}

/** Adds codes that a rate card lacks, switched off, so that the price of "full" stays. */
export function insertMissingRates(database: WritableDatabase): void {
  inTransaction(database, () => {
    for (const { code, defaultUnits } of defaultRates)
      statement(
        database,
        `INSERT INTO rate (account_id, code, price_units, active)
         SELECT DISTINCT account_id, ?, ?, 0 FROM rate WHERE true
         ON CONFLICT (account_id, code) DO NOTHING`,
      ).run(code, defaultUnits);
  });
}
