/**
 * Corrects what the requests of a job cost by the balance before and after it, if the difference
 * can only be theirs: no other request to the provider ran in between, no outcome is unknown, and
 * the difference is one that the requests can have cost.
 */
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import {
  countOtherRequests,
  listJobRequests,
  type MeasuredRequest,
  setMeasuredCost,
} from '../waterfall/provider-request.table.ts';
import { toUnits } from '../waterfall/provider-units.ts';

/** A job, and the balances before its first request and after its last. */
export interface MeasuredJob {
  readonly provider: string;
  readonly jobId: number;
  readonly before: { readonly credits: number; readonly at: string };
  readonly after: { readonly credits: number; readonly at: string };
}

/**
 * What each request cost: in proportion to what its answer says, at most its maximum. Null if the
 * total cannot be theirs.
 */
export function shareUnits(
  total: number,
  requests: readonly Pick<MeasuredRequest, 'costUnits' | 'costMaxUnits'>[],
): number[] | null {
  if (!Number.isFinite(total)) return null;
  const estimate = requests.reduce((sum, { costUnits }) => sum + costUnits, 0);
  const shares = requests.map(({ costUnits, costMaxUnits }) =>
    estimate === 0 ? 0 : Math.min(costMaxUnits, Math.floor((total * costUnits) / estimate)),
  );
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  for (const [at, { costMaxUnits }] of requests.entries()) {
    const more = Math.min(left, costMaxUnits - (shares[at] ?? 0));
    shares[at] = (shares[at] ?? 0) + more;
    left -= more;
  }
  return total < 0 || left > 0 ? null : shares;
}

/** Corrects the costs of a job, or leaves them as they are. */
export function settleByBalance(database: WritableDatabase, job: MeasuredJob): void {
  const { provider, jobId, before, after } = job;
  inTransaction(database, () => {
    const requests = listJobRequests(database, provider, jobId);
    const isKnown = requests.every(({ at, state }) => at >= before.at && state === 'known');
    if (!isKnown || countOtherRequests(database, job) > 0) return;
    const reported = requests.filter(({ isReported }) => isReported);
    const estimated = requests.filter(({ isReported }) => !isReported);
    const fell = toUnits(before.credits) - toUnits(after.credits);
    const total = fell - reported.reduce((sum, { costUnits }) => sum + costUnits, 0);
    const shares = shareUnits(total, estimated);
    if (!shares) return;
    for (const [at, { id }] of estimated.entries()) setMeasuredCost(database, id, shares[at] ?? 0);
  });
}
