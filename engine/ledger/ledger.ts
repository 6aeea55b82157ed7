// The ledger: every credit's way from grant to wallet to held to spent, in rows that never change.
//
//   grants ──grant──> wallet ──hold──> held ──settle──> spent
//                     wallet <─release─ held
//                     wallet ──charge────────────────> spent
//
// A hold is resolved once: what is settled and what is released make up the hold. Entries of 0
// units are not written. A hold, its entries and a charge name the API key that caused them; what
// a key may spend a day and a month (key-spending.ts) and in one request (key-guard.ts) is checked
// in the transaction that spends, which uses up the approval that it needs.
// The schema repeats each of these rules (migrations/001-engine.sql).
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { consumeApproval } from './approval.table.ts';
import { assertWithinGuard, noPermit, type Permit } from './key-guard.ts';
import { assertWithinCaps } from './key-spending.ts';

/** The kinds of an entry; each moves between one pair of ledgers alone. */
export type EntryKind = 'grant' | 'hold' | 'settle' | 'release' | 'charge';

/** One movement of credits. */
export interface EntryRow {
  readonly id: number;
  readonly kind: EntryKind;
  /** Always above 0. */
  readonly amountUnits: CreditUnits;
  readonly holdId: number | null;
  /** What it was for: a job's UUID, a name of the grant. */
  readonly reference: string;
  readonly at: string;
  /** The API key that caused it, with its label; null for the app and the command line. */
  readonly keyId: string | null;
  readonly keyLabel: string | null;
}

/** What an account can spend, has reserved and has spent. */
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
};

function insertEntry(
  database: WritableDatabase,
  accountId: number,
  kind: EntryKind,
  entry: {
    units: number;
    holdId: number | null;
    reference: string;
    at: string;
    keyId: string | null;
  },
): number {
  const [from, to] = ledgersByKind[kind];
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO ledger_entry
       (account_id, kind, from_ledger, to_ledger, amount_units, hold_id, reference, at, key_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    accountId,
    kind,
    from,
    to,
    entry.units,
    entry.holdId,
    entry.reference,
    entry.at,
    entry.keyId,
  );
  return Number(lastInsertRowid);
}

/** Refuses an amount that the wallet cannot cover, naming what is there and what is missing. */
function assertCovered(database: ReadableDatabase, accountId: number, units: number): void {
  if (creditUnits(units) < 0) throw new Error('amount_negative');
  const { availableUnits } = readBalances(database, accountId);
  if (units <= availableUnits) return;
  const missing = formatCredits(creditUnits(units - availableUnits));
  throw new EngineError(
    'insufficient_credits',
    `This needs ${formatCredits(creditUnits(units))} credits and the wallet has ` +
      `${formatCredits(availableUnits)}. Add ${missing} credits, or ask for less.`,
  );
}

/** What a key has to do with spending: who it is, and what it was allowed. */
interface KeyUse {
  readonly keyId: string | null;
  readonly permit: Permit;
}

/** Refuses what a key may not spend; otherwise how to use up what allows it, once it is spent. */
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
 * Adds credits to an account's wallet; the entry's id.
 * Throws 'amount_not_positive', and a SqliteError where all grants together leave exact integers.
 */
export function grant(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  reference: string,
  at: string,
): number {
  if (creditUnits(units) <= 0) throw new Error('amount_not_positive');
  return insertEntry(database, accountId, 'grant', {
    units,
    holdId: null,
    reference,
    at,
    keyId: null,
  });
}

/**
 * Reserves credits; the hold's id. A hold of 0 units is one too, and is resolved like any other.
 * Throws EngineError insufficient_credits with both amounts, then spending_cap_reached, then
 * ApprovalNeeded; 'amount_negative'.
 * @param keyId the API key that causes it, null for the app and the command line
 * @param permit what allows the key to spend so much; used up with the hold
 */
export function hold(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  reference: string,
  at: string,
  keyId: string | null = null,
  permit: Permit = noPermit,
): number {
  return inTransaction(database, () => {
    assertCovered(database, accountId, units);
    const allow = checkKey(database, { keyId, permit }, units, at);
    const { lastInsertRowid } = statement(
      database,
      `INSERT INTO ledger_hold (account_id, amount_units, reference, at, key_id)
       VALUES (?, ?, ?, ?, ?)`,
    ).run(accountId, units, reference, at, keyId);
    const holdId = Number(lastInsertRowid);
    const entry = { units, holdId, reference, at, keyId };
    if (units > 0) allow(insertEntry(database, accountId, 'hold', entry));
    return holdId;
  });
}

/** The entry that made a hold of more than 0 units. Throws 'hold_unknown'. */
export function findHoldEntry(database: ReadableDatabase, holdId: number): number {
  const entry = statement<{ id: number }>(
    database,
    "SELECT id FROM ledger_entry WHERE hold_id = ? AND kind = 'hold'",
  ).get(holdId);
  if (!entry) throw new Error('hold_unknown');
  return entry.id;
}

