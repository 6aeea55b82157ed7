// Reads an answer of a service by the rules of its definition: what it means, which record belongs
// to which row, and the values of each field. It runs on a thread (`read-answer.worker.ts`).
import type { JSONValue } from '@jmespath-community/jmespath';
import type { EmailStatus } from '../../contract/jobs/job.ts';
import { ticketCharactersMax } from '../../contract/limits/waterfall.ts';
import {
  type FieldAnswer,
  type ProviderFailure,
  type ProviderField,
  type ProviderValueName,
  providerFields,
  type RowAnswer,
} from '../../contract/provider.ts';
import type {
  Outcome,
  OutcomeRule,
  ProviderOperation,
} from '../../contract/provider-definition.ts';
import { compileExpression, evaluate, isTrue, parsePayload } from './expression.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface AnswerToRead {
  readonly answer: HttpAnswer;
  /** The first answer of a request, or the answer of a poll. */
  readonly phase: 'submit' | 'poll';
  readonly operation: ProviderOperation;
  /** The rules of the provider, after those of the operation. */
  readonly rules: readonly OutcomeRule[];
  /** The wanted fields of each row of the request. The key of a row is its position. */
  readonly wanted: readonly (readonly ProviderField[])[];
}

export type FailedOutcome = Exclude<Outcome, 'hit' | 'miss' | 'pending'>;

export type Reading =
  | {
      readonly kind: 'answered';
      readonly rows: readonly RowAnswer[];
      readonly costCredits: number | null;
    }
  /** The ticket is null in an answer of a poll. */
  | { readonly kind: 'pending'; readonly ticket: string | null; readonly waitMs: number | null }
  | {
      readonly kind: 'failed';
      readonly outcome: FailedOutcome;
      readonly waitMs: number | null;
      /** What the service said. It may quote the request, and with it the key. */
      readonly detail: string;
    };

const retryAfterMaxMs = 86_400_000;

const run = (expression: string, value: JSONValue): unknown =>
  evaluate(compileExpression(expression), value);

const matchesStatus = (wanted: number | string, status: number): boolean =>
  typeof wanted === 'number' ? wanted === status : Number(wanted[0]) === Math.floor(status / 100);

/** The first rule that applies to an answer; undefined if none does. */
export function findRule(
  rules: readonly OutcomeRule[],
  phase: 'submit' | 'poll',
  status: number,
  body: JSONValue,
): OutcomeRule | undefined {
  return rules.find((rule) => {
    const statuses = rule.status === undefined ? null : [rule.status].flat();
    return (
      (rule.on === undefined || rule.on === phase) &&
      (statuses === null || statuses.some((one) => matchesStatus(one, status))) &&
      (rule.match === undefined || isTrue(run(rule.match, body)))
    );
  });
}

function guessOutcome(status: number, phase: 'submit' | 'poll', isJson: boolean): Outcome {
  if (status >= 200 && status < 300 && isJson) return 'hit';
  if (phase === 'poll') return status >= 400 && status < 500 ? 'uncertain' : 'retry';
  return status < 300 || status >= 500 ? 'uncertain' : 'fatal';
}

/**
 * Seconds of a Retry-After header, or the time until its date, in milliseconds; null if it has
 * neither. At most a day, so that a wrong header does not stop a provider for good.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined || header.trim() === '') return null;
  const seconds = Number(header);
  const limit = (ms: number) => Math.min(retryAfterMaxMs, Math.max(0, ms));
  if (Number.isFinite(seconds)) return limit(seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : limit(date - nowMs);
}

const messages = ['message', 'error.message', 'errors[0].details', 'reason', 'detail', 'error'];

/**
 * The service's own message, if it is at a usual place, or the title of a web page, such as that of
 * a login or a proxy. The key may still be in it.
 */
