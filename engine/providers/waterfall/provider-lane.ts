/**
 * The requests of one run to one provider: rows wait in a queue and are sent together, a limited
 * number of requests at a time, within the caps. A provider that refuses the key or has no quota
 * left is skipped for the rest of the run. A batch that is refused for legal reasons is asked again
 * in halves, until the person is alone; a refused request is free.
 */
import {
  type Provider,
  type ProviderFailure,
  type ProviderTerms,
  providerFailures,
  type RowAnswer,
} from '../../contract/provider.ts';
import type { SentRow } from './provider-request.table.ts';
import { readSettings } from './provider-setting.table.ts';
import { costMax } from './record-outcome.ts';
import { type SendDeps, type SendOutcome, sendRequest } from './send-request.ts';
import { describeCap, findTightestCap } from './spending-caps.ts';

/** Why the rest of a run does not ask a provider. */
export interface ProviderSkip {
  readonly failure: ProviderFailure | 'cap' | 'off';
  readonly detail: string;
}

/** The outcome for one row. */
export type LaneOutcome =
  | { readonly kind: 'answered'; readonly answer: RowAnswer }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly detail: string }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'stopped' };

/** A provider in one run. */
export interface ProviderLane {
  /** Rejects only for bugs of the provider. */
  ask(row: SentRow): Promise<LaneOutcome>;
  /** Why it is not asked any more; null while it is. */
  findSkip(): ProviderSkip | null;
}

interface Waiting extends PromiseWithResolvers<LaneOutcome> {
  readonly row: SentRow;
}

/** The failure that concerns the account at the service, in any row of an answer. */
function readSkip(outcome: SendOutcome): ProviderSkip | null {
  if (outcome.kind === 'stopped') return null;
  const failures =
    outcome.kind === 'failed'
      ? [{ failure: outcome.error.failure, detail: outcome.error.message }]
      : outcome.rows
          .flatMap((row) => Object.values(row))
          .filter((answer) => answer.kind === 'failed');
  const found = failures.find(({ failure }) => providerFailures[failure].skipsProvider);
  return found ? { failure: found.failure, detail: found.detail } : null;
}

function resolveRows(chunk: readonly Waiting[], outcome: SendOutcome): void {
  for (const [nth, { resolve }] of chunk.entries())
    if (outcome.kind === 'answered') resolve({ kind: 'answered', answer: outcome.rows[nth] ?? {} });
    else if (outcome.kind === 'stopped') resolve(outcome);
    else {
      const { failure, message: detail } = outcome.error;
      resolve({ kind: 'failed', failure, detail });
    }
}

/** Whether a service refuses one of several people, and does not say which. */
const isRefusedBatch = (chunk: readonly Waiting[], outcome: SendOutcome): boolean =>
  chunk.length > 1 && outcome.kind === 'failed' && outcome.error.failure === 'legal_refusal';

const isNotAccepted = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed' && providerFailures[outcome.error.failure].isRepeatable;

/** The number of rows, from the first, whose maximum cost is within what is left of a cap. */
function countWithin(terms: ProviderTerms, rows: readonly SentRow[], leftUnits: number): number {
  let count = rows.length;
  while (count > 0 && costMax(terms, rows.slice(0, count)) > leftUnits) count -= 1;
  return count;
}

/** The number of rows, from the first, that the settings allow now; if none, why. */
function countAllowed(deps: SendDeps, terms: ProviderTerms, rows: readonly SentRow[]) {
  // A change of the settings applies to the next request.
  const setting = readSettings(deps.database).get(terms.id);
  const off: ProviderSkip = { failure: 'off', detail: 'It was switched off.' };
  if (!setting?.isOn) return { count: 0, refusal: off };
  const cap = findTightestCap(deps.database, setting, deps.jobId, deps.now());
  if (!cap) return { count: rows.length, refusal: null };
  const count = countWithin(terms, rows, cap.leftUnits);
  const reached: ProviderSkip = { failure: 'cap', detail: describeCap(cap) };
  return { count, refusal: count === 0 ? reached : null };
}

/**
 * Creates the lane of a provider.
 * @param onSkip called once, when the provider is skipped
 */
export function createLane(
  deps: SendDeps,
  provider: Provider,
  onSkip: (skip: ProviderSkip) => void,
): ProviderLane {
  const terms = provider.describe();
  const queue: Waiting[] = [];
  /** Parts of refused batches. Each is a request of its own. */
  const halves: Waiting[][] = [];
  let sending = 0;
  let balanceRead: Promise<void> | undefined;
  let isDown = false;
  let isPlanned = false;
  let skip: ProviderSkip | null = null;

  const endQueue = (outcome: LaneOutcome) => {
    for (const { resolve } of [...halves.splice(0).flat(), ...queue.splice(0)]) resolve(outcome);
  };
  const setSkip = (found: ProviderSkip) => {
    if (!skip) onSkip(found);
    skip ??= found;
    endQueue({ kind: 'skipped' });
  };
  /** The number of waiting rows that are sent next; 0 if none may be sent now. */
  const countNext = (waiting: readonly Waiting[]): number => {
    const rows = waiting.slice(0, terms.rowsMax).map(({ row }) => row);
    const { count, refusal } = countAllowed(deps, terms, rows);
    // The answers that are still open may cost less than their maximum.
    if (refusal?.failure === 'off' || (refusal && sending === 0)) setSkip(refusal);
    return count;
  };
  const readBalanceOnce = (jobId: number): Promise<void> => {
    balanceRead ??= deps.balances.beforeJob(provider, jobId);
    return balanceRead;
  };
  const askHalves = (chunk: readonly Waiting[]) => {
    const middle = Math.ceil(chunk.length / 2);
    halves.push(chunk.slice(0, middle), chunk.slice(middle));
    if (skip || deps.signal.aborted) endQueue({ kind: skip ? 'skipped' : 'stopped' });
  };
  const send = async (chunk: readonly Waiting[]): Promise<void> => {
    const rows = chunk.map(({ row }) => row);
    sending += 1;
    try {
      if (deps.jobId !== null && terms.isMeasuredByBalance) await readBalanceOnce(deps.jobId);
      const outcome = await sendRequest(deps, provider, rows, isDown);
      isDown = isNotAccepted(outcome);
      const found = readSkip(outcome);
      if (found) setSkip(found);
      if (isRefusedBatch(chunk, outcome)) askHalves(chunk);
      else resolveRows(chunk, outcome);
    } catch (error) {
      for (const { reject } of chunk) reject(error);
    } finally {
      sending -= 1;
      pump();
    }
  };
  const pump = (): void => {
    isPlanned = false;
    while (sending < terms.requestsMax) {
      const waiting = halves[0] ?? queue;
      if (waiting.length === 0) return;
      const count = countNext(waiting);
      if (count === 0) return;
      const chunk = waiting.splice(0, count);
      if (halves[0]?.length === 0) halves.shift();
      void send(chunk);
    }
  };
  deps.signal.addEventListener('abort', () => endQueue({ kind: 'stopped' }), { once: true });
  return {
    findSkip: () => skip,
    ask(row) {
      if (skip || deps.signal.aborted)
        return Promise.resolve({ kind: skip ? 'skipped' : 'stopped' });
      const waiting = { row, ...Promise.withResolvers<LaneOutcome>() };
      queue.push(waiting);
      // Rows that are asked about at the same time are sent together.
      if (!isPlanned) queueMicrotask(pump);
      isPlanned = true;
      return waiting.promise;
    },
  };
}
