/** Stores what a person decides about a request with an unknown outcome. */
import { recordAudit } from '../../audit/record-audit.ts';
import { EngineError } from '../../contract/errors.ts';
import type { RequestDecision } from '../../contract/providers.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { toUnits } from '../waterfall/provider-units.ts';
import { findDecidable, insertDecision, listDecisions } from './provider-decision.table.ts';

/**
 * Stores a decision: it changes the spend of the request and what later jobs ask. A later decision
 * about the same request replaces the cost of an earlier one. Throws `not_found`, and
 * `validation_error` if the outcome is known.
 */
export function decideRequest(
  database: WritableDatabase,
  id: number,
  decision: RequestDecision,
  author: string,
  now: Date,
): void {
  inTransaction(database, () => {
    const request = findDecidable(database, id);
    if (!request) throw new EngineError('not_found', `There is no request ${id} in the log.`);
    const { state, costUnits, uncertainUnits } = request;
    if (uncertainUnits === null)
      throw new EngineError('validation_error', `Request ${id} has no unknown outcome.`);
    const earlier = listDecisions(database, id).at(-1)?.costUnits ?? uncertainUnits;
    // The other parts of an answered request keep their cost.
    const known = state === 'uncertain' ? 0 : (costUnits ?? 0) - earlier;
    const units = decision.outcome === 'charged' ? toUnits(decision.credits) : 0;
    insertDecision(
      database,
      id,
      {
        outcome: decision.outcome,
        costUnits: units,
        decidedBy: author,
        decidedAt: now.toISOString(),
      },
      known + units,
    );
    const note = { action: 'provider_request_decided', at: now.toISOString() } as const;
    const details = { outcome: decision.outcome };
    recordAudit(database, { ...note, accountId: null, subject: String(id), details });
  });
}
