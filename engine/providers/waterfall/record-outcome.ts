/**
 * Records the outcome of a request: the request, its answers, refusals and tallies change in one
 * transaction. The same code ends requests that were answered at once, polled, or left by a crash.
 */
import type {
  FieldAnswer,
  ProviderAnswer,
  ProviderError,
  ProviderField,
  ProviderTerms,
  RowAnswer,
} from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { storeRefusal } from '../../suppression/store-refusal.ts';
import { countAsked, storeAnswer } from './provider-answer.table.ts';
import { endRequest, type OpenRequest, type SentRow } from './provider-request.table.ts';
import { toUnits } from './provider-units.ts';
import { fieldSubject } from './row-subject.ts';

type Answered = Extract<ProviderAnswer, { kind: 'answered' }>;
/** A request to end. */
export type EndingRequest = Pick<OpenRequest, 'id' | 'provider' | 'rows'>;

const miss: FieldAnswer = { kind: 'miss' };

/** The answer for each requested field of a row; a missing one is a miss. */
function readFields(row: SentRow, answer: RowAnswer | undefined): [ProviderField, FieldAnswer][] {
  return row.fields.map((field) => {
    if (!answer)
      return [field, { kind: 'failed', failure: 'source_error', detail: 'No answer for the row.' }];
    const said = answer[field] ?? miss;
    const isEmpty =
      said.kind === 'hit' &&
      (field === 'email_status' ? !said.status : Object.values(said.values).join('') === '');
    return [field, isEmpty ? miss : said];
  });
}

/** The most that some rows can cost at a provider, in units. */
export function costMax(terms: ProviderTerms, rows: readonly Pick<SentRow, 'fields'>[]): number {
  const perRow = toUnits(terms.rowCostMaxCredits);
  const costOf = (field: ProviderField) => toUnits(terms.fields[field]?.costMaxCredits ?? 0);
  return rows.reduce(
    (sum, { fields }) => sum + perRow + fields.reduce((cost, field) => cost + costOf(field), 0),
    0,
  );
}

/**
 * The cost of a request: reported in total or per field, otherwise the most that its hits and its
 * fields with an unknown outcome cost.
 */
function readCost(
  terms: ProviderTerms,
  answer: Answered,
  answers: readonly (readonly [ProviderField, FieldAnswer])[],
): { readonly costUnits: number; readonly isReported: boolean } {
  if (answer.costCredits !== null)
    return { costUnits: toUnits(answer.costCredits), isReported: true };
  let costUnits = toUnits(terms.rowCostMaxCredits) * answer.rows.length;
  let isReported = terms.rowCostMaxCredits === 0;
  for (const [field, said] of answers) {
    const isUnknown = said.kind === 'failed' && said.failure === 'uncertain';
    const reported = said.kind === 'failed' ? undefined : said.costCredits;
    const mayCost = said.kind === 'hit' || isUnknown;
    if (mayCost && reported === undefined) isReported = false;
    const max = mayCost ? (terms.fields[field]?.costMaxCredits ?? 0) : 0;
    costUnits += toUnits(reported ?? max);
  }
  return { costUnits, isReported };
}

/** Records an answer. Returns the answers of each row. */
export function recordAnswer(
  database: WritableDatabase,
  terms: ProviderTerms,
  request: EndingRequest,
  answer: Answered,
  at: string,
): RowAnswer[] {
  const { id: requestId, provider } = request;
  const rows = request.rows.map((row, nth) => readFields(row, answer.rows[nth]));
  inTransaction(database, () => {
    const cost = readCost(terms, answer, rows.flat());
    endRequest(database, requestId, { state: 'answered', ...cost }, at);
    for (const [nth, row] of request.rows.entries())
      for (const [field, said] of rows[nth] ?? []) {
        const failure = said.kind === 'failed' ? said.failure : null;
        if (failure === 'legal_refusal') storeRefusal(database, row.row, provider, at);
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
  });
  return rows.map((answers) => Object.fromEntries(answers));
}

/** Records that a request failed as a whole. An unknown outcome is stored for each field. */
export function recordFailure(
  database: WritableDatabase,
  request: EndingRequest,
  { failure, message: detail }: Pick<ProviderError, 'failure' | 'message'>,
  at: string,
): void {
  const { id: requestId, provider } = request;
  inTransaction(database, () => {
    const state = failure === 'uncertain' ? 'uncertain' : 'failed';
    endRequest(database, requestId, { state, failure, detail }, at);
    for (const row of request.rows) {
      if (failure === 'legal_refusal') storeRefusal(database, row.row, provider, at);
      // A refusal of several rows does not say which of them is meant.
      const isMiss = failure === 'bad_input' && request.rows.length === 1;
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
