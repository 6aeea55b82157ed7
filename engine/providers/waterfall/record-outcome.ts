// Records the outcome of a request: the request, its answers, refusals and tallies change in one
// transaction. The same code ends requests that were answered at once, polled, or left by a crash.
import { emailStatuses, employmentStatuses } from '../../contract/jobs/job.ts';
import {
  creditsReportedMax,
  reportedCostFactorMax,
  valueCharactersMax,
} from '../../contract/limits/waterfall.ts';
import {
  type FieldAnswer,
  type FieldHit,
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderTerms,
  type ProviderValueName,
  type RowAnswer,
} from '../../contract/provider.ts';
import { normalizeDate } from '../../directory/normalize/normalize-date.ts';
import { normalizeEmail } from '../../directory/normalize/normalize-email.ts';
import { normalizePhone } from '../../directory/normalize/normalize-phone.ts';
import { normalizeUrl } from '../../directory/normalize/normalize-url.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { findShortage } from '../../platform/sqlite/system-refusal.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { storeRefusal } from '../../suppression/store-refusal.ts';
import { ownUnits, sharedUnits } from './cost-terms.ts';
import type { PaidWrites } from './paid-writes.ts';
import { countAsked, storeAnswer } from './provider-answer.table.ts';
import {
  endRequest,
  type OpenRequest,
  type RequestEnd,
  type SentRow,
} from './provider-request.table.ts';
import { toCredits, toUnits } from './provider-units.ts';
import { countBelieved, countRefusals, findJobUuid } from './refusal-brake.ts';
import { insertRequestFields } from './request-field.table.ts';
import { fieldSubject } from './row-subject.ts';

/** A form: its name for the user, and the value as it is kept; null if it has another form. */
interface ValueForm {
  readonly name: string;
  read(text: string): string | null;
}

