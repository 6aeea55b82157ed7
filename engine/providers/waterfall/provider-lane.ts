// The requests of one run to one provider: rows wait in a queue and are sent together, a limited
// number of requests at a time, within the caps. A provider that refuses the key or has no quota
// left is skipped for the rest of the run. A batch that is refused for legal reasons is asked again
// in halves, until the person is alone; a refused request is free.
import {
  type Provider,
  type ProviderFailure,
  type ProviderTerms,
  providerFailures,
  type RowAnswer,
} from '../../contract/provider.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type SentRow,
  sumJobUnits,
  sumRequestUnits,
  sumUnitsIn,
} from './provider-request.table.ts';
import { type ProviderSetting, readSettings } from './provider-setting.table.ts';
import { toCredits, toUnits } from './provider-units.ts';
import { costMax } from './record-outcome.ts';
import { countRefusals, describeRefusals, isRefusingAll } from './refusal-brake.ts';
import { offlineError, type SendDeps, type SendOutcome, sendRequest } from './send-request.ts';

// The caps of a provider: how many rows of a request they allow. Days and months are in UTC.

interface CapLeft {
  /** `key`: of the API key that asks, for one request. */
  readonly what: 'job' | 'day' | 'month' | 'key';
  readonly capUnits: number;
  readonly leftUnits: number;
}

function findTightestCap(
  database: ReadableDatabase,
  setting: ProviderSetting,
  { jobId, providerCap, requests }: Pick<SendDeps, 'jobId' | 'providerCap' | 'requests'>,
  now: Date,
): CapLeft | null {
  const { provider, capJobUnits, capDayUnits, capMonthUnits } = setting;
  const today = now.toISOString().slice(0, 10);
  const caps: CapLeft[] = [];
  const add = (what: CapLeft['what'], capUnits: number | null, read: () => number) => {
    if (capUnits !== null) caps.push({ what, capUnits, leftUnits: capUnits - read() });
  };
  add('job', jobId === null ? null : capJobUnits, () =>
    sumJobUnits(database, provider, jobId ?? 0),
  );
  add('key', providerCap === null ? null : toUnits(providerCap), () =>
    jobId === null
      ? sumRequestUnits(database, provider, requests)
      : sumJobUnits(database, provider, jobId),
  );
  add('day', capDayUnits, () => sumUnitsIn(database, provider, today));
  add('month', capMonthUnits, () => sumUnitsIn(database, provider, today.slice(0, 7)));
  return caps.sort((a, b) => a.leftUnits - b.leftUnits)[0] ?? null;
}

const describeCap = ({ what, capUnits }: CapLeft): string =>
  what === 'key'
    ? `The API key may spend ${toCredits(capUnits)} credits of a data service in one request. ` +
      'Change it with: desk keys set ID --provider-cap.'
    : `The cap of ${toCredits(capUnits)} credits per ${what} is reached. Raise it to continue.`;

export interface ProviderSkip {
  /** `refusals`: it refuses everybody for legal reasons. */
  readonly failure: ProviderFailure | 'cap' | 'off' | 'refusals';
  readonly detail: string;
}

export type LaneOutcome =
  | { readonly kind: 'answered'; readonly answer: RowAnswer }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly detail: string }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'stopped' };

export interface ProviderLane {
  /** Rejects only for bugs of the provider. */
  ask(row: SentRow): Promise<LaneOutcome>;
  /** Why it is not asked any more; null while it is. */
  findSkip(): ProviderSkip | null;
}

const offlineOutcome: LaneOutcome = {
  kind: 'failed',
  failure: 'offline',
  detail: offlineError.message,
};

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

const hasRefusal = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed'
    ? outcome.error.failure === 'legal_refusal'
    : outcome.kind === 'answered' &&
      outcome.rows.some((row) =>
        Object.values(row).some(
          (said) => said.kind === 'failed' && said.failure === 'legal_refusal',
        ),
      );

/** Why a provider that refuses everybody is not asked any more; null while it is. */
function findRefusals({ database, jobId }: SendDeps, provider: string): ProviderSkip | null {
  if (!isRefusingAll(countRefusals(database, provider, jobId))) return null;
  return { failure: 'refusals', detail: describeRefusals(database, provider, jobId) };
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

const rowsOf = (chunk: readonly Waiting[]): SentRow[] => chunk.map(({ row }) => row);

/** Whether a service refuses one of several people, and does not say which. */
const isRefusedBatch = (chunk: readonly Waiting[], outcome: SendOutcome): boolean =>
  chunk.length > 1 && outcome.kind === 'failed' && outcome.error.failure === 'legal_refusal';

const isNotAccepted = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed' && providerFailures[outcome.error.failure].isRepeatable;

function chooseRows(terms: ProviderTerms, queue: readonly Waiting[]): readonly Waiting[] {
  if (!terms.sharesFields) return queue.slice(0, terms.rowsMax);
  const fields = queue[0]?.row.fields.toString();
  return queue.filter(({ row }) => row.fields.toString() === fields).slice(0, terms.rowsMax);
}

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
  const cap = findTightestCap(deps.database, setting, deps, deps.now());
  if (!cap) return { count: rows.length, refusal: null };
  const count = countWithin(terms, rows, cap.leftUnits);
  const reached: ProviderSkip = { failure: 'cap', detail: describeCap(cap) };
  return { count, refusal: count === 0 ? reached : null };
}

interface WaitingRows {
  push(waiting: Waiting): void;
  listNext(): readonly Waiting[];
  /** Removes rows of `listNext`. */
  take(rows: readonly Waiting[]): void;
  /** Adds rows that were taken and not sent. */
  putBack(rows: readonly Waiting[]): void;
  /** Adds rows that a service refuses together. Each half is a request of its own. */
  pushHalves(rows: readonly Waiting[]): void;
  end(outcome: LaneOutcome): void;
}