/**
 * Ends a hold: spends `settleUnits` of it and gives the rest back, both at once.
 * Throws 'hold_unknown', 'hold_already_resolved', 'settle_negative', 'settle_exceeds_hold'.
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
      `SELECT h.account_id AS accountId, h.amount_units AS amountUnits, h.reference,
         h.key_id AS keyId, r.hold_id AS resolvedId
       FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
       WHERE h.id = ?`,
    ).get(holdId);
    if (!held) throw new Error('hold_unknown');
    const { accountId, amountUnits, reference, keyId } = held;
    if (held.resolvedId !== null) throw new Error('hold_already_resolved');
    const settledUnits = creditUnits(settleUnits);
    if (settledUnits < 0) throw new Error('settle_negative');
    if (settledUnits > amountUnits) throw new Error('settle_exceeds_hold');
    const releasedUnits = creditUnits(amountUnits - settledUnits);
    statement(
      database,
      `INSERT INTO ledger_resolution
         (hold_id, account_id, hold_units, settled_units, released_units, at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(holdId, accountId, amountUnits, settledUnits, releasedUnits, at);
    const parts = [
      ['settle', settledUnits],
      ['release', releasedUnits],
    ] as const;
    for (const [kind, units] of parts)
      if (units > 0)
        insertEntry(database, accountId, kind, { units, holdId, reference, at, keyId });
    return { settledUnits, releasedUnits };
  });
}

interface HoldRecord {
  accountId: number;
  amountUnits: number;
  reference: string;
  keyId: string | null;
  resolvedId: number | null;
}

/**
 * Spends credits at once: lookups, tools, monitors. The entry's id, or null where it is free.
 * Throws EngineError insufficient_credits with both amounts, then spending_cap_reached, then
 * ApprovalNeeded; 'amount_negative'.
 * @param keyId the API key that causes it, null for the app and the command line
 * @param permit what allows the key to spend so much; used up with the charge
 */
export function charge(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  reference: string,
  at: string,
  keyId: string | null = null,
  permit: Permit = noPermit,
): number | null {
  return inTransaction(database, () => {
    assertCovered(database, accountId, units);
    if (units === 0) return null;
    const allow = checkKey(database, { keyId, permit }, units, at);
    const entry = { units, holdId: null, reference, at, keyId };
    const entryId = insertEntry(database, accountId, 'charge', entry);
    allow(entryId);
    return entryId;
  });
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

/** A page of the account's entries, newest first, and how many there are. */
export function listEntries(
  database: ReadableDatabase,
  accountId: number,
  page: { limit: number; offset: number },
): { count: number; entries: EntryRow[] } {
  const counted = statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM ledger_entry WHERE account_id = ?',
  ).get(accountId);
  const entries = statement<EntryRow>(
    database,
    `SELECT e.id, e.kind, e.amount_units AS amountUnits, e.hold_id AS holdId, e.reference, e.at,
       e.key_id AS keyId, k.label AS keyLabel
     FROM ledger_entry e LEFT JOIN api_key k ON k.id = e.key_id
     WHERE e.account_id = ? ORDER BY e.id DESC LIMIT ? OFFSET ?`,
  ).all(accountId, page.limit, page.offset);
  return { count: counted?.count ?? 0, entries };
}

