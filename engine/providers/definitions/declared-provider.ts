// A provider by declaration: the port of providers over the definition of a data service.
import {
  type FieldAnswer,
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderFailure,
  type ProviderRequest,
  providerFailures,
  type RowAnswer,
  type SendOptions,
} from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import { type AnswerReader, AnswerUnreadable } from './answer-reader.ts';
import { buildOperationRequest, buildPlainRequest } from './build-request.ts';
import type { CheckedAnswer } from './check-answer.ts';
import type { BreakerState } from './circuit-breaker.ts';
import { describeTerms, type PlannedOperation, planOperations } from './plan-operations.ts';
import {
  type ConnectionDeps,
  type Exchanged,
  openConnection,
  type ProviderConnection,
} from './provider-connection.ts';
import type { Reading } from './read-answer.ts';

export interface DeclaredProviderDeps extends ConnectionDeps {
  readonly reader: Pick<AnswerReader, 'readAnswer' | 'checkAnswer'>;
}

export interface DeclaredProvider extends Provider {
  readBreaker(): BreakerState;
  /** Sends the free health request; null if the definition has none. Throws ProviderError. */
  checkHealth(signal: AbortSignal): Promise<CheckedAnswer | null>;
}

interface Answered {
  readonly rows: readonly RowAnswer[];
  /** Null if the service does not say. */
  readonly costCredits: number | null;
}
interface Pending {
  readonly ticket: string;
  readonly pollAfterMs: number;
}
type Outcome = Answered | Pending | { readonly error: unknown };

interface Ticket {
  readonly parts: readonly (Answered | Pending)[];
  readonly sentAt: number;
}

/** Reads an answer on its thread. Throws the error of an outcome without values. */
async function read(
  { definition, deps }: Opened,
  exchanged: Exchanged,
  phase: 'submit' | 'poll',
  planned: PlannedOperation,
): Promise<Exclude<Reading, { kind: 'failed' }>> {
  let reading: Reading;
  try {
    reading = await deps.reader.readAnswer({
      answer: exchanged.answer,
      phase,
      operation: planned.operation,
      rules: definition.rules,
      wanted: planned.rows.map(({ fields }) => fields),
    });
  } catch (error) {
    if (!(error instanceof AnswerUnreadable)) throw error;
    throw exchanged.fail('uncertain', error.message, null);
  }
  if (reading.kind === 'failed')
    throw exchanged.fail(reading.outcome, reading.detail, reading.waitMs);
  if (reading.kind === 'pending') return reading;
  return { ...reading, rows: reading.rows.map((row) => hideKey(row, exchanged)) };
}

/** An answer whose values do not repeat the key. */
function hideKey(row: RowAnswer, exchanged: Pick<Exchanged, 'hideKey'>): RowAnswer {
  const hide = (said: FieldAnswer): FieldAnswer => {
    if (said.kind !== 'hit') return said;
    const values = Object.entries(said.values).map(
      ([name, value]) => [name, exchanged.hideKey(value)] as const,
    );
    return { ...said, values: Object.fromEntries(values) };
  };
  return Object.fromEntries(Object.entries(row).map(([field, said]) => [field, hide(said)]));
}

interface Opened {
  readonly definition: ProviderDefinition;
  readonly deps: DeclaredProviderDeps;
  readonly connection: ProviderConnection;
}

async function askOperation(
  opened: Opened,
  planned: PlannedOperation,
  id: string,
  { signal, onSend }: SendOptions,
): Promise<Answered | Pending> {
  const { definition, connection } = opened;
  const { operation, rows } = planned;
  const exchanged = await connection.exchange({
    build: (key) => buildOperationRequest(definition, operation, { id, rows }, key),
    count: definition.limits.count === 'record' ? rows.length : 1,
    isPaid: true,
    signal,
    onSend,
  });
  const reading = await read(opened, exchanged, 'submit', planned);
  if (reading.kind === 'answered') return reading;
  const everyMs = (operation.async?.everySec ?? 0) * 1_000;
  return {
    ticket: reading.ticket ?? '',
    pollAfterMs: reading.waitMs ?? exchanged.retryAfterMs ?? everyMs,
  };
}

