// Asks providers about one row until each field has an answer or no provider is left.
import {
  explainFailure,
  type ProviderFailure,
  type ProviderField,
  type ProviderRow,
} from '../../contract/provider.ts';
import { trustedTime } from '../../platform/trusted-clock.ts';
import { readSuppressionList } from '../../suppression/suppression-list.ts';
import { type AnsweredContact, describeContact } from './describe-contact.ts';
import {
  type PersonPlan,
  type PlannedAsk,
  planPerson,
  triedName,
  type WaterfallOrder,
} from './plan-person.ts';
import { findAnswers } from './provider-answer.table.ts';
import type { LaneOutcome, ProviderLane, ProviderSkip } from './provider-lane.ts';
import { fieldSubject, rowSubject } from './row-subject.ts';
import type { SendDeps } from './send-request.ts';

export type PersonAnswer =
  | { readonly kind: 'found'; readonly contact: AnsweredContact }
  /** No provider has the contact, or none may be asked. */
  | { readonly kind: 'nothing' }
  /** Nothing was found, and at least one provider could not answer. */
  | {
      readonly kind: 'failed';
      readonly detail: string;
      readonly isUnavailable: boolean;
      readonly isUncertain: boolean;
    };

interface Problem {
  readonly failure: ProviderSkip['failure'];
  readonly message: string;
}

export interface AskedPerson {
  readonly answer: PersonAnswer;
  readonly problems: readonly Problem[];
  /** `provider field` pairs that were asked or skipped. */
  readonly tried: ReadonlySet<string>;
  /** Whether a provider could not be asked without a network, and may be asked later. */
  readonly isDeferred: boolean;
}

export interface WaterfallRun extends SendDeps {
  readonly order: WaterfallOrder;
  readonly lanes: ReadonlyMap<string, ProviderLane>;
  readonly whenStopped: Promise<void>;
  titleOf(provider: string): string;
}

export interface AskedRow {
  readonly row: ProviderRow;
  readonly wanted: readonly ProviderField[];
}

interface Asking extends AskedRow {
  readonly subject: string;
  readonly tried: Set<string>;
  readonly problems: Problem[];
}

function plan(run: WaterfallRun, { row, wanted, subject, tried }: Asking): PersonPlan {
  // A clock that is far ahead makes no answer too old: it would be paid for again.
  const now = trustedTime(run.database, run.now());
  const at = now.toISOString();
  const stored = findAnswers(run.database, subject, at);
  const state = { row, wanted, tried, ownRequests: run.requests, now };
  const first = planPerson(run.order, { ...state, stored });
  const email = first.accepted.get('work_email')?.hit.values.email;
  if (!email || !wanted.includes('email_status')) return first;
  const statuses = findAnswers(run.database, fieldSubject('email_status', { email }, ''), at);
  return statuses.length === 0
    ? first
    : planPerson(run.order, { ...state, stored: [...stored, ...statuses] });
}

function noteOutcome(run: WaterfallRun, asking: Asking, ask: PlannedAsk, outcome: LaneOutcome) {
  const { problems } = asking;
  for (const field of ask.fields) asking.tried.add(triedName(ask.provider, field));
  const title = `${run.titleOf(ask.provider)}: `;
  const say = (detail: string) => (detail.startsWith(title) ? detail : `${title}${detail}`);
  const skip = run.lanes.get(ask.provider)?.findSkip();
  if (outcome.kind === 'skipped' && skip)
    problems.push({
      failure: skip.failure,
      message: explainFailure(skip.failure, say(skip.detail)),
    });
  const note = ({ failure, detail }: { failure: ProviderFailure; detail: string }) =>
    problems.push({ failure, message: explainFailure(failure, say(detail)) });
  if (outcome.kind === 'failed') note(outcome);
  if (outcome.kind !== 'answered') return;
  for (const answer of Object.values(outcome.answer)) if (answer.kind === 'failed') note(answer);
}