function createWaitingRows(terms: ProviderTerms): WaitingRows {
  let queue: Waiting[] = [];
  let halves: readonly (readonly Waiting[])[] = [];
  return {
    push: (waiting) => void queue.push(waiting),
    listNext: () => chooseRows(terms, halves[0] ?? queue),
    take(rows) {
      const taken = new Set(rows);
      const rest = (halves[0] ?? queue).filter((one) => !taken.has(one));
      if (!halves[0]) queue = rest;
      else halves = rest.length === 0 ? halves.slice(1) : [rest, ...halves.slice(1)];
    },
    putBack(rows) {
      queue = [...rows, ...queue];
    },
    pushHalves(rows) {
      const middle = Math.ceil(rows.length / 2);
      halves = [...halves, rows.slice(0, middle), rows.slice(middle)];
    },
    end(outcome) {
      for (const { resolve } of [...halves.flat(), ...queue]) resolve(outcome);
      halves = [];
      queue = [];
    },
  };
}

/**
 * Reads the balance of a provider once before the requests of a job, if its costs are measured.
 * @param go called when it is read
 * @returns whether requests may be sent now
 */
function createBalanceGate({ balances, jobId }: SendDeps, provider: Provider, go: () => void) {
  let isRead = jobId === null || !provider.describe().isMeasuredByBalance;
  let isReading = false;
  const end = () => {
    isRead = true;
    go();
  };
  return (): boolean => {
    // Without a balance, the costs stay estimated.
    if (!isRead && !isReading && jobId !== null) balances.beforeJob(provider, jobId).then(end, end);
    isReading = !isRead;
    return isRead;
  };
}

/** The outcome of every row that is not sent yet; null while rows are sent. */
function findEnd({ signal, offline }: SendDeps, skip: ProviderSkip | null): LaneOutcome | null {
  if (skip) return { kind: 'skipped' };
  if (signal.aborted) return { kind: 'stopped' };
  return offline.isOn() ? offlineOutcome : null;
}

function endChunk(waiting: WaitingRows, chunk: readonly Waiting[], outcome: SendOutcome): void {
  if (isRefusedBatch(chunk, outcome)) waiting.pushHalves(chunk);
  else resolveRows(chunk, outcome);
}

function endRows(waiting: WaitingRows, outcome: LaneOutcome | null): void {
  if (outcome) waiting.end(outcome);
}

/** Creates the lane of a provider. @param onSkip called once, when the provider is skipped */
export function createLane(
  deps: SendDeps,
  provider: Provider,
  onSkip: (skip: ProviderSkip) => void,
): ProviderLane {
  const terms = provider.describe();
  const waiting = createWaitingRows(terms);
  const isBalanceRead = createBalanceGate(deps, provider, () => pump());
  let sending = 0;
  let isDown = false;
  let isPlanned = false;
  let isHeld = false;
  let skip: ProviderSkip | null = null;

  const setSkip = (found: ProviderSkip) => {
    if (!skip) onSkip(found);
    skip ??= found;
    waiting.end({ kind: 'skipped' });
  };
  const endIfOver = () => endRows(waiting, findEnd(deps, skip));
  const takeNext = (): readonly Waiting[] => {
    const next = waiting.listNext();
    if (next.length === 0) return next;
    const { count, refusal } = countAllowed(deps, terms, rowsOf(next));
    // The answers that are still open may cost less than their maximum.
    if (refusal?.failure === 'off' || (refusal && sending === 0)) setSkip(refusal);
    const taken = next.slice(0, count);
    waiting.take(taken);
    return taken;
  };
  /** Sends nothing until there may be room for what has to be paid for. */
  const hold = () => {
    if (isHeld) return;
    isHeld = true;
    const go = () => {
      isHeld = false;
      pump();
    };
    // The end of the run ends the rows that wait.
    deps.writes.waitForRoom(deps.signal).then(go, () => undefined);
  };
  const send = async (chunk: readonly Waiting[]): Promise<void> => {
    sending += 1;
    try {
      const outcome = await sendRequest(deps, provider, rowsOf(chunk), isDown);
      isDown = isNotAccepted(outcome);
      const found =
        readSkip(outcome) ?? (hasRefusal(outcome) ? findRefusals(deps, terms.id) : null);
      if (found) setSkip(found);
      endChunk(waiting, chunk, outcome);
      endIfOver();
    } catch (error) {
      // Without room it was not sent.
      if (deps.writes.isShortage(error)) {
        waiting.putBack(chunk);
        endIfOver();
        hold();
      } else for (const { reject } of chunk) reject(error);
    } finally {
      sending -= 1;
      pump();
    }
  };
  const pump = (): void => {
    isPlanned = false;
    if (isHeld || !isBalanceRead()) return;
    while (sending < terms.requestsMax && waiting.listNext().length > 0) {
      if (deps.writes.isBlocked()) {
        hold();
        return;
      }
      const chunk = takeNext();
      if (chunk.length === 0) return;
      void send(chunk);
    }
  };
  deps.signal.addEventListener('abort', endIfOver, { once: true });
  void deps.offline.found.then(endIfOver);
  return {
    findSkip: () => skip,
    ask(row) {
      const asked = { row, ...Promise.withResolvers<LaneOutcome>() };
      waiting.push(asked);
      endIfOver();
      // Rows that are asked about at the same time are sent together.
      if (!isPlanned) queueMicrotask(pump);
      isPlanned = true;
      return asked.promise;
    },
  };
}
