// The commands about accounts, their credits, prices and API keys, on the writing connection.
import { describeChange, recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import { labelCharactersMax, stdioClientsMax } from '../contract/limits/accounts.ts';
import { listRates, setRate } from '../ledger/rate.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { AccountChange } from './account.table.ts';
import { changeAccount, createAccount, grantCredits } from './accounts.ts';
import { getKey, type KeyRow, listKeys, touchKey } from './api-key.table.ts';
import { changeKey, createKey, type KeyLimitChange, revokeAccountKey } from './api-keys.ts';
import { presentAccount } from './present-account.ts';

const labelOf = (name: string): string => `stdio: ${name}`.slice(0, labelCharactersMax);

const findByLabel = (
  database: WritableDatabase,
  accountId: number,
  label: string,
): KeyRow | undefined =>
  listKeys(database, accountId).findLast((key) => key.label === label && key.revokedAt === null);

function makeKey(
  database: WritableDatabase,
  environment: EnvironmentName,
  { accountId, name }: { accountId: number; name: string },
  now: Date,
): string {
  if (countStdioClients(database, accountId) >= stdioClientsMax)
    throw new EngineError(
      'forbidden',
      `${stdioClientsMax} assistants are already connected with "desk mcp", and "${name}" is ` +
        'not one of them. Revoke a key in Connections first.',
    );
  return createKey(database, environment, { accountId, label: labelOf(name) }, now).id;
}

/**
 * The id of the key by which caps, ledger and revocation apply to a client of the local socket. The
 * key is created on the client's first connection, and never shown. Throws `forbidden` if the key
 * has been revoked, or there are too many clients.
 *
 *   unknown ──first time──> admitted ──key revoked──> refused
 *                              ^──a new key with its label──┘
 * @param command name: the name that the client reports
 */
export const admitStdioClient = (
  database: WritableDatabase,
  environment: EnvironmentName,
  command: { accountId: number; name: string },
  now: Date,
): { keyId: string } =>
  inTransaction(database, () => {
    const { accountId, name } = command;
    const knownId = findStdioKey(database, accountId, name);
    const known = knownId === null ? null : getKey(database, accountId, knownId);
    if (known && known.revokedAt === null) return { keyId: known.id };
    const label = labelOf(name);
    const renewed = known && findByLabel(database, accountId, label);
    if (known && !renewed)
      throw new EngineError(
        'forbidden',
        `"${name}" was connected before, and its key "${known.label}" has been revoked. To ` +
          `connect it again, create a key with the label "${label}" in Connections.`,
      );
    const keyId = renewed?.id ?? makeKey(database, environment, command, now);
    setStdioKey(database, accountId, name, keyId);
    return { keyId };
  });

interface AccountCommandDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  now(): Date;
  onWallet(accountId: number): void;
  onKey(accountId: number): void;
}

function describeRate(database: WritableDatabase, accountId: number, code: string) {
  const rate = listRates(database, accountId).find((one) => one.code === code);
  return rate ? { price: formatCredits(rate.priceUnits), active: rate.active } : {};
}

interface RateCommand {
  readonly accountId: number;
  readonly code: LayerCode | 'email_validation';
  readonly priceUnits?: CreditUnits | undefined;
  readonly active?: boolean | undefined;
}

export function changeRate(
  database: WritableDatabase,
  { accountId, code, ...change }: RateCommand,
  now: Date,
): void {
  inTransaction(database, () => {
    const before = describeRate(database, accountId, code);
    setRate(database, accountId, code, {
      ...(change.priceUnits !== undefined && { priceUnits: change.priceUnits }),
      ...(change.active !== undefined && { active: change.active }),
    });
    const details = describeChange(before, describeRate(database, accountId, code));
    const note = { action: 'rate_changed', at: now.toISOString(), details } as const;
    if (Object.keys(details).length > 0)
      recordAudit(database, { ...note, accountId, subject: code });
  });
}

export const accountCommands = ({ database, now, onWallet }: AccountCommandDeps) => ({
  'accounts.create': async ({ name }: { name: string }) =>
    presentAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }: AccountChange & { accountUuid: string }) =>
    presentAccount(changeAccount(database, accountUuid, change, now())),
  async grant(command: Parameters<typeof grantCredits>[1]) {
    grantCredits(database, command, now());
    onWallet(command.accountId);
  },
  setRate: async (command: RateCommand) => changeRate(database, command, now()),
});

export const keyCommands = ({ database, environment, now, onKey }: AccountCommandDeps) => ({
  createKey: async (command: { accountId: number; label: string } & KeyLimitChange) =>
    createKey(database, environment, command, now()),
  async changeKey(command: Parameters<typeof changeKey>[1]) {
    const changed = changeKey(database, command, now());
    onKey(command.accountId);
    return changed;
  },
  'keys.revoke': async (command: { accountId: number; id: string }) =>
    revokeAccountKey(database, command, now()),
  /** The key that an assistant on the local socket uses. Throws `forbidden`. */
  admitStdioClient: async (command: { accountId: number; name: string }) =>
    admitStdioClient(database, environment, command, now()),
  /** Stored at most once a minute per key. */
  touchKey: async ({ id }: { id: string }) => touchKey(database, id, now().toISOString()),
});

export type AccountCalls = ReturnType<typeof accountCommands> & ReturnType<typeof keyCommands>;

export const findStdioKey = (
  database: ReadableDatabase,
  accountId: number,
  name: string,
): string | null =>
  statement<{ keyId: string }>(
    database,
    'SELECT key_id AS keyId FROM stdio_client WHERE account_id = ? AND name = ?',
  ).get(accountId, name)?.keyId ?? null;

export const countStdioClients = (database: ReadableDatabase, accountId: number): number =>
  statement<{ clients: number }>(
    database,
    'SELECT count(*) AS clients FROM stdio_client WHERE account_id = ?',
  ).get(accountId)?.clients ?? 0;

function setStdioKey(
  database: WritableDatabase,
  accountId: number,
  name: string,
  keyId: string,
): void {
  statement(
    database,
    `INSERT INTO stdio_client (account_id, name, key_id) VALUES (?, ?, ?)
     ON CONFLICT (account_id, name) DO UPDATE SET key_id = excluded.key_id`,
  ).run(accountId, name, keyId);
}