export function quoteMessage({ status, text }: HttpAnswer, body: JSONValue): string {
  const said = messages
    .map((expression) => run(expression, body))
    .find((one) => typeof one === 'string' && one !== '');
  const clean = String(said ?? '').replace(/\p{Cc}+/gu, ' ');
  if (clean) return `It answered ${status}: ${clean}`;
  if (!/^\s*<(?:!doctype|html)/i.test(text)) {
    const isUnread = body === null && status >= 200 && status < 300;
    return `It answered ${status}${isUnread ? ', but the answer is not complete JSON' : ''}.`;
  }
  const title = /<title[^>]*>\s*([^<]{1,100}?)\s*</i.exec(text)?.[1];
  return `It answered ${status} with a web page${title ? ` (${title})` : ''} instead of data.`;
}

const readNumber = (value: unknown): number | null => {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || (typeof text !== 'number' && typeof text !== 'string')) return null;
  const number = Number(text);
  return Number.isFinite(number) && number >= 0 ? number : null;
};

/** The reported cost less what was returned; null if the answer does not say. */
function readCost({ operation, answer }: AnswerToRead, body: JSONValue): number | null {
  const { reported, refund } = operation.cost;
  if (!reported) return null;
  const spent = readNumber(
    'body' in reported ? run(reported.body, body) : answer.headers[reported.header.toLowerCase()],
  );
  const returned = refund === undefined ? 0 : (readNumber(run(refund, body)) ?? 0);
  return spent === null ? null : Math.max(0, spent - returned);
}

/** Reads the values of a record: only strings that are not empty. */
function readValues(operation: ProviderOperation, record: JSONValue) {
  const values: Partial<Record<ProviderValueName, string>> = {};
  for (const [name, expression] of Object.entries(operation.map)) {
    const value = run(expression, record);
    if (typeof value === 'string' && value.trim() !== '')
      values[name as ProviderValueName] = value.trim();
  }
  return values;
}

function readEmailStatus(operation: ProviderOperation, record: JSONValue): EmailStatus | undefined {
  if (operation.status === undefined) return undefined;
  const own = run(operation.status, record);
  if (typeof own !== 'string' || own === '') return undefined;
  return Object.hasOwn(operation.statuses, own) ? operation.statuses[own] : 'unknown';
}

function readConfidence({ confidence }: ProviderOperation, record: JSONValue): number | null {
  if (confidence === undefined) return null;
  const value = typeof confidence === 'number' ? confidence : run(confidence, record);
  return typeof value === 'number' ? Math.min(1, Math.max(0, value)) : null;
}

function readDay({ observedOn }: ProviderOperation, record: JSONValue): string | null {
  const text = observedOn === undefined ? null : run(observedOn, record);
  const day = typeof text === 'string' ? (/^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null) : null;
  return day !== null && !Number.isNaN(Date.parse(day)) ? day : null;
}

function readRecord(
  operation: ProviderOperation,
  record: JSONValue,
  fields: readonly ProviderField[],
): RowAnswer {
  const all = readValues(operation, record);
  const status = readEmailStatus(operation, record);
  const shared = {
    observedOn: readDay(operation, record),
    confidence: readConfidence(operation, record),
  };
  const answerField = (field: ProviderField): FieldAnswer => {
    const names = providerFields[field] as readonly ProviderValueName[];
    const values = Object.fromEntries(
      names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
    );
    const isOfEmail = field === 'work_email' || field === 'email_status';
    const accepted = operation.accept[field];
    const isFound =
      field === 'email_status' ? status !== undefined : names.some((n) => n in values);
    const isAccepted = !accepted || (status !== undefined && accepted.includes(status));
    if (!isFound || !isAccepted) return { kind: 'miss' };
    return { kind: 'hit', values, ...shared, ...(isOfEmail && status && { status }) };
  };
  return Object.fromEntries(fields.map((field) => [field, answerField(field)]));
}

const failures = {
  quota: 'quota',
  bad_input: 'bad_input',
  legal: 'legal_refusal',
  fatal: 'source_error',
} as const;

function failFields(
  fields: readonly ProviderField[],
  failure: ProviderFailure,
  detail: string,
): RowAnswer {
  return Object.fromEntries(fields.map((field) => [field, { kind: 'failed', failure, detail }]));
}

const noCredits = 'The credits of the account ended before this row.';

