// Answers the calls about accounts, API keys, credits and prices.
import type { z } from 'zod';
import { accounts } from '../contract/accounts.ts';
import { type CreditUnits, parseCredits, unitsPerCredit } from '../contract/credits.ts';
import { invalid } from '../contract/errors.ts';
import { type KeyChangeSchema, keys } from '../contract/keys.ts';
import { wallet } from '../contract/ledger.ts';
import { grantCreditsMax, keyCapCreditsMax, rateCreditsMax } from '../contract/limits/ledger.ts';
import { rates } from '../contract/rate-card.ts';
import { linkPages } from '../http/page-links.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { listEntries } from '../ledger/ledger.ts';
import { presentRates } from '../ledger/present-rates.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { listAccounts } from './account.table.ts';
import { listKeys } from './api-key.table.ts';
import type { KeyLimitChange } from './api-keys.ts';
import { describeKey } from './api-keys.ts';
import type { AccountCalls } from './create-account-commands.ts';
import { presentAccount } from './present-account.ts';
import { presentEntry } from './present-entry.ts';

type AccountRouteDeps = RouteDepsWith<AccountCalls>;

export const grantBounds = { minUnits: 1, maxCredits: grantCreditsMax };
const rateBounds = { minUnits: 0, maxCredits: rateCreditsMax };
const capBounds = { minUnits: 0, maxCredits: keyCapCreditsMax };

/** Parses credits, a string or a number, to units. Throws `validation_error` out of bounds. */
export function readCredits(
  value: string | number,
  name: string,
  bounds: { minUnits: number; maxCredits: number },
): CreditUnits {
  const { minUnits, maxCredits } = bounds;
  const units = parseCredits(String(value));
  if (units === null || units < minUnits || units > maxCredits * unitsPerCredit)
    throw invalid(
      `${name}: send an amount from ${minUnits ? '0.0001' : '0'} to ${maxCredits} credits, ` +
        'with at most four fraction digits.',
    );
  return units;
}

function addAccountCalls(server: ApiServer, context: AccountRouteDeps): void {
  const { environment } = context;
  serve(server, context, accounts, {
    list: () => listAccounts(environment.database).map(presentAccount),
    change: (given) =>
      environment.writer.changeAccount({
        accountUuid: given.id,
        name: given.name,
        chargePolicy: given.charge_policy,
        matchThreshold: given.match_threshold,
        freeRepeatDays: given.free_repeat_days,
        inferEmails: given.infer_emails,
        monitorCharge: given.monitor_charge,
        hasBudget: given.has_budget,
      }),
  });
}

/** A cap in a request body; undefined if omitted, null for no cap. */
export const readCap = (value: string | number | null | undefined, name: string) =>
  value === undefined || value === null ? value : readCredits(value, name, capBounds);

/** The limits of a key in a request body. Throws `validation_error`. */
export const readKeyLimits = (body: z.infer<typeof KeyChangeSchema>): KeyLimitChange => ({
  requestsPerMinute: body.requests_per_minute,
  capDayUnits: readCap(body.cap_per_day, 'cap_per_day'),
  capMonthUnits: readCap(body.cap_per_month, 'cap_per_month'),
  capCallUnits: readCap(body.cap_per_call, 'cap_per_call'),
  askAboveUnits: readCap(body.ask_above, 'ask_above'),
  selfApproval: body.self_approval,
  providerCap: body.provider_cap,
});

function addKeyCalls(server: ApiServer, context: AccountRouteDeps): void {
  const { now, environment } = context;
  serve(server, context, keys, {
    list(_input, { accountId }) {
      const at = new Date(now());
      const listed = listKeys(environment.database, accountId);
      return listed.map((key) => describeKey(environment.database, key, at));
    },
    create: ({ label, ...limits }, { accountId }) =>
      environment.writer.createKey({ accountId, label, ...readKeyLimits(limits) }),
    change: ({ id, label, ...limits }, { accountId }) =>
      environment.writer.changeKey({ accountId, id, label, ...readKeyLimits(limits) }),
    async admitStdioClient({ name }, { accountId }) {
      const { keyId } = await environment.writer.admitStdioClient({ accountId, name });
      return { key_id: keyId };
    },
  });
}

function addWalletCalls(server: ApiServer, context: AccountRouteDeps): void {
  const { environment } = context;
  serve(server, context, wallet, {
    read: (_input, { accountId }) => presentWallet(environment.database, accountId),
    async grant({ credits }, { accountId }) {
      const units = readCredits(credits, 'credits', grantBounds);
      const subject = { kind: 'grant', id: 'granted in the app' } as const;
      await environment.writer.grant({ accountId, units, subject });
      return presentWallet(environment.database, accountId);
    },
    entries(page, { accountId, request }) {
      const { count, entries } = listEntries(environment.database, accountId, page);
      return {
        count,
        ...linkPages(request, page, count),
        results: entries.map((entry) => presentEntry(environment, entry)),
      };
    },
  });
}

function addRateCalls(server: ApiServer, context: AccountRouteDeps): void {
  const { environment } = context;
  serve(server, context, rates, {
    list: (_input, { accountId }) => presentRates(environment.database, accountId),
    async change({ code, price, active }, { accountId }) {
      const priceUnits = price === undefined ? undefined : readCredits(price, 'price', rateBounds);
      await environment.writer.setRate({ accountId, code, priceUnits, active });
      const rate = presentRates(environment.database, accountId).find((one) => one.code === code);
      if (!rate) throw new Error(`account ${accountId} has no rate for ${code}`);
      return rate;
    },
  });
}

export function addAccountAndWalletRoutes(server: ApiServer, context: AccountRouteDeps): void {
  addAccountCalls(server, context);
  addKeyCalls(server, context);
  addWalletCalls(server, context);
  addRateCalls(server, context);
}
