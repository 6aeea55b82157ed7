// Columns of the table `provider_setting` that only show money: the price of a credit.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface ProviderMoney {
  readonly provider: string;
  readonly pricePerCredit: number | null;
  readonly currency: string | null;
}

const readMoney = (database: ReadableDatabase): Map<string, ProviderMoney> =>
  new Map(
    statement<ProviderMoney>(
      database,
      'SELECT provider, price_per_credit AS pricePerCredit, currency FROM provider_setting',
    )
      .all()
      .map((row) => [row.provider, row]),
  );

interface CreditPrice {
  readonly per_credit: number;
  readonly currency: string;
}

export const readPrices = (database: ReadableDatabase): Map<string, CreditPrice> =>
  new Map(
    [...readMoney(database).values()].flatMap(({ provider, pricePerCredit, currency }) =>
      pricePerCredit === null || currency === null
        ? []
        : [[provider, { per_credit: pricePerCredit, currency }]],
    ),
  );

/** Sets the price of a credit; null for none. */
export function writePrice(
  database: WritableDatabase,
  provider: string,
  price: CreditPrice | null,
): void {
  statement(
    database,
    'UPDATE provider_setting SET price_per_credit = ?, currency = ? WHERE provider = ?',
  ).run(price?.per_credit ?? null, price?.currency ?? null, provider);
}