function mergeAnswers(
  { rows }: ProviderRequest,
  plan: readonly PlannedOperation[],
  answers: readonly Answered[],
): ProviderAnswer {
  const merged: RowAnswer[] = Array.from({ length: rows.length }, () => ({}));
  for (const [nth, { positions }] of plan.entries())
    for (const [of, at] of positions.entries())
      merged[at] = { ...merged[at], ...answers[nth]?.rows[of] };
  const costs = answers.map(({ costCredits }) => costCredits);
  const costCredits = costs.every((cost) => cost !== null)
    ? costs.reduce((sum, cost) => sum + cost, 0)
    : null;
  return { kind: 'answered', rows: merged, costCredits };
}

function readFailure(rows: number, error: unknown): [ProviderFailure, detail: string] {
  if (!(error instanceof ProviderError))
    return ['unavailable', 'This was not sent, because the work was stopped.'];
  const { failure, message } = error;
  // A refusal of several people does not say which of them is meant, so that none is marked.
  if (failure !== 'legal_refusal' || rows === 1) return [failure, message];
  return ['source_error', `${message} One of ${rows} people is refused, and it is unknown which.`];
}

function failOperation({ rows }: PlannedOperation, error: unknown): Answered {
  const [failure, detail] = readFailure(rows.length, error);
  const failed: FieldAnswer = { kind: 'failed', failure, detail };
  return {
    rows: rows.map(({ fields }) => Object.fromEntries(fields.map((field) => [field, failed]))),
    costCredits: failure === 'uncertain' ? null : 0,
  };
}

interface Progress {
  readonly sentAt: number;
  readonly isStopped: boolean;
  /** Whether the bytes of an operation were sent. */
  readonly isSent: boolean;
}

/** The error of a request of which nothing was answered; undefined if it has an answer. */
function findError(outcomes: readonly Outcome[], { isStopped, isSent }: Progress): unknown {
  const errors = outcomes.flatMap((one) => ('error' in one ? [one.error] : []));
  if (errors.length === 0 || errors.length < outcomes.length) return undefined;
  const failures = errors.map((one) => (one instanceof ProviderError ? one.failure : null));
  if (!isSent || new Set(failures).size === 1) return errors[0];
  return isStopped ? undefined : errors.find((one) => !(one instanceof ProviderError));
}

/**
 * Makes one answer of the outcomes of all operations. What one of them answered is kept if another
 * fails. An error is thrown only if nothing was sent, or nothing was answered and all failed alike:
 * then repeating is as safe as the failure says.
 */
function settle(
  request: ProviderRequest,
  plan: readonly PlannedOperation[],
  outcomes: readonly Outcome[],
  progress: Progress,
): ProviderAnswer {
  const error = findError(outcomes, progress);
  if (error !== undefined) throw error;
  const parts = plan.map((planned, at) => {
    const outcome = outcomes[at] ?? { error: undefined };
    return 'error' in outcome ? failOperation(planned, outcome.error) : outcome;
  });
  const open = parts.flatMap((part) => ('ticket' in part ? [part.pollAfterMs] : []));
  const answered = parts.flatMap((part) => ('rows' in part ? [part] : []));
  if (open.length === 0) return mergeAnswers(request, plan, answered);
  const ticket: Ticket = { parts, sentAt: progress.sentAt };
  return { kind: 'pending', ticket: JSON.stringify(ticket), pollAfterMs: Math.min(...open) };
}

async function answer(
  opened: Opened,
  request: ProviderRequest,
  options: SendOptions,
): Promise<ProviderAnswer> {
  const plan = planOperations(opened.definition, request.rows);
  if (plan.length === 0)
    throw new ProviderError('bad_input', 'No row has the values that the provider needs.');
  const outcomes: Outcome[] = [];
  let isSent = false;
  const sending: SendOptions = {
    signal: options.signal,
    onSend() {
      options.onSend();
      isSent = true;
    },
  };
  let stop: { readonly error: unknown } | undefined;
  for (const planned of plan)
    try {
      if (stop) throw stop.error;
      outcomes.push(await askOperation(opened, planned, request.id, sending));
    } catch (error) {
      outcomes.push({ error });
      if (!(error instanceof ProviderError) || providerFailures[error.failure].skipsProvider)
        stop = { error };
    }
  const sentAt = opened.deps.clock.now();
  return settle(request, plan, outcomes, { sentAt, isStopped: options.signal.aborted, isSent });
}

