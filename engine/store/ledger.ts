// The ledger: every credit's way from grant to wallet to held to spent, in rows that never change.
//
//   grants ──grant──> wallet ──hold──> held ──settle──> spent
//                     wallet <─release─ held
//                     wallet ──charge────────────────> spent
//
// A hold is resolved once: what is settled and what is released make up the hold. Entries of 0
// units are not written. The schema repeats each of these rules (migrations/001-engine.sql).
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../sqlite/open.ts';
import { statement } from '../sqlite/statement.ts';
import { inTransaction } from '../sqlite/transaction.ts';

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
  entry: { units: number; holdId: number | null; reference: string; at: string },
): number {
  const [from, to] = ledgersByKind[kind];
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO ledger_entry
       (account_id, kind, from_ledger, to_ledger, amount_units, hold_id, reference, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(accountId, kind, from, to, entry.units, entry.holdId, entry.reference, entry.at);
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
      `${formatCredits(availableUnits)}. Add ${missing} credits, or choose fewer rows or layers.`,
  );
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
  return insertEntry(database, accountId, 'grant', { units, holdId: null, reference, at });
}

/**
 * Reserves credits; the hold's id. A hold of 0 units is one too, and is resolved like any other.
 * Throws EngineError insufficient_credits with both amounts; 'amount_negative'.
 */
export function hold(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  reference: string,
  at: string,
): number {
  return inTransaction(database, () => {
    assertCovered(database, accountId, units);
    const { lastInsertRowid } = statement(
      database,
      'INSERT INTO ledger_hold (account_id, amount_units, reference, at) VALUES (?, ?, ?, ?)',
    ).run(accountId, units, reference, at);
    const holdId = Number(lastInsertRowid);
    if (units > 0) insertEntry(database, accountId, 'hold', { units, holdId, reference, at });
    return holdId;
  });
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
         r.hold_id AS resolvedId
       FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
       WHERE h.id = ?`,
    ).get(holdId);
    if (!held) throw new Error('hold_unknown');
    const { accountId, amountUnits, reference } = held;
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
      if (units > 0) insertEntry(database, accountId, kind, { units, holdId, reference, at });
    return { settledUnits, releasedUnits };
  });
}

interface HoldRecord {
  accountId: number;
  amountUnits: number;
  reference: string;
  resolvedId: number | null;
}

/**
 * Spends credits at once: lookups, tools, pipelines. The entry's id, or null where it is free.
 * Throws EngineError insufficient_credits with both amounts; 'amount_negative'.
 */
export function charge(
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  reference: string,
  at: string,
): number | null {
  return inTransaction(database, () => {
    assertCovered(database, accountId, units);
    if (units === 0) return null;
    return insertEntry(database, accountId, 'charge', { units, holdId: null, reference, at });
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
    `SELECT id, kind, amount_units AS amountUnits, hold_id AS holdId, reference, at
     FROM ledger_entry WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
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
  // A job that has not ended holds its credits; one that has ended shows what became of them.
  `SELECT 'job ' || j.uuid || ': its hold does not agree with its state' AS violation
   FROM job j LEFT JOIN ledger_resolution r ON r.hold_id = j.hold_id
   WHERE j.hold_id IS NOT NULL AND CASE WHEN j.status IN ('queued', 'running')
     THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units) IS NOT (j.charged_units, j.released_units) END`,
];

/** Adds the whole ledger up anew: one sentence for each rule that does not hold, none if all do. */
export const verifyLedger = (database: ReadableDatabase): string[] =>
  violationQueries.flatMap((sql) =>
    statement<{ violation: string }>(database, sql)
      .all()
      .map(({ violation }) => violation),
  );
