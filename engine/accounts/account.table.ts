// The table `account`: the accounts of this installation, how each is charged and matched.
import { type EngineError, notFound } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Charged per enriched row, or only for the layers that returned data (docs/rules.md, "Money"). */
export type ChargePolicy = 'row' | 'layers_found';

/** What a run of a monitor charges: every answer, or those that are new or changed. */
export type MonitorCharge = 'answers' | 'changes';

export interface AccountRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly chargePolicy: ChargePolicy;
  /** Matches below this confidence are refused; 0 to 1. */
  readonly matchThreshold: number;
  /** Days within which a later job does not charge a person's layers again; 0 for never. */
  readonly freeRepeatDays: number;
  /** Whether jobs infer work emails that neither the directory nor a provider has. */
  readonly inferEmails: 0 | 1;
  readonly monitorCharge: MonitorCharge;
  /** Whether its owner spends only the credits of the wallet; otherwise missing ones are added. */
  readonly hasBudget: 0 | 1;
  readonly createdAt: string;
}

const selectAccount = `
  SELECT id, uuid, name, charge_policy AS chargePolicy, match_threshold AS matchThreshold,
    free_repeat_days AS freeRepeatDays, infer_emails AS inferEmails,
    monitor_charge AS monitorCharge, has_budget AS hasBudget, created_at AS createdAt
  FROM account`;

/** Adds an account with empty ledgers. Call insertDefaultRates to add its rates. */
export function insertAccount(
  database: WritableDatabase,
  account: { uuid: string; name: string; matchThreshold: number; at: string },
): AccountRow {
  const { lastInsertRowid } = statement(
    database,
    'INSERT INTO account (uuid, name, match_threshold, created_at) VALUES (?, ?, ?, ?)',
  ).run(account.uuid, account.name, account.matchThreshold, account.at);
  const inserted = getAccountById(database, Number(lastInsertRowid));
  if (!inserted) throw new Error('account_not_inserted');
  return inserted;
}

export const getAccount = (database: ReadableDatabase, uuid: string): AccountRow | null =>
  statement<AccountRow>(database, `${selectAccount} WHERE uuid = ?`).get(uuid) ?? null;

export const getAccountById = (database: ReadableDatabase, id: number): AccountRow | null =>
  statement<AccountRow>(database, `${selectAccount} WHERE id = ?`).get(id) ?? null;

export const noSuchAccount = (): EngineError =>
  notFound('This account does not exist. List your accounts to find its id.');

/** Every account, oldest first. The first is the installation's own. */
export const listAccounts = (database: ReadableDatabase): AccountRow[] =>
  statement<AccountRow>(database, `${selectAccount} ORDER BY id`).all();

export interface AccountChange {
  readonly name?: string | undefined;
  readonly chargePolicy?: ChargePolicy | undefined;
  readonly matchThreshold?: number | undefined;
  readonly freeRepeatDays?: number | undefined;
  readonly inferEmails?: boolean | undefined;
  readonly monitorCharge?: MonitorCharge | undefined;
  readonly hasBudget?: boolean | undefined;
}

/** Changes the given fields. Throws if the account does not exist. */
export function updateAccount(database: WritableDatabase, id: number, change: AccountChange): void {
  const { changes } = statement(
    database,
    `UPDATE account SET name = ifnull(?, name), charge_policy = ifnull(?, charge_policy),
       match_threshold = ifnull(?, match_threshold), free_repeat_days = ifnull(?, free_repeat_days),
       infer_emails = ifnull(?, infer_emails), monitor_charge = ifnull(?, monitor_charge),
       has_budget = ifnull(?, has_budget)
     WHERE id = ?`,
  ).run(
    change.name ?? null,
    change.chargePolicy ?? null,
    change.matchThreshold ?? null,
    change.freeRepeatDays ?? null,
    change.inferEmails === undefined ? null : Number(change.inferEmails),
    change.monitorCharge ?? null,
    change.hasBudget === undefined ? null : Number(change.hasBudget),
    id,
  );
  if (changes !== 1) throw new Error('account_unknown');
}