async function askOne(run: WaterfallRun, asking: Asking, ask: PlannedAsk): Promise<void> {
  const { provider, fields, row } = ask;
  const { subject } = asking;
  const subjects = fields.map((field) => fieldSubject(field, row, subject));
  const others = run.inFlight.whenFree(provider, subjects);
  // The answer to another run, or to an equal row, is read by the next plan.
  if (others) {
    if (run.offline.isOn())
      noteOutcome(run, asking, ask, { kind: 'failed', failure: 'offline', detail: '' });
    else await Promise.race([others, run.whenStopped, run.offline.found]);
    return;
  }
  const release = run.inFlight.hold(provider, subjects);
  try {
    const outcome = await run.lanes.get(provider)?.ask({ row, fields, subject });
    noteOutcome(run, asking, ask, outcome ?? { kind: 'skipped' });
  } finally {
    release();
  }
}

/** The failures that leave a row without an answer, rather than without a match. */
const failing: readonly string[] = [
  'unavailable',
  'offline',
  'slow_down',
  'source_error',
  'uncertain',
  'legal_refusal',
];

const isDeferred = ({ offline }: WaterfallRun, problems: readonly Problem[]): boolean =>
  offline.isDeferred && problems.some(({ failure }) => failure === 'offline');

function concludeAnswer(
  run: WaterfallRun,
  { row, problems }: Asking,
  { accepted, uncertain }: PersonPlan,
): PersonAnswer {
  const contact = describeContact(row, accepted, run.titleOf);
  if (contact) return { kind: 'found', contact };
  // The row is asked about later, or is left out because the user chose so.
  if (isDeferred(run, problems)) return { kind: 'nothing' };
  const unknown = problems.find(({ failure }) => failure === 'uncertain');
  const problem = unknown ?? problems.find(({ failure }) => failing.includes(failure));
  const isUnavailable = problems.every(({ failure }) => failure === 'unavailable');
  const isUncertain = unknown !== undefined || uncertain.length > 0;
  if (problem) return { kind: 'failed', detail: problem.message, isUnavailable, isUncertain };
  const [open] = uncertain;
  if (open === undefined) return { kind: 'nothing' };
  const detail =
    `${run.titleOf(open)}: the outcome of a request for this row is unknown, and it may have ` +
    'been charged. It is not asked again until you decide about the request: in Connections, or ' +
    'with desk providers uncertain.';
  return { kind: 'failed', detail, isUnavailable: false, isUncertain };
}

/**
 * Asks about one row; null if the run was stopped. Rejects only for bugs of a provider.
 * @param before what was asked about it earlier in the run, and is not asked again
 */
export async function askPerson(
  run: WaterfallRun,
  asked: AskedRow,
  before?: Pick<AskedPerson, 'tried' | 'problems'>,
): Promise<AskedPerson | null> {
  const { row } = asked;
  const tried = new Set(before?.tried);
  const asking: Asking = {
    ...asked,
    subject: rowSubject(row),
    tried,
    problems: [...(before?.problems ?? [])],
  };
  for (;;) {
    const { problems } = asking;
    // Read again for each step, because an answer may add the person to the list.
    const list = readSuppressionList(run.database);
    if (list.namesAny(row))
      return { answer: { kind: 'nothing' }, problems, tried, isDeferred: false };
    const next = plan(run, asking);
    if (run.signal.aborted) return null;
    // A person that a service refuses is sent to no other, also if the list does not name them.
    const isRefused = problems.some(({ failure }) => failure === 'legal_refusal');
    // A step sends what earlier ones answered. A suppressed value goes to the result, which hides
    // it, and to no other service.
    if (isRefused || next.asks.every((ask) => list.namesAny(ask.row))) {
      const answer = concludeAnswer(run, asking, next);
      return { answer, problems, tried, isDeferred: isDeferred(run, problems) };
    }
    const allowed = next.asks.filter((ask) => !list.namesAny(ask.row));
    await Promise.all(allowed.map((ask) => askOne(run, asking, ask)));
  }
}
