// One run of a waterfall: the lanes of its providers, and the rows that are asked about. Ends when
// it is stopped; requests that were sent are still recorded.
import { EngineError, type ErrorCode } from '../../contract/errors.ts';
import { batchRowsMax } from '../../contract/limits/jobs.ts';
import { askedRowsMax, keptFailuresMax } from '../../contract/limits/waterfall.ts';
import type { Provider, ProviderField, ProviderRow } from '../../contract/provider.ts';
import type { Balances } from '../spend/balances.ts';
import {
  type AskedPerson,
  type AskedRow,
  askPerson,
  type PersonAnswer,
  type WaterfallRun,
} from './ask-person.ts';
import type { WaterfallOrder } from './plan-person.ts';
import type { PollDeps, TicketPolls } from './poll-tickets.ts';
import { createLane, type ProviderLane } from './provider-lane.ts';
import { insertNote } from './provider-note.table.ts';
import { rowSubject } from './row-subject.ts';
import type { OfflineRun } from './send-request.ts';

export interface WaterfallScope {
  /** The job whose caps and notes apply; null for a pipeline, lookup or tool. */
  readonly jobId: number | null;
  /** The requests by which other engines passed on the rows of the job, oldest first. */
  readonly via?: readonly string[] | undefined;
  readonly wanted: readonly ProviderField[];
  /** False if no provider is asked, and only stored answers are used; true if omitted. */
  readonly asks?: boolean;
  /** The most that the job, or the run, may spend at each provider, in its credits. */
  readonly providerCap?: number | null;
  /** Whether rows wait for a later run if this machine is offline; false if omitted. */
  readonly defersOffline?: boolean;
}

export type WaterfallOutcome =
  | {
      readonly kind: 'answered';
      readonly answers: readonly PersonAnswer[];
      /** For each row, whether a provider is to be asked once there is a network. */
      readonly deferred: readonly boolean[];
      /** For each row, whether it was left before its providers had answered. */
      readonly unanswered: readonly boolean[];
      /** Resolves when all rows are answered; rejects for bugs of a provider. */
      readonly whenAnswered: Promise<unknown>;
    }
  /** No provider can answer: the error of a job that ends by it. */
  | {
      readonly kind: 'refused';
      readonly code: Extract<ErrorCode, 'upstream_error' | 'upstream_insufficient_credits'>;
      readonly detail: string;
    }
  | { readonly kind: 'stopped' };

export interface AskOptions {
  /** Resolves when rows without an answer are left. Their providers go on. */
  readonly late?: Promise<unknown> | undefined;
  /** Whether a provider that failed for a row in this run is not asked about it again. */
  readonly isRepeated?: boolean;
}

export interface Waterfall {
  readonly rowsMax: number;
  /** Rejects only for bugs. @param open the open fields of each row; by default the scope's */
  ask(
    rows: readonly ProviderRow[],
    open?: readonly (readonly ProviderField[])[],
    options?: AskOptions,
  ): Promise<WaterfallOutcome>;
  /** Asks for nothing more. Requests that were sent are recorded. */
  stop(): void;
}

export interface SharedRuns extends PollDeps {
  readonly balances: Balances;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly polls: TicketPolls;
  readonly sending: Set<number>;
}

const isQuota = ({ failure }: AskedPerson['problems'][number]): boolean => failure === 'quota';

/** Why no provider can answer; null if the answers are to be used. */
function findRefusal(
  lanes: readonly ProviderLane[],
  people: readonly AskedPerson[],
  wasAccepted: boolean,
): Extract<WaterfallOutcome, { kind: 'refused' }> | null {
  const quota = people.flatMap(({ problems }) => problems).find(isQuota);
  if (quota && lanes.every((lane) => lane.findSkip() !== null))
    return { kind: 'refused', code: 'upstream_insufficient_credits', detail: quota.message };
  const answers = people.map(({ answer }) => answer);
  const [first] = answers;
  const isDown = answers.every((answer) => answer.kind === 'failed' && answer.isUnavailable);
  return !wasAccepted && isDown && first?.kind === 'failed'
    ? { kind: 'refused', code: 'upstream_error', detail: first.detail }
    : null;
}

function openLanes(
  { providers }: SharedRuns,
  run: WaterfallRun,
  order: WaterfallOrder,
): Map<string, ProviderLane> {
  const { database, jobId, now } = run;
  const lanes = new Map<string, ProviderLane>();
  for (const id of order.terms.keys()) {
    const provider = providers.get(id);
    if (!provider || !order.steps.some((step) => step.provider === id)) continue;
    const lane = createLane(run, provider, (skip) => {
      if (jobId !== null)
        insertNote(database, { jobId, provider: id, ...skip, at: now().toISOString() });
    });
    lanes.set(id, lane);
  }
  return lanes;
}

