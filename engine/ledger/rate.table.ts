// The table `rate`: what each account pays per row of a layer and per validated email.
import { type CreditUnits, parseCredits } from '../contract/credits.ts';
import { type LayerCode, layers } from '../contract/jobs/layers.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';

/** What has a price: a layer, or the validation of one email. */
export type RateCode = LayerCode | 'email_validation';

/** One price of an account. */
export interface RateRow {
  readonly code: RateCode;
  readonly priceUnits: CreditUnits;
  /** Whether it can be bought. */
  readonly active: boolean;
}

// Credits for one email (decisions, "Money").
const emailValidationPrice = '0.1000';

/** The account's rates, the layers in their order and email validation last. */
export function listRates(database: ReadableDatabase, accountId: number): RateRow[] {
  // The order of the codes is the order of the key: L1 to L4, MPA, then lower case.
  const rates = statement<{ code: RateCode; priceUnits: CreditUnits; active: number }>(
    database,
    `SELECT code, price_units AS priceUnits, active FROM rate WHERE account_id = ?
     ORDER BY code`,
  ).all(accountId);
  return rates.map((rate) => ({ ...rate, active: rate.active === 1 }));
}

/** Changes what is named and leaves the rest. Throws where the account has no such rate. */
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

/** Gives a new account the default rate card, everything switched on. */
export function insertDefaultRates(database: WritableDatabase, accountId: number): void {
  const prices: [RateCode, string][] = layers.map(({ code, defaultPrice }) => [code, defaultPrice]);
  prices.push(['email_validation', emailValidationPrice]);
  inTransaction(database, () => {
    for (const [code, price] of prices) {
      statement(
        database,
        'INSERT INTO rate (account_id, code, price_units, active) VALUES (?, ?, ?, 1)',
      ).run(accountId, code, parseCredits(price));
    }
  });
}
