// The table `provider_decision`: what a person decided about requests with an unknown outcome.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface ProviderDecision {
  readonly outcome: 'charged' | 'not_charged';
  /** What the parts with an unknown outcome cost; 0 if they were not charged. */
  readonly costUnits: number;
  /** The label of the API key; "app" for the app itself. */
  readonly decidedBy: string;
  readonly decidedAt: string;
}

/** The decisions about a request, oldest first. The last one counts. */
export const listDecisions = (database: ReadableDatabase, requestId: number): ProviderDecision[] =>
  statement<ProviderDecision>(
    database,
    `SELECT outcome, cost_units AS costUnits, decided_by AS decidedBy, decided_at AS decidedAt
     FROM provider_decision WHERE request_id = ? ORDER BY id`,
  ).all(requestId);

interface Decidable {
  readonly state: string;
  readonly costUnits: number | null;
  readonly uncertainUnits: number | null;
}

/** A request; undefined if there is none. Without `uncertainUnits`, its outcome is known. */
export const findDecidable = (
  database: ReadableDatabase,
  requestId: number,
): Decidable | undefined =>
  statement<Decidable>(
    database,
    `SELECT state, cost_units AS costUnits, uncertain_units AS uncertainUnits
     FROM provider_request WHERE id = ?`,
  ).get(requestId);

/**
 * Stores a decision, what the request costs by it, and what later jobs may ask: what was not
 * charged is asked again; what was charged counts as a miss. Call it in a transaction.
 * @param costUnits what the whole request costs
 */
export function insertDecision(
  database: WritableDatabase,
  requestId: number,
  decision: ProviderDecision,
  costUnits: number,
): void {
  const { outcome, decidedBy, decidedAt } = decision;
  statement(
    database,
    `INSERT INTO provider_decision (request_id, outcome, cost_units, decided_by, decided_at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(requestId, outcome, decision.costUnits, decidedBy, decidedAt);
  statement(
    database,
    'UPDATE provider_request SET cost_units = ?, decided_at = ? WHERE id = ?',
  ).run(costUnits, decidedAt, requestId);
  const change =
    outcome === 'charged'
      ? "UPDATE provider_answer SET outcome = 'lost'"
      : 'DELETE FROM provider_answer';
  statement(database, `${change} WHERE request_id = ? AND outcome IN ('lost', 'uncertain')`).run(
    requestId,
  );
}
