// Accounts in the format of the API.
import type { Account } from '../contract/accounts.ts';
import type { AccountRow } from './account.table.ts';

export function presentAccount(account: AccountRow): Account {
  return {
    id: account.uuid,
    name: account.name,
    charge_policy: account.chargePolicy,
    match_threshold: account.matchThreshold,
    free_repeat_days: account.freeRepeatDays,
    infer_emails: account.inferEmails === 1,
    monitor_charge: account.monitorCharge,
    has_budget: account.hasBudget === 1,
    created_at: account.createdAt,
  };
}
