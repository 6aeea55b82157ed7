/** Routes /app/v1/accounts, /keys, /wallet and /rates. */
import { z } from 'zod';
import {
  AccountChangeSchema,
  AccountSchema,
  AdmittedClientSchema,
  CreatedKeySchema,
  KeyChangeSchema,
  KeySchema,
  NewAccountSchema,
  NewKeySchema,
  StdioClientSchema,
} from '../contract/accounts.ts';
import { type CreditUnits, parseCredits, unitsPerCredit } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import {
  GrantSchema,
  LedgerPageSchema,
  RateChangeSchema,
  RateSchema,
  WalletSchema,
} from '../contract/ledger.ts';
import { grantCreditsMax, keyCapCreditsMax, rateCreditsMax } from '../contract/limits/ledger.ts';
import { PageQuerySchema } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { listEntries } from '../ledger/ledger.ts';
import { presentRates } from '../ledger/present-rates.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { listAccounts } from './account.table.ts';
import type { KeyLimitChange } from './accounts.commands.ts';
import { listKeys } from './api-key.table.ts';
import { describeKey } from './api-keys.ts';
import { presentAccount } from './present-account.ts';
import { presentEntry } from './present-entry.ts';
import type { AccountRouteDeps } from './route-deps.ts';

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

/** Bounds of one grant. */
export const grantBounds = { minUnits: 1, maxCredits: grantCreditsMax };
const rateBounds = { minUnits: 0, maxCredits: rateCreditsMax };
const capBounds = { minUnits: 0, maxCredits: keyCapCreditsMax };

/**
 * Parses credits, as a string or a number, to units. Throws `validation_error` outside the bounds.
 */
export function readCredits(
  value: string | number,
  name: string,
  bounds: { minUnits: number; maxCredits: number },
): CreditUnits {
  const { minUnits, maxCredits } = bounds;
  const units = parseCredits(String(value));
  if (units === null || units < minUnits || units > maxCredits * unitsPerCredit)
    throw new EngineError(
      'validation_error',
      `${name}: send an amount from ${minUnits ? '0.0001' : '0'} to ${maxCredits} credits, ` +
        'with at most four fraction digits.',
    );
  return units;
}

function addAccountRoutes(server: ApiServer, { environment }: AccountRouteDeps): void {
  server.get('/accounts', { schema: { response: answersOf(z.array(AccountSchema)) } }, async () =>
    success(listAccounts(environment.database).map(presentAccount)),
  );
  server.post(
    '/accounts',
    { schema: { body: NewAccountSchema, response: answersOf(AccountSchema, 201) } },
    async (request, reply) =>
      reply
        .code(201)
        .send(success(await environment.writer.createAccount({ name: request.body.name }))),
  );
  server.patch(
    '/accounts/:id',
    {
      schema: {
        params: IdParamsSchema,
        body: AccountChangeSchema,
        response: answersOf(AccountSchema),
      },
    },
    async (request) =>
      success(
        await environment.writer.changeAccount({
          accountUuid: request.params.id,
          name: request.body.name,
          chargePolicy: request.body.charge_policy,
          matchThreshold: request.body.match_threshold,
          freeRepeatDays: request.body.free_repeat_days,
          inferEmails: request.body.infer_emails,
          monitorCharge: request.body.monitor_charge,
        }),
      ),
  );
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

function addKeyRoutes(server: ApiServer, { now, environment }: AccountRouteDeps): void {
  server.get('/keys', { schema: { response: answersOf(z.array(KeySchema)) } }, async (request) => {
    const { database } = environment;
    const at = new Date(now());
    const keys = listKeys(database, callerOf(request).account.id);
    return success(keys.map((key) => describeKey(database, key, at)));
  });
  server.post(
    '/keys',
    { schema: { body: NewKeySchema, response: answersOf(CreatedKeySchema, 201) } },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const command = { accountId, label: request.body.label, ...readKeyLimits(request.body) };
      return reply.code(201).send(success(await environment.writer.createKey(command)));
    },
  );
  server.patch(
    '/keys/:id',
    {
      schema: { params: IdParamsSchema, body: KeyChangeSchema, response: answersOf(KeySchema) },
    },
    async (request) =>
      success(
        await environment.writer.changeKey({
          accountId: callerOf(request).account.id,
          id: request.params.id,
          label: request.body.label,
          ...readKeyLimits(request.body),
        }),
      ),
  );
  server.delete(
    '/keys/:id',
    { schema: { params: IdParamsSchema, response: answersOf(KeySchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(await environment.writer.revokeKey({ accountId, id: request.params.id }));
    },
  );
}

/** An assistant on the local socket uses its own key. */
function addStdioClientRoute(server: ApiServer, { environment }: AccountRouteDeps): void {
  server.post(
    '/stdio-clients',
    { schema: { body: StdioClientSchema, response: answersOf(AdmittedClientSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { name } = request.body;
      const { keyId } = await environment.writer.admitStdioClient({ accountId, name });
      return success({ key_id: keyId });
    },
  );
}

function addWalletRoutes(server: ApiServer, { environment }: AccountRouteDeps): void {
  server.get('/wallet', { schema: { response: answersOf(WalletSchema) } }, async (request) =>
    success(presentWallet(environment.database, callerOf(request).account.id)),
  );
  server.post(
    '/wallet/grants',
    { schema: { body: GrantSchema, response: answersOf(WalletSchema, 201) } },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const units = readCredits(request.body.credits, 'credits', grantBounds);
      await environment.writer.grant({
        accountId,
        units,
        subject: { kind: 'grant', id: 'granted in the app' },
      });
      return reply.code(201).send(success(presentWallet(environment.database, accountId)));
    },
  );
  server.get(
    '/wallet/entries',
    { schema: { querystring: PageQuerySchema, response: longAnswersOf(LedgerPageSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { count, entries } = listEntries(environment.database, accountId, request.query);
      const links = linkPages(request, request.query, count);
      return success({
        count,
        ...links,
        results: entries.map((entry) => presentEntry(environment, entry)),
      });
    },
  );
}

const RateParamsSchema = z.object({ code: RateSchema.shape.code });

function addRateRoutes(server: ApiServer, { environment }: AccountRouteDeps): void {
  const rates = answersOf(z.array(RateSchema));
  server.get('/rates', { schema: { response: rates } }, async (request) =>
    success(presentRates(environment.database, callerOf(request).account.id)),
  );
  server.put(
    '/rates/:code',
    {
      schema: { params: RateParamsSchema, body: RateChangeSchema, response: answersOf(RateSchema) },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { price, active } = request.body;
      const priceUnits = price === undefined ? undefined : readCredits(price, 'price', rateBounds);
      const { code } = request.params;
      await environment.writer.setRate({ accountId, code, priceUnits, active });
      const rate = presentRates(environment.database, accountId).find((one) => one.code === code);
      if (!rate) throw new Error(`account ${accountId} has no rate for ${code}`);
      return success(rate);
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addAccountAndWalletRoutes(server: ApiServer, context: AccountRouteDeps): void {
  addAccountRoutes(server, context);
  addKeyRoutes(server, context);
  addStdioClientRoute(server, context);
  addWalletRoutes(server, context);
  addRateRoutes(server, context);
}
