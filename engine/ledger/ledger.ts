// The ledger: moves credits from grants to wallet to held to spent, in immutable rows.
//
//   grants ──grant──> wallet ──hold──> held ──settle──> spent
//                     wallet <─release─ held
//                     wallet ──charge────────────────> spent
//                     wallet <─refund───────────────── spent
//
// A hold is resolved once: the settled and released amounts add up to the hold. Entries of 0 units
// are not written. Each entry has a subject, by kind and id; the entries of a hold have the hold's
// subject. If the owner of an account without a budget needs more than the wallet has, the missing
// credits are granted in the transaction of the hold or the charge. A hold, its entries and a
// charge record the API key that caused them. What a key may spend (key-guard.ts) is checked in the
// transaction that spends, which also uses up the approval. The schema repeats each of these rules
// (migrations/001-engine.sql).

import { recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, creditUnits, sayCredits, showCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type {
  ChargeSubject,
  GrantSubject,
  HoldSubject,
  LedgerSubject,
} from '../contract/ledger-subject.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { consumeApproval } from './approval.table.ts';
import { assertWithinCaps, assertWithinGuard, noPermit, type Permit } from './key-guard.ts';
import { violationQueries } from './ledger-rules.ts';

/** The kinds of an entry. Each kind moves credits between one pair of ledgers. */
export type EntryKind = 'grant' | 'hold' | 'settle' | 'release' | 'charge' | 'refund';

export interface EntryRow {
  readonly id: number;
  readonly kind: EntryKind;
  /** Always above 0. */
  readonly amountUnits: CreditUnits;
  readonly holdId: number | null;
  readonly subject: LedgerSubject;
  readonly at: string;
  /** The API key that caused it, with its label; null for the app and the command line. */
  readonly keyId: string | null;
  readonly keyLabel: string | null;
}

export interface Balances {
  readonly availableUnits: CreditUnits;
  readonly heldUnits: CreditUnits;
  readonly spentUnits: CreditUnits;
}

const ledgersByKind: Readonly<Record<EntryKind, readonly [from: string, to: string]>> = {
  grant: ['grants', 'wallet'],
  hold: ['wallet', 'held'],
  settle: ['held', 'spent'],
  release: ['held', 'wallet'],
  charge: ['wallet', 'spent'],
  refund: ['spent', 'wallet'],
};

function insertEntry(
  database: WritableDatabase,
  accountId: number,
  kind: EntryKind,
  entry: {
    units: number;
    holdId: number | null;
    subject: LedgerSubject;
    at: string;
    keyId: string | null;
  },
): number {
  const [from, to] = ledgersByKind[kind];
  return insertRow(database, 'ledger_entry', {
    accountId,
    kind,
    fromLedger: from,
    toLedger: to,
    amountUnits: entry.units,
    holdId: entry.holdId,
    subjectKind: entry.subject.kind,
    subjectId: entry.subject.id,
    at: entry.at,
    keyId: entry.keyId,
  });
}

/** Who spends: an account, by one of its API keys, or by its owner in the app (null). */
export interface Spender {
  readonly accountId: number;
  readonly keyId: string | null;
}

/**
 * Whether missing credits are added when they are needed: for the owner of an account without a
 * budget. Keys, and through them assistants and programs, spend only what the wallet has.
 */
export const isUnmetered = (database: ReadableDatabase, { accountId, keyId }: Spender): boolean =>
  keyId === null &&
  statement(database, 'SELECT 1 FROM account WHERE id = ? AND has_budget = 0').get(accountId) !==
    undefined;

/** Whether an amount can be spent now, as far as the wallet decides. */
export const isCovered = (
  database: ReadableDatabase,
  spender: Spender,
  units: CreditUnits,
): boolean =>
  units <= readBalances(database, spender.accountId).availableUnits ||
  isUnmetered(database, spender);

const addedWhenNeeded: GrantSubject = { kind: 'grant', id: 'added when needed' };

/**
 * Adds the credits that the wallet lacks for an amount, or refuses the amount; the error has the
 * balance and what is missing. Call inside the transaction that spends.
 */
function coverAmount(
  database: WritableDatabase,
  spender: Spender,
  units: CreditUnits,
  at: string,
): void {
  if (creditUnits(units) < 0) throw new Error('amount_negative');
  const { accountId } = spender;
  const { availableUnits } = readBalances(database, accountId);
  if (units <= availableUnits) return;
  const missingUnits = creditUnits(units - availableUnits);
  if (isUnmetered(database, spender)) {
    grant(database, accountId, missingUnits, addedWhenNeeded, at);
    const details = { when_needed: true };
    recordAudit(database, {
      action: 'credits_granted',
      at,
      accountId,
      units: missingUnits,
      details,
    });
    return;
  }
  throw new EngineError(
    'insufficient_credits',
    `This needs ${sayCredits(units)} and the wallet has ` +
      `${showCredits(availableUnits)}. Add ${sayCredits(missingUnits)}, or request less.`,
  );
}

interface KeyUse {
  readonly keyId: string | null;
  readonly permit: Permit;
}

/** Refuses what a key may not spend. Returns how to use up the approval after spending. */
function checkKey(
  database: WritableDatabase,
  { keyId, permit }: KeyUse,
  units: CreditUnits,
  at: string,
): (entryId: number) => void {
  if (keyId === null) return () => undefined;
  assertWithinCaps(database, keyId, units, at);
  const isNeeded = assertWithinGuard(database, keyId, units, permit);
  return (entryId) => {
    if (isNeeded && permit.kind === 'approval')
      consumeApproval(database, permit.id, { keyId, units, entryId, at });
  };
}

/**
 * Adds credits to an account's wallet. Returns the entry's id. Throws 'amount_not_positive', and a
 * SqliteError if the sum of all grants exceeds exact integers.
 * @param origin where the credits come from, in words
 */
export function grant(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  subject: GrantSubject,
  at: string,
): number {
  if (creditUnits(units) <= 0) throw new Error('amount_not_positive');
  return insertEntry(database, accountId, 'grant', {
    units,
    holdId: null,
    subject,
    at,
    keyId: null,
  });
}

/**
 * Reserves credits. Returns the hold's id. A hold of 0 units is allowed and is resolved like any
 * other. Throws EngineError insufficient_credits with both amounts, then spending_cap_reached, then
 * ApprovalNeeded; 'amount_negative'.
 * @param keyId the API key that causes it, null for the app and the command line
 * @param permit what allows the key to spend the amount; used up with the hold
 */
export function hold(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  subject: HoldSubject,
  at: string,
  keyId: string | null = null,
  permit: Permit = noPermit,
): number {
  return inTransaction(database, () => {
    coverAmount(database, { accountId, keyId }, units, at);
    const allow = checkKey(database, { keyId, permit }, units, at);
    const holdId = insertRow(database, 'ledger_hold', {
      accountId,
      amountUnits: units,
      subjectKind: subject.kind,
      subjectId: subject.id,
      at,
      keyId,
    });
    const entry = { units, holdId, subject, at, keyId };
    if (units > 0) allow(insertEntry(database, accountId, 'hold', entry));
    return holdId;
  });
}

/** The entry of a hold of more than 0 units. Throws 'hold_unknown'. */
export function findHoldEntry(database: ReadableDatabase, holdId: number): number {
  const entry = statement<{ id: number }>(
    database,
    "SELECT id FROM ledger_entry WHERE hold_id = ? AND kind = 'hold'",
  ).get(holdId);
  if (!entry) throw new Error('hold_unknown');
  return entry.id;
}

/**
 * Resolves a hold: spends `settleUnits` of it and releases the rest. Throws 'hold_unknown',
 * 'hold_already_resolved', 'settle_negative', 'settle_exceeds_hold'.
 */
export function resolveHold(
  database: WritableDatabase,
  holdId: number,
  settleUnits: CreditUnits,
  at: string,
): { settledUnits: CreditUnits; releasedUnits: CreditUnits } {
  return inTransaction(database, () => {
    const held = statement<HoldRecord>(
      database,
      `SELECT h.account_id AS accountId, h.amount_units AS amountUnits,
         h.subject_kind AS subjectKind, h.subject_id AS subjectId, h.key_id AS keyId,
         r.hold_id AS resolvedId
       FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
       WHERE h.id = ?`,
    ).get(holdId);
    if (!held) throw new Error('hold_unknown');
    const { accountId, amountUnits, keyId } = held;
    const subject = { kind: held.subjectKind, id: held.subjectId };
    if (held.resolvedId !== null) throw new Error('hold_already_resolved');
    const settledUnits = creditUnits(settleUnits);
    if (settledUnits < 0) throw new Error('settle_negative');
    if (settledUnits > amountUnits) throw new Error('settle_exceeds_hold');
    const releasedUnits = creditUnits(amountUnits - settledUnits);
    insertRow(database, 'ledger_resolution', {
      holdId,
      accountId,
      holdUnits: amountUnits,
      settledUnits,
      releasedUnits,
      at,
    });
    const parts = [
      ['settle', settledUnits],
      ['release', releasedUnits],
    ] as const;
    for (const [kind, units] of parts)
      if (units > 0) insertEntry(database, accountId, kind, { units, holdId, subject, at, keyId });
    return { settledUnits, releasedUnits };
  });
}

interface HoldRecord {
  accountId: number;
  amountUnits: number;
  subjectKind: HoldSubject['kind'];
  subjectId: string;
  keyId: string | null;
  resolvedId: number | null;
}

/**
 * Spends credits at once: for lookups, tools and monitors. Returns the entry's id, or null for 0
 * units. Throws EngineError insufficient_credits with both amounts, then spending_cap_reached, then
 * ApprovalNeeded; 'amount_negative'.
 * @param keyId the API key that causes it, null for the app and the command line
 * @param permit what allows the key to spend the amount; used up with the charge
 */
export function charge(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  subject: ChargeSubject,
  at: string,
  keyId: string | null = null,
  permit: Permit = noPermit,
): number | null {
  return inTransaction(database, () => {
    coverAmount(database, { accountId, keyId }, units, at);
    if (units === 0) return null;
    const allow = checkKey(database, { keyId, permit }, units, at);
    const entry = { units, holdId: null, subject, at, keyId };
    const entryId = insertEntry(database, accountId, 'charge', entry);
    allow(entryId);
    return entryId;
  });
}

/**
 * Returns what a review charged for a pick that was withdrawn; the entry's id. It does not reduce
 * what the key has spent: its caps count what it caused. Throws 'amount_not_positive', and a
 * SqliteError where more is returned than was ever spent.
 * @param keyId the API key that withdrew the pick, null for the app and the command line
 */
export function refund(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  subject: { readonly kind: 'review'; readonly id: string },
  at: string,
  keyId: string | null,
): number {
  if (creditUnits(units) <= 0) throw new Error('amount_not_positive');
  const entry = { units, holdId: null, subject, at, keyId };
  return insertEntry(database, accountId, 'refund', entry);
}

/** The account's balances: the sums of its entries. Throws 'account_unknown'. */
export function readBalances(database: ReadableDatabase, accountId: number): Balances {
  const balances = statement<Balances>(
    database,
    `SELECT wallet_units AS availableUnits, held_units AS heldUnits, spent_units AS spentUnits
     FROM ledger_balance WHERE account_id = ?`,
  ).get(accountId);
  if (!balances) throw new Error('account_unknown');
  return balances;
}

type EntryRecord = Omit<EntryRow, 'subject'> & {
  readonly subjectKind: LedgerSubject['kind'];
  readonly subjectId: string;
};

const selectEntry = `
  SELECT e.id, e.kind, e.amount_units AS amountUnits, e.hold_id AS holdId,
    e.subject_kind AS subjectKind, e.subject_id AS subjectId, e.at,
    e.key_id AS keyId, k.label AS keyLabel
  FROM ledger_entry e LEFT JOIN api_key k ON k.id = e.key_id`;

const readEntry = ({ subjectKind, subjectId, ...entry }: EntryRecord): EntryRow => ({
  ...entry,
  subject: { kind: subjectKind, id: subjectId },
});

/** A page of the account's entries, newest first, and their total number. */
export function listEntries(
  database: ReadableDatabase,
  accountId: number,
  page: { limit: number; offset: number },
): { count: number; entries: EntryRow[] } {
  const counted = statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM ledger_entry WHERE account_id = ?',
  ).get(accountId);
  const records = statement<EntryRecord>(
    database,
    `${selectEntry} WHERE e.account_id = ? ORDER BY e.id DESC LIMIT ? OFFSET ?`,
  ).all(accountId, page.limit, page.offset);
  return { count: counted?.count ?? 0, entries: records.map(readEntry) };
}

export const getEntries = (database: ReadableDatabase, ids: readonly number[]): EntryRow[] =>
  statement<EntryRecord>(
    database,
    `${selectEntry} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id DESC`,
  )
    .all(JSON.stringify(ids))
    .map(readEntry);

/** Checks every rule of the ledger from the rows alone. Returns a sentence per violation. */
export const verifyLedger = (database: ReadableDatabase): string[] =>
  violationQueries.flatMap((sql) =>
    statement<{ violation: string }>(database, sql)
      .all()
      .map(({ violation }) => violation),
  );