/** The answer for a row by the first record rule that applies, else by the values of the record. */
function answerRow(
  operation: ProviderOperation,
  record: JSONValue,
  fields: readonly ProviderField[],
  without: OutcomeRule['without'],
): RowAnswer {
  const rule = operation.recordRules.find(({ match }) => isTrue(run(match, record)));
  if (rule?.means === 'miss') return {};
  if (rule !== undefined && rule.means !== 'hit') {
    const detail = rule.means === 'quota' ? noCredits : 'The service refused this row.';
    return failFields(fields, failures[rule.means], detail);
  }
  const answer = record === null ? {} : readRecord(operation, record, fields);
  if (without === undefined) return answer;
  const open = fields.filter((field) => answer[field]?.kind !== 'hit');
  return { ...answer, ...failFields(open, without, noCredits) };
}

/** The record of each row, in the order of the rows; null if the records cannot be assigned. */
function assignRecords(operation: ProviderOperation, body: JSONValue, count: number) {
  const found = run(operation.records, body) as JSONValue;
  const { batch } = operation;
  if (batch.wrap === undefined) return [found];
  if (!Array.isArray(found)) return null;
  if (batch.rowKey === undefined) return found.length === count ? found : null;
  const byKey = new Map<string, JSONValue>();
  for (const record of found) {
    const key = String(run(batch.rowKey, record));
    if (!byKey.has(key)) byKey.set(key, record);
  }
  return Array.from({ length: count }, (_, at) => byKey.get(String(at)) ?? null);
}

const unreadable = (phase: 'submit' | 'poll', detail: string): Reading => ({
  kind: 'failed',
  outcome: phase === 'submit' ? 'uncertain' : 'retry',
  waitMs: null,
  detail,
});

function readHit(
  command: AnswerToRead,
  body: JSONValue,
  outcome: 'hit' | 'miss',
  without: OutcomeRule['without'],
): Reading {
  const { operation, phase, wanted, answer } = command;
  const costCredits = readCost(command, body);
  if (outcome === 'miss') return { kind: 'answered', rows: wanted.map(() => ({})), costCredits };
  const records = assignRecords(operation, body, wanted.length);
  if (records === null)
    return unreadable(
      phase,
      `It answered ${answer.status}, but its records cannot be assigned to the rows.`,
    );
  const rows = wanted.map((fields, at) =>
    answerRow(operation, records[at] ?? null, fields, without),
  );
  return { kind: 'answered', rows, costCredits };
}

/** The id in an answer that is pending: a text or a number. Null if it cannot be sent again. */
function readTicket(operation: ProviderOperation, body: JSONValue): string | null {
  const found = operation.async ? run(operation.async.ticket, body) : null;
  if (typeof found !== 'string' && typeof found !== 'number') return null;
  const ticket = String(found);
  const isUsable = ticket.length <= ticketCharactersMax && ticket.isWellFormed();
  return ticket !== '' && isUsable && !/\p{Cc}/u.test(ticket) ? ticket : null;
}

/** Reads an answer. Does not throw for anything that a service answers. */
export function readAnswer(command: AnswerToRead): Reading {
  const { answer, phase, operation } = command;
  let body: JSONValue = null;
  let isJson = true;
  try {
    body = parsePayload(answer.text);
  } catch {
    isJson = false;
  }
  const rule = findRule([...operation.rules, ...command.rules], phase, answer.status, body);
  const outcome = rule?.means ?? guessOutcome(answer.status, phase, isJson);
  const waitMs = rule?.waitSec === undefined ? null : rule.waitSec * 1_000;
  // The first answer of an asynchronous operation is its ticket, unless a rule says otherwise.
  const isTicket = outcome === 'hit' && rule === undefined && phase === 'submit' && operation.async;
  if (outcome === 'pending' || isTicket) {
    const ticket = readTicket(operation, body);
    if (phase === 'submit' && ticket === null)
      return unreadable(phase, `It answered ${answer.status} without the id of the request.`);
    return { kind: 'pending', ticket, waitMs };
  }
  if (outcome === 'hit' && !isJson) return unreadable(phase, quoteMessage(answer, body));
  if (outcome === 'hit' || outcome === 'miss')
    return readHit(command, body, outcome, rule?.without);
  return { kind: 'failed', outcome, waitMs, detail: quoteMessage(answer, body) };
}