function countRows(order: WaterfallOrder, lanes: ReadonlyMap<string, ProviderLane>): number {
  if (lanes.size === 0) return batchRowsMax;
  const sizes = [...lanes.keys()].map((id) => {
    const terms = order.terms.get(id);
    return terms ? terms.rowsMax * terms.requestsMax : 1;
  });
  return Math.min(askedRowsMax, Math.max(...sizes));
}

/** A row that was left before its providers had answered. */
const leftPerson: AskedPerson = {
  answer: { kind: 'nothing' },
  problems: [],
  tried: new Set(),
  isDeferred: false,
};

/** Asks about rows. Equal rows that are asked about at the same time share the answer. */
function createAsker(run: WaterfallRun) {
  const people = new Map<string, ReturnType<typeof askPerson>>();
  const failures = new Map<string, AskedPerson>();
  const ask = async (name: string, asked: AskedRow, isRepeated: boolean) => {
    const person = await askPerson(run, asked, isRepeated ? failures.get(name) : undefined);
    const hasFailed = person && person.problems.length > 0 && !person.isDeferred;
    if (!hasFailed) failures.delete(name);
    else if (failures.size < keptFailuresMax) failures.set(name, person);
    return person;
  };
  return {
    ask(asked: AskedRow, isRepeated: boolean): ReturnType<typeof askPerson> {
      const name = [rowSubject(asked.row), ...asked.wanted].join(' ');
      const known = people.get(name);
      if (known) return known;
      const answer = ask(name, asked, isRepeated).finally(() => people.delete(name));
      people.set(name, answer);
      return answer;
    },
    whenIdle: () => Promise.allSettled(people.values()),
  };
}

function followNetwork(
  { network }: SharedRuns,
  isDeferred: boolean,
  whenStopped: Promise<void>,
): OfflineRun {
  let isOn = false;
  const found = Promise.withResolvers<void>();
  if (isDeferred) {
    const end = network.onOffline(() => {
      isOn = true;
      found.resolve();
    });
    void whenStopped.then(end);
  }
  return { isDeferred, isOn: () => isOn, found: found.promise };
}

/** Opens a run. `whenStopped` resolves when it is stopped. */
export function openRun(
  shared: SharedRuns,
  { jobId, wanted, via, providerCap = null, defersOffline = false }: WaterfallScope,
  order: WaterfallOrder,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = Promise.withResolvers<void>();
  let wasAccepted = false;
  const requests = new Set<number>();
  const lanes = new Map<string, ProviderLane>();
  const run: WaterfallRun = {
    ...shared,
    jobId,
    via,
    providerCap,
    signal,
    order,
    lanes,
    requests,
    titleOf: (id) => shared.providers.get(id)?.describe().title ?? id,
    whenStopped: stopped.promise,
    offline: followNetwork(shared, defersOffline, stopped.promise),
    onRequest: (id) => requests.add(id),
    onAccepted: () => {
      wasAccepted = true;
    },
  };
  for (const [id, lane] of openLanes(shared, run, order)) lanes.set(id, lane);
  const asker = createAsker(run);
  return {
    rowsMax: countRows(order, lanes),
    async ask(
      rows: readonly ProviderRow[],
      open?: readonly (readonly ProviderField[])[],
      { late, isRepeated = false }: AskOptions = {},
    ): Promise<WaterfallOutcome> {
      const people = rows.map((row, nth) =>
        asker.ask({ row, wanted: open?.[nth] ?? wanted }, isRepeated),
      );
      const whenAnswered = Promise.all(people);
      const left = late?.then(() => leftPerson);
      // Both may be rejected when no one waits for them any more.
      for (const one of [whenAnswered, left]) one?.catch(() => undefined);
      const asked = await (left
        ? Promise.all(people.map((person) => Promise.race([person, left])))
        : whenAnswered);
      const all = asked.filter((person) => person !== null);
      if (signal.aborted || all.length < rows.length) return { kind: 'stopped' };
      const answers = all.map(({ answer }) => answer);
      const deferred = all.map(({ isDeferred }) => isDeferred);
      const refusal = findRefusal([...lanes.values()], all, wasAccepted);
      const unanswered = all.map((person) => person === leftPerson);
      return refusal ?? { kind: 'answered', answers, deferred, unanswered, whenAnswered };
    },
    stop() {
      stopping.abort(new Error('the run has ended'));
      stopped.resolve();
    },
    whenStopped: stopped.promise,
    whenIdle: asker.whenIdle,
  };
}

export const refusalError = ({ code, detail }: Extract<WaterfallOutcome, { kind: 'refused' }>) =>
  new EngineError(code, detail);
