// A provider that follows a script, charges, and keeps its own ledger, as a service would.
import {
  type FieldAnswer,
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderFailure,
  type ProviderField,
  type ProviderRequest,
  type ProviderTerms,
  type RowAnswer,
} from '../../engine/contract/provider.ts';
import { freeTerms } from './free-terms.ts';

/** What happens to one request, in turn; after the last, requests are answered. */
export type RequestTurn =
  | 'answer'
  | 'pending'
  | 'bug'
  | { readonly fails: ProviderFailure; readonly isSent: boolean };

export type FieldTurn = 'hit' | 'hit, unreliable' | 'miss' | ProviderFailure;

/** What a provider does. */
export interface Script {
  readonly turns: readonly RequestTurn[];
  /** By the number of the row's last name. */
  readonly fields: readonly FieldTurn[];
  /** Whether the total of a request is reported, or the cost of each field, or nothing. */
  readonly reports: 'total' | 'field' | 'nothing';
}

export interface Charge {
  readonly requestId: string;
  /** `last name field` of what was found, or may have been. */
  readonly about: readonly string[];
  readonly credits: number;
}

/** Credits of a hit, and of an unknown outcome. Any other answer is free. */
const hitCredits = 2;

function sayField(turn: FieldTurn, field: ProviderField, value: string, cost: object): FieldAnswer {
  if (turn === 'miss') return { kind: 'miss' };
  if (turn !== 'hit' && turn !== 'hit, unreliable')
    return { kind: 'failed', failure: turn, detail: `It says ${turn}.` };
  const isReliable = turn === 'hit';
  const values = {
    ...(field === 'work_email' ? { email: `${value}@found.example` } : {}),
    ...(field === 'phone' ? { mobile_phone: `+4179 ${value}` } : {}),
    ...(field === 'employment' ? { title: `Title ${value}` } : {}),
  };
  return {
    kind: 'hit',
    values,
    observedOn: '2026-10-01',
    ...cost,
    confidence: isReliable ? 0.9 : 0.1,
    ...(field === 'work_email' ? { status: isReliable ? 'valid' : 'invalid' } : {}),
  };
}

/** Creates the provider `id`, with its charges and the requests it received. */
export function createScriptedProvider(
  id: string,
  script: Script,
  change: Partial<ProviderTerms> = {},
) {
  const charges: Charge[] = [];
  const sent: ProviderRequest[] = [];
  const waiting = new Map<string, { request: ProviderRequest; polls: number }>();
  const fields = (['work_email', 'employment', 'phone'] as const).map(
    (field) => [field, { needs: [['last_name']], costMaxCredits: hitCredits }] as const,
  );
  const terms: ProviderTerms = {
    ...freeTerms,
    id,
    title: `Service ${id}`,
    rowsMax: 3,
    requestsMax: 2,
    repeatDelaysMs: [0, 0],
    fields: Object.fromEntries(fields),
    ...change,
  };
  let turn = 0;
  const answerAll = (request: ProviderRequest): ProviderAnswer => {
    let credits = 0;
    const about: string[] = [];
    const cost = script.reports === 'field' ? { costCredits: hitCredits } : {};
    const rows = request.rows.map(({ row, fields: wanted }): RowAnswer => {
      const at = Number(row.last_name?.slice(3));
      const say = script.fields[at % script.fields.length] ?? 'miss';
      const answers = wanted.map((field) => {
        const answer = sayField(say, field, `${id}${at}`, cost);
        if (answer.kind === 'hit' || say === 'uncertain') {
          credits += hitCredits;
          about.push(`${row.last_name} ${field}`);
        }
        return [field, answer] as const;
      });
      return Object.fromEntries(answers);
    });
    charges.push({ requestId: request.id, about, credits });
    return { kind: 'answered', rows, costCredits: script.reports === 'total' ? credits : null };
  };
  const provider: Provider = {
    describe: () => terms,
    async answer(request, { onSend }) {
      const now = script.turns[turn++] ?? 'answer';
      if (typeof now === 'object' && !now.isSent)
        throw new ProviderError(now.fails, `${id} says ${now.fails}.`);
      onSend();
      sent.push(request);
      if (now === 'bug') throw new TypeError('undefined is not a function');
      if (typeof now === 'object') {
        // The outcome that no one knows is charged.
        if (now.fails === 'uncertain') answerAll(request);
        throw new ProviderError(now.fails, `${id} says ${now.fails}.`);
      }
      if (now === 'answer') return answerAll(request);
      waiting.set(request.id, { request, polls: 0 });
      return { kind: 'pending', ticket: request.id, pollAfterMs: 1 };
    },
    async poll(ticket) {
      const open = waiting.get(ticket);
      if (!open) throw new ProviderError('uncertain', 'It does not know the ticket.');
      open.polls += 1;
      if (open.polls === 1) return { kind: 'pending', ticket, pollAfterMs: 1 };
      if (open.polls === 2) throw new ProviderError('slow_down', 'Not so fast.', 1);
      waiting.delete(ticket);
      return answerAll(open.request);
    },
  };
  return { provider, charges, sent };
}
