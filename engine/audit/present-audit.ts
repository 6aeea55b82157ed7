// Entries of the audit log as lists and exports show them.
import { AuditDetailsSchema, type AuditEntry, type AuditFilter } from '../contract/audit/audit.ts';
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import type { NamedAuditRow } from './audit.table.ts';

export const presentAudit = (row: NamedAuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  environment: row.environment,
  actor_kind: row.actorKind,
  actor: row.actor,
  key_prefix: row.keyPrefix,
  account: row.accountName,
  account_id: row.account,
  action: row.action,
  subject: row.subject,
  rows: row.rowCount,
  credits: row.creditUnits === null ? null : formatCredits(creditUnits(row.creditUnits)),
  details: readJson(AuditDetailsSchema, row.details, {}),
  hash: row.hash,
});

export const readAuditFilter = ({ since, ...filter }: AuditFilter): AuditFilter => ({
  ...filter,
  ...(since !== undefined && { since: new Date(since).toISOString() }),
});