/** Polls one operation. Past its deadline, an operation that is still pending is uncertain. */
async function pollOperation(
  opened: Opened,
  planned: PlannedOperation,
  { ticket }: Pending,
  sentAt: number,
  signal: AbortSignal,
): Promise<Answered | Pending> {
  const { definition, connection, deps } = opened;
  const settings = planned.operation.async;
  if (!settings) throw new Error(`${definition.id} has no request to poll`);
  const exchanged = await connection.exchange({
    build: (key) => buildPlainRequest(definition, settings.poll, key, ticket),
    count: 1,
    isPaid: false,
    signal,
  });
  const reading = await read(opened, exchanged, 'poll', planned);
  if (reading.kind === 'answered') return reading;
  if (deps.clock.now() - sentAt >= settings.deadlineSec * 1_000)
    throw exchanged.fail('uncertain', 'It did not finish the request before the deadline.', null);
  const waitMs = reading.waitMs ?? exchanged.retryAfterMs;
  return { ticket, pollAfterMs: waitMs ?? settings.everySec * 1_000 };
}

/** Polls a pending request. A failure that is repeatable leaves its ticket as it is. */
async function poll(
  opened: Opened,
  text: string,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const plan = planOperations(opened.definition, request.rows);
  const { parts, sentAt } = JSON.parse(text) as Ticket;
  const outcomes: Outcome[] = [];
  for (const [at, planned] of plan.entries()) {
    const part = parts[at];
    if (!part || 'rows' in part) outcomes.push(part ?? { error: undefined });
    else
      try {
        outcomes.push(await pollOperation(opened, planned, part, sentAt, signal));
      } catch (error) {
        if (!(error instanceof ProviderError) || providerFailures[error.failure].isRepeatable)
          throw error;
        outcomes.push({ error });
      }
  }
  return settle(request, plan, outcomes, { sentAt, isStopped: signal.aborted, isSent: true });
}

async function checkHealth(opened: Opened, signal: AbortSignal): Promise<CheckedAnswer | null> {
  const { definition, connection, deps } = opened;
  const { health, rules } = definition;
  if (!health) return null;
  const exchanged = await connection.exchange({
    build: (key) => buildPlainRequest(definition, health.request, key),
    count: 1,
    isPaid: false,
    signal,
  });
  const { answer } = exchanged;
  try {
    const checked = await deps.reader.checkAnswer({ answer, health, rules });
    const { failure } = checked;
    if (failure) throw exchanged.fail(failure.outcome, failure.detail, null);
    return checked;
  } catch (error) {
    if (!(error instanceof AnswerUnreadable)) throw error;
    throw exchanged.fail('fatal', error.message, null);
  }
}

/** Opens a provider by declaration. Nothing is sent yet, and it does not need to be closed. */
export function openDeclaredProvider(
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
): DeclaredProvider {
  const opened: Opened = { definition, deps, connection: openConnection(definition, deps) };
  const isAsync = definition.ops.some((operation) => operation.async !== undefined);
  return {
    describe: () => describeTerms(definition),
    answer: (request, options) => answer(opened, request, options),
    ...(isAsync && {
      poll: (ticket: string, request: ProviderRequest, signal: AbortSignal) =>
        poll(opened, ticket, request, signal),
    }),
    async readBalance(signal) {
      return (await checkHealth(opened, signal))?.balance ?? null;
    },
    ...(opened.connection.reach && { reach: opened.connection.reach }),
    checkHealth: (signal) => checkHealth(opened, signal),
    readBreaker: () => opened.connection.readBreaker(),
  };
}