// Each finds what must not be, from the rows alone, and says it in a sentence of its own.
const violationQueries = [
  // The running balances against the sums of the rows.
  `WITH movement AS (
     SELECT account_id, from_ledger AS ledger, -amount_units AS units FROM ledger_entry
     UNION ALL SELECT account_id, to_ledger, amount_units FROM ledger_entry
   ), summed AS (
     SELECT a.id AS account_id,
       ifnull(sum(units) FILTER (WHERE ledger = 'grants'), 0) AS grants_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'wallet'), 0) AS wallet_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'held'), 0) AS held_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'spent'), 0) AS spent_units
     FROM account a LEFT JOIN movement m ON m.account_id = a.id GROUP BY a.id
   )
   SELECT 'account ' || s.account_id || ': the balances are not the sums of the entries'
     AS violation
   FROM summed s LEFT JOIN ledger_balance b USING (account_id)
   WHERE (b.grants_units, b.wallet_units, b.held_units, b.spent_units)
     IS NOT (s.grants_units, s.wallet_units, s.held_units, s.spent_units)
   UNION ALL SELECT 'account ' || account_id || ': a balance is below 0'
   FROM summed WHERE wallet_units < 0 OR held_units < 0 OR spent_units < 0`,
  // A hold's entries against the hold and its resolution; 0 units have no entry.
  `SELECT 'hold ' || h.id || ': its entries are not the hold and its resolution' AS violation
   FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
   WHERE (nullif(h.amount_units, 0), nullif(r.settled_units, 0), nullif(r.released_units, 0))
     IS NOT (
       SELECT max(amount_units) FILTER (WHERE kind = 'hold'),
         max(amount_units) FILTER (WHERE kind = 'settle'),
         max(amount_units) FILTER (WHERE kind = 'release')
       FROM ledger_entry WHERE hold_id = h.id AND account_id = h.account_id)`,
  `SELECT 'hold ' || h.id || ': its resolution does not make up the hold' AS violation
   FROM ledger_hold h JOIN ledger_resolution r ON r.hold_id = h.id
   WHERE r.settled_units + r.released_units <> h.amount_units`,
  // What each key spent a day against the holds, resolutions and charges that name it.
  `WITH caused AS (
     SELECT h.key_id, substr(h.at, 1, 10) AS day,
       h.amount_units - ifnull(r.released_units, 0) AS units
     FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
     WHERE h.key_id IS NOT NULL
     UNION ALL SELECT key_id, substr(at, 1, 10), amount_units FROM ledger_entry
     WHERE kind = 'charge' AND key_id IS NOT NULL
     UNION ALL SELECT key_id, day, -spent_units FROM key_spending
   )
   SELECT 'key ' || key_id || ': what it spent on ' || day || ' is not the sum of its rows'
     AS violation
   FROM caused GROUP BY key_id, day HAVING sum(units) <> 0`,
  // What was spent under an approval against what a person has allowed.
  `SELECT 'approval ' || a.id || ': what was spent under it is not what was allowed' AS violation
   FROM approval a LEFT JOIN ledger_entry e ON e.id = a.entry_id
   WHERE a.status = 'used' AND (a.used_units > a.asked_units
     OR (a.entry_id IS NOT NULL AND (e.key_id, e.amount_units) IS NOT (a.key_id, a.used_units)))`,
  // What work that spends later has spent against what it was authorised to.
  `SELECT 'pipeline ' || uuid || ': it holds more than it was authorised to' AS violation
   FROM pipeline WHERE held_units > authorised_units
   UNION ALL SELECT 'career monitor job ' || id || ': it costs more than it was authorised to'
   FROM monitor_job WHERE due_units > authorised_units`,
  // A charge for values of people against the prices of these; other charges name none. A hold is
  // that of a pipeline, whose rule follows.
  `SELECT 'charge ' || o.entry_id || ': its amount is not the prices of what it paid for'
     AS violation
   FROM owned o LEFT JOIN ledger_entry e ON e.id = o.entry_id AND e.account_id = o.account_id
     AND (e.kind = 'charge'
       OR (e.kind = 'hold' AND EXISTS (SELECT 1 FROM pipeline p WHERE p.hold_id = e.hold_id)))
   GROUP BY o.entry_id
   HAVING count(e.id) <> count(*)
     OR (max(e.kind) = 'charge' AND sum(o.price_units) <> max(e.amount_units))`,
  // A job that has not ended holds its credits; one that has ended shows what became of them.
  `SELECT 'job ' || j.uuid || ': its hold does not agree with its state' AS violation
   FROM job j LEFT JOIN ledger_resolution r ON r.hold_id = j.hold_id
   WHERE j.hold_id IS NOT NULL AND CASE WHEN j.status IN ('queued', 'running')
     THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units) IS NOT (j.charged_units, j.released_units) END`,
  // The same of a validation of emails.
  `SELECT 'email validation ' || v.uuid || ': its hold does not agree with its state' AS violation
   FROM email_validation v LEFT JOIN ledger_resolution r ON r.hold_id = v.hold_id
   WHERE CASE WHEN v.completed_at IS NULL THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units) IS NOT (v.charged_units, v.released_units) END`,
  // A pipeline that has not ended holds its credits; one that has ended shows what became of them.
  `SELECT 'pipeline ' || p.uuid || ': its hold does not agree with its state' AS violation
   FROM pipeline p LEFT JOIN ledger_resolution r ON r.hold_id = p.hold_id
   WHERE CASE WHEN p.hold_id IS NULL OR p.completed_at IS NULL THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units)
       IS NOT (p.charged_units, p.released_units) END`,
  // What a pipeline says that it cost against its contacts.
  `SELECT 'pipeline ' || p.uuid || ': what it charged is not the sum of its contacts' AS violation
   FROM pipeline p WHERE p.charged_units <> (
     SELECT ifnull(sum(c.charged_units), 0) FROM pipeline_contact c WHERE c.pipeline_id = p.id)`,
  // What the account owns by a pipeline's hold, against what that has paid but for verdicts.
  `SELECT 'pipeline ' || p.uuid || ': what is owned by its hold is not what that has paid for'
     AS violation
   FROM pipeline p LEFT JOIN ledger_entry e ON e.hold_id = p.hold_id AND e.kind = 'hold'
   WHERE p.charged_units - p.paid_verdicts * ifnull(p.verify_price_units, 0)
     <> (SELECT ifnull(sum(o.price_units), 0) FROM owned o WHERE o.entry_id = e.id)`,
];

/** Adds the whole ledger up anew: one sentence for each rule that does not hold, none if all do. */
export const verifyLedger = (database: ReadableDatabase): string[] =>
  violationQueries.flatMap((sql) =>
    statement<{ violation: string }>(database, sql)
      .all()
      .map(({ violation }) => violation),
  );
