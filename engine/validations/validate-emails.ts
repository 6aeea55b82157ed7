// Email validations: the hold at the start, verdicts batch by batch, and the end, which settles
// decided verdicts and releases the rest in one transaction (docs/rules.md, "Money").
import { createHash, randomUUID } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { invalid } from '../contract/errors.ts';
import { validationBatchEmailsMax } from '../contract/limits/validations.ts';
import type { Validation, ValidationEstimate } from '../contract/validations.ts';
import { type Spending, spendAllowed } from '../ledger/approve-spending.ts';
import { findReplay, type IdempotencyUse, rememberIdempotent } from '../ledger/idempotency.ts';
import type { Permit } from '../ledger/key-guard.ts';
import { hold, isCovered, readBalances, resolveHold, type Spender } from '../ledger/ledger.ts';
import { listRates } from '../ledger/rate.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { EmailValidator } from './email-validator.ts';
import { keepDomainFindings } from './mail-domain.table.ts';
import { addressKey } from './parse-address.ts';
import { presentValidation, requireValidation } from './present-validation.ts';
import {
  advanceValidation,
  endValidation,
  getValidationById,
  insertValidation,
  readOpenEmails,
  type ValidationRow,
} from './validation.table.ts';

export interface ValidateCommand extends Spending {
  /** As sent, without surrounding spaces. */
  readonly emails: readonly string[];
  readonly idempotency: IdempotencyUse | null;
}

/** `replayed`: an earlier request with the same idempotency key started this validation. */
interface ValidateAnswer {
  readonly validation: Validation;
  readonly replayed: boolean;
}

export interface ValidationCalls {
  validateEmails(command: ValidateCommand): Promise<ValidateAnswer>;
}

/** The price of a decided address. Throws `validation_error` if it is switched off. */
export function priceValidation(database: ReadableDatabase, accountId: number): CreditUnits {
  const rate = listRates(database, accountId).find(({ code }) => code === 'email_validation');
  if (!rate) throw new Error(`account ${accountId} has no rate for email_validation`);
  if (!rate.active)
    throw invalid('Email validation is switched off for this account. Switch it on in Settings.');
  return rate.priceUnits;
}

/** The first spelling of each address, in the order of first appearance. */
function dropDuplicates(emails: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const email of emails) {
    const key = addressKey(email);
    if (!spellings.has(key)) spellings.set(key, email);
  }
  return [...spellings.values()];
}

const requireRow = (database: ReadableDatabase, id: number): ValidationRow => {
  const row = getValidationById(database, id);
  if (!row) throw new Error(`validation ${id} disappeared`);
  return row;
};

/** The amount that a list would hold. Throws `validation_error` if it is switched off. */
export function estimateValidation(
  database: ReadableDatabase,
  spender: Spender,
  emails: readonly string[],
): ValidationEstimate {
  const distinct = dropDuplicates(emails).length;
  const { accountId } = spender;
  const priceUnits = priceValidation(database, accountId);
  const neededUnits = creditUnits(distinct * priceUnits);
  const { availableUnits } = readBalances(database, accountId);
  return {
    total_emails: distinct,
    duplicate_emails: emails.length - distinct,
    price_per_email: formatCredits(priceUnits),
    credits_needed: formatCredits(neededUnits),
    available_credits: formatCredits(availableUnits),
    sufficient: isCovered(database, spender, neededUnits),
  };
}

function insertOrder(
  database: WritableDatabase,
  { accountId, keyId, emails }: ValidateCommand,
  permit: Permit,
  at: string,
): ValidationRow {
  const distinct = dropDuplicates(emails);
  const uuid = randomUUID();
  const priceUnits = priceValidation(database, accountId);
  const heldUnits = creditUnits(distinct.length * priceUnits);
  const subject = { kind: 'email_validation', id: uuid } as const;
  const holdId = hold(database, accountId, heldUnits, subject, at, keyId, permit);
  const id = insertValidation(database, {
    uuid,
    accountId,
    priceUnits,
    holdId,
    heldUnits,
    emails: distinct,
    createdAt: at,
    duplicateEmails: emails.length - distinct.length,
  });
  return requireRow(database, id);
}

/**
 * Holds the price of every distinct address and queues them; no network request is made yet. Throws
 * `insufficient_credits`, `spending_cap_reached`, `approval_required`, `validation_error` if
 * validation is switched off, and `idempotency_conflict`; a refusal leaves nothing behind.
 */
export function startValidation(
  database: WritableDatabase,
  command: ValidateCommand,
  now: Date,
): ValidateAnswer {
  const { accountId, idempotency } = command;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(['validate_emails', command.emails]))
    .digest('hex');
  const earlier = findReplay(database, idempotency, fingerprint, now);
  if (earlier !== null) {
    const row = requireValidation(database, accountId, earlier);
    return { validation: presentValidation(row), replayed: true };
  }
  const at = now.toISOString();
  return spendAllowed(database, command, fingerprint, now, (permit) => {
    const row = insertOrder(database, command, permit, at);
    recordAudit(database, {
      action: 'validation_started',
      at,
      accountId,
      keyId: command.keyId,
      subject: row.uuid,
      rows: row.totalEmails,
      units: row.heldUnits,
    });
    if (idempotency)
      rememberIdempotent(database, { ...idempotency, fingerprint, jobUuid: row.uuid, at });
    return { validation: presentValidation(row), replayed: false };
  });
}

/** Settles decided verdicts and releases the rest. Call inside a transaction. */
function completeValidation(database: WritableDatabase, row: ValidationRow, at: string): void {
  const dueUnits = creditUnits(row.decidedEmails * row.priceUnits);
  const { settledUnits, releasedUnits } = resolveHold(database, row.holdId, dueUnits, at);
  const end = { errorDetail: null, chargedUnits: settledUnits, releasedUnits, at };
  endValidation(database, row.id, end);
}

/**
 * Validates the next addresses of a validation and writes their verdicts, with the end after the
 * last: completely or, after a kill, not at all. Returns whether the validation has ended.
 * @param isStopping checked after the name server requests: if true, nothing is written
 */
export async function validateNextEmails(
  database: WritableDatabase,
  validator: EmailValidator,
  id: number,
  deps: { now(): Date; isStopping(): boolean },
): Promise<'open' | 'ended'> {
  const row = requireRow(database, id);
  const emails = readOpenEmails(database, row, validationBatchEmailsMax);
  const { verdicts, findings } = await validator.validateEmails(emails);
  if (deps.isStopping()) return 'open';
  const at = deps.now().toISOString();
  return inTransaction(database, () => {
    advanceValidation(database, row, verdicts, at);
    keepDomainFindings(database, findings);
    const advanced = requireRow(database, id);
    if (advanced.doneEmails < advanced.totalEmails) return 'open';
    completeValidation(database, advanced, at);
    return 'ended';
  });
}

/** Ends a validation because of a bug in the engine. Nothing is charged. */
export function failValidation(
  database: WritableDatabase,
  id: number,
  errorDetail: string,
  now: Date,
): void {
  const at = now.toISOString();
  inTransaction(database, () => {
    const { holdId } = requireRow(database, id);
    const { releasedUnits } = resolveHold(database, holdId, creditUnits(0), at);
    endValidation(database, id, { errorDetail, chargedUnits: creditUnits(0), releasedUnits, at });
  });
}