const labelCharactersMax = 63;
// A national number has no country code, so that it is not read further.
const nationalPhone = /^\+?[\d\s().\p{Pd}/]+(?:(?:x|ext\.?|#|;ext=)\s*\d{1,8})?$/iu;
const phoneDigits = { min: 3, max: 23 } as const;

const text: ValueForm = { name: 'a text', read: (value) => value };
const email: ValueForm = {
  name: 'an email address',
  read(value) {
    const address = normalizeEmail(value);
    const labels = address?.slice(address.lastIndexOf('@') + 1).split('.') ?? [];
    return labels.some((label) => label.length > labelCharactersMax) ? null : address;
  },
};
/** The value as it is written, if its URL has no user: "javascript:x@host" is read as one. */
function readAddress(value: string): string | null {
  const url = normalizeUrl(value);
  return url === null || !URL.canParse(url) || new URL(url).username !== '' ? null : url;
}
const url: ValueForm = { name: 'a web address (http or https)', read: readAddress };
const website: ValueForm = {
  name: 'a website or a domain',
  read: (value) => (readAddress(value) === null ? null : value),
};
const phone: ValueForm = {
  name: 'a phone number',
  read(value) {
    const digits = value.replace(/\D/g, '').length;
    const isNational =
      nationalPhone.test(value) && digits >= phoneDigits.min && digits <= phoneDigits.max;
    return isNational || normalizePhone(value, null) !== null ? value : null;
  },
};
const date: ValueForm = {
  name: 'a date',
  read: (value) => (normalizeDate(value) === null ? null : value),
};
const employmentStatus: ValueForm = {
  name: `one of ${employmentStatuses.filter(Boolean).join(', ')}`,
  read: (value) => employmentStatuses.find((status) => status === value) ?? null,
};

const forms: Readonly<Record<ProviderValueName, ValueForm>> = {
  email,
  employment_status: employmentStatus,
  first_name: text,
  last_name: text,
  company_name: text,
  company_domain: website,
  title: text,
  start_date: date,
  profile_url: url,
  job_function: text,
  job_level: text,
  city: text,
  state: text,
  country: text,
  company_website: website,
  company_address: text,
  company_city: text,
  company_state: text,
  company_country: text,
  company_postal_code: text,
  company_phone: phone,
  new_company_name: text,
  new_title: text,
  new_start_date: date,
  new_company_website: website,
  new_email: email,
  new_company_address: text,
  new_company_city: text,
  new_company_state: text,
  new_company_country: text,
  new_company_postal_code: text,
  new_company_phone: phone,
  mobile_phone: phone,
  direct_phone: phone,
};

/** A text on one line, as it is kept; otherwise why it is not. */
function readText(value: unknown): { readonly line: string } | { readonly fault: string } {
  if (typeof value !== 'string') return { fault: 'is not a text' };
  if (value.length > valueCharactersMax)
    return { fault: `has more than ${valueCharactersMax.toLocaleString('en')} characters` };
  // Control characters and broken letters are removed before the form is checked, so that they
  // hide no value from the suppression list.
  const line = value.replace(/[\t\r\n]+/g, ' ').replace(/[\p{Cc}\p{Cs}]/gu, '');
  return { line: line.trim() };
}

/** A value as it is kept, or what is wrong with it. */
function readValue(
  name: ProviderValueName,
  value: unknown,
): { readonly kept: string } | { readonly fault: string } {
  const read = readText(value);
  if ('fault' in read) return read;
  const kept = read.line === '' ? '' : forms[name].read(read.line);
  return kept === null ? { fault: `is not ${forms[name].name}` } : { kept };
}

const readDay = (day: string | null): string | null =>
  day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? normalizeDate(day) : null;

/**
 * A hit with the values that have their forms; those without are reported.
 * @param onFault called for each value that is left out, with its name and what is wrong
 */
function keepForms(hit: FieldHit, onFault: (name: string, fault: string) => void): FieldHit {
  const values: Partial<Record<ProviderValueName, string>> = {};
  for (const [name, value] of Object.entries(hit.values)) {
    if (!Object.hasOwn(forms, name)) continue;
    const read = readValue(name as ProviderValueName, value);
    if ('fault' in read) onFault(name, read.fault);
    else if (read.kept !== '') values[name as ProviderValueName] = read.kept;
  }
  const { status, confidence, source, observedOn, ...others } = hit;
  const named = source === undefined ? null : readText(source);
  const isKnown = emailStatuses.some((one) => one === status);
  return {
    ...others,
    values,
    ...(status !== undefined && isKnown && { status }),
    observedOn: readDay(observedOn),
    confidence: Number.isFinite(confidence) ? confidence : null,
    ...(named && 'line' in named && { source: named.line }),
  };
}

type Answered = Extract<ProviderAnswer, { kind: 'answered' }>;
export type EndingRequest = Pick<OpenRequest, 'id' | 'provider' | 'rows' | 'jobId'>;

type AnsweredField = readonly [field: ProviderField, said: FieldAnswer];

const miss: FieldAnswer = { kind: 'miss' };

const isRefused = (row: readonly AnsweredField[]): boolean =>
  row.some(([, said]) => said.kind === 'failed' && said.failure === 'legal_refusal');

const isEmpty = (field: ProviderField, said: FieldAnswer): boolean =>
  said.kind === 'hit' &&
  (field === 'email_status' ? !said.status : Object.values(said.values).join('') === '');

class Remarks {
  readonly #left = new Map<string, number>();
  readonly #sentences = new Set<string>();

  leaveOut(name: string, fault: string): void {
    const what = `${name} ${fault}`;
    this.#left.set(what, (this.#left.get(what) ?? 0) + 1);
  }
  add(sentence: string): void {
    this.#sentences.add(sentence);
  }
  write(): string | null {
    const left = [...this.#left].map(([what, count]) => (count > 1 ? `${what} (${count})` : what));
    const sentences = [...this.#sentences];
    if (left.length > 0) sentences.push(`Values were left out: ${left.join('; ')}.`);
    return sentences.length === 0 ? null : sentences.join(' ');
  }
}

/** The answer for each requested field of a row; a missing one is a miss. */
function readFields(row: SentRow, answer: RowAnswer | undefined): AnsweredField[] {
  return row.fields.map((field) => {
    if (!answer)
      return [field, { kind: 'failed', failure: 'source_error', detail: 'No answer for the row.' }];
    const said = answer[field] ?? miss;
    return [field, isEmpty(field, said) ? miss : said];
  });
}

/** Values without their form are neither stored, shown nor charged; with none left it is a miss. */
function keepField([field, said]: AnsweredField, remarks: Remarks): AnsweredField {
  if (said.kind !== 'hit') return [field, said];
  const kept = keepForms(said, (name, fault) => remarks.leaveOut(name, fault));
  if (!isEmpty(field, kept)) return [field, kept];
  const { costCredits } = said;
  return [field, costCredits === undefined ? miss : { kind: 'miss', costCredits }];
}

/** The most that some rows can cost at a provider, in units. */
export function costMax(terms: ProviderTerms, rows: readonly Pick<SentRow, 'fields'>[]): number {
  const perRow = toUnits(terms.rowCostMaxCredits);
  return rows.reduce((sum, { fields }) => {
    const own = fields.reduce((cost, field) => cost + ownUnits(terms, field), 0);
    return sum + perRow + own + sharedUnits(terms, fields);
  }, 0);
}

/** A reported cost; undefined, with a remark, if it is more than a request can plausibly cost. */
function boundCost(credits: number, mostUnits: number, remarks: Remarks): number | undefined {
  if (credits >= 0 && toUnits(credits) <= mostUnits) return credits;
  remarks.add(
    `It reported a cost of ${credits} credits. More than ${toCredits(mostUnits)} cannot be right ` +
      'by its definition, so the cost is estimated. Check its account.',
  );
  return undefined;
}

/** An answer whose reported costs are plausible. The others count as not reported. */
function boundCosts(
  terms: ProviderTerms,
  { rows: sent }: EndingRequest,
  { costCredits }: Answered,
  rows: readonly (readonly AnsweredField[])[],
  remarks: Remarks,
): { readonly costCredits: number | null; readonly rows: readonly (readonly AnsweredField[])[] } {
  const most = Math.max(costMax(terms, sent), toUnits(sent.length)) * reportedCostFactorMax;
  const mostUnits = Math.min(most, toUnits(creditsReportedMax));
  const boundField = ([field, said]: AnsweredField): AnsweredField => {
    if (said.kind === 'failed' || said.costCredits === undefined) return [field, said];
    const { costCredits: reported, ...others } = said;
    const bounded = boundCost(reported, mostUnits, remarks);
    return [field, bounded === undefined ? others : said];
  };
  return {
    costCredits: costCredits === null ? null : (boundCost(costCredits, mostUnits, remarks) ?? null),
    rows: rows.map((row) => row.map(boundField)),
  };
}

/**
 * The cost of a request: reported in total or per field, otherwise the most that its hits and its
 * fields with an unknown outcome cost. A row whose fields all failed is free.
 */
function readCost(
  terms: ProviderTerms,
  { costCredits, rows }: ReturnType<typeof boundCosts>,
): Pick<Extract<RequestEnd, { state: 'answered' }>, 'costUnits' | 'isReported' | 'uncertainUnits'> {
  const isUnknown = (said: FieldAnswer) => said.kind === 'failed' && said.failure === 'uncertain';
  const hasUnknown = rows.flat().some(([, said]) => isUnknown(said));
  if (costCredits !== null) {
    const uncertainUnits = hasUnknown ? 0 : null;
    return { costUnits: toUnits(costCredits), isReported: true, uncertainUnits };
  }
  const isFree = (said: FieldAnswer) => said.kind === 'failed' && !isUnknown(said);
  const isOpen = (said: FieldAnswer) => said.kind === 'failed';
  const perRow = toUnits(terms.rowCostMaxCredits);
  const paid = rows.filter((row) => !row.every(([, said]) => isFree(said)));
  let costUnits = perRow * paid.length;
  let uncertainUnits = perRow * paid.filter((row) => row.every(([, said]) => isOpen(said))).length;
  let isReported = costUnits === 0;
  for (const [field, said] of rows.flat()) {
    const reported = said.kind === 'failed' ? undefined : said.costCredits;
    const mayCost = said.kind === 'hit' || isUnknown(said);
    if (mayCost && reported === undefined) isReported = false;
    const max = mayCost ? ownUnits(terms, field) : 0;
    costUnits += reported === undefined ? max : toUnits(reported);
    if (isUnknown(said)) uncertainUnits += max;
  }
  for (const row of rows) {
    const named = (is: (said: FieldAnswer) => boolean) =>
      row.filter(([, said]) => is(said)).map(([field]) => field);
    const found = sharedUnits(
      terms,
      named((said) => said.kind === 'hit'),
    );
    const all = sharedUnits(
      terms,
      named((said) => said.kind === 'hit' || isUnknown(said)),
    );
    costUnits += all;
    uncertainUnits += all - found;
  }
  const mostUnits = toUnits(creditsReportedMax);
  return {
    costUnits: Math.min(costUnits, mostUnits),
    isReported,
    uncertainUnits: hasUnknown ? Math.min(uncertainUnits, mostUnits) : null,
  };
}

function recordAnswer(
  database: WritableDatabase,
  terms: ProviderTerms,
  request: EndingRequest,
  answer: Answered,
  at: string,
): RowAnswer[] {
  const { id: requestId, provider, jobId } = request;
  const remarks = new Remarks();
  const said = request.rows.map((row, nth) => readFields(row, answer.rows[nth]));
  const priced = boundCosts(terms, request, answer, said, remarks);
  const rows = priced.rows.map((row) => row.map((field) => keepField(field, remarks)));
  inTransaction(database, () => {
    // The service found what it answered, whatever its form: without a report, it may cost as much.
    const cost = readCost(terms, priced);
    const detail = remarks.write();
    const refusedRows = rows.filter(isRefused).length;
    const now = { refused: refusedRows, answered: rows.length - refusedRows };
    let believed =
      refusedRows === 0 ? 0 : countBelieved(countRefusals(database, provider, jobId), now);
    const job = findJobUuid(database, refusedRows === 0 ? null : jobId);
    endRequest(database, requestId, { state: 'answered', ...cost, refusedRows, detail }, at);
    insertRequestFields(database, requestId, terms, rows);
    for (const [nth, row] of request.rows.entries()) {
      const answered = rows[nth] ?? [];
      if (isRefused(answered) && believed > 0) {
        storeRefusal(database, row.row, provider, job, at);
        believed -= 1;
      }
      for (const [field, said] of answered) {
        const failure = said.kind === 'failed' ? said.failure : null;
        if (failure === null) countAsked(database, provider, field, said.kind === 'hit');
        // What the service does not accept is not found there; other failures are asked again.
        const outcome =
          said.kind === 'hit' ? 'hit' : failure === 'uncertain' ? 'uncertain' : 'miss';
        if (failure !== null && failure !== 'uncertain' && failure !== 'bad_input') continue;
        const hit = said.kind === 'hit' ? said : null;
        storeAnswer(
          database,
          fieldSubject(field, row.row, row.subject),
          { field, provider, requestId, outcome, hit, fetchedAt: at },
          terms.keepDays,
        );
      }
    }
  });
  return rows.map((answers) => Object.fromEntries(answers));
}

/**
 * Records an answer that may have been paid for, as soon as there is room for it. Throws
 * ProviderError `uncertain` if it cannot be stored, which is a bug and is logged; and any other
 * error if the engine stops.
 */
export async function recordPaid(
  { database, writes }: { readonly database: WritableDatabase; readonly writes: PaidWrites },
  terms: ProviderTerms,
  request: EndingRequest,
  answer: Answered,
  at: string,
): Promise<RowAnswer[]> {
  const recorded = await writes.keep(() => {
    try {
      return recordAnswer(database, terms, request, answer, at);
    } catch (error) {
      if (findShortage(error)) throw error;
      logFailure(`an answer of ${terms.id} could not be stored`, error);
      return null;
    }
  });
  if (recorded) return recorded;
  throw new ProviderError('uncertain', 'Its answer could not be stored. The log has the reason.');
}

/** Records that a request failed as a whole. An unknown outcome is stored for each field. */
export function recordFailure(
  database: WritableDatabase,
  request: EndingRequest,
  { failure, message: detail }: Pick<ProviderError, 'failure' | 'message'>,
  at: string,
): void {
  const { id: requestId, provider, jobId } = request;
  inTransaction(database, () => {
    // A refusal of several rows does not say which of them is meant.
    const isOne = request.rows.length === 1;
    const isRefusal = failure === 'legal_refusal' && isOne;
    const isBelieved =
      isRefusal &&
      countBelieved(countRefusals(database, provider, jobId), { refused: 1, answered: 0 }) > 0;
    const state = failure === 'uncertain' ? 'uncertain' : 'failed';
    endRequest(database, requestId, { state, failure, detail }, at);
    for (const row of request.rows) {
      if (isBelieved) storeRefusal(database, row.row, provider, findJobUuid(database, jobId), at);
      const isMiss = failure === 'bad_input' && isOne;
      if (failure !== 'uncertain' && !isMiss) continue;
      const outcome = isMiss ? 'miss' : 'uncertain';
      for (const field of row.fields)
        storeAnswer(
          database,
          fieldSubject(field, row.row, row.subject),
          { field, provider, requestId, outcome, hit: null, fetchedAt: at },
          null,
        );
    }
  });
}
