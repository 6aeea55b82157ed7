// Reads the answer of a health request: its meaning, the balance, and the assumptions.
import type { JSONValue } from '@jmespath-community/jmespath';
import { creditsReportedMax } from '../../contract/limits/waterfall.ts';
import type { OutcomeRule, ProviderDefinition } from '../../contract/provider-definition.ts';
import { compileExpression, evaluate, isTrue, parsePayload } from './expression.ts';
import { type FailedOutcome, findRule, type HttpAnswer, quoteMessage } from './read-answer.ts';

export interface CheckAnswer {
  readonly answer: HttpAnswer;
  readonly health: NonNullable<ProviderDefinition['health']>;
  /** The rules of the provider, after those of the health request. */
  readonly rules: readonly OutcomeRule[];
}

export interface CheckedAnswer {
  /** Null if the service accepted the request. */
  readonly failure: { readonly outcome: FailedOutcome; readonly detail: string } | null;
  /** Credits that remain; null if the answer does not say, or says what cannot be right. */
  readonly balance: number | null;
  /** The sentences of the assumptions that do not hold. */
  readonly broken: readonly string[];
}

/** Reads an answer of a health request. Does not throw for anything that a service answers. */
export function checkAnswer({ answer, health, rules }: CheckAnswer): CheckedAnswer {
  let body: JSONValue = null;
  let isJson = true;
  try {
    body = parsePayload(answer.text);
  } catch {
    isJson = false;
  }
  const run = (text: string) => evaluate(compileExpression(text), body);
  const means = findRule([...health.rules, ...rules], 'submit', answer.status, body)?.means;
  const isFine = means ? means === 'hit' : isJson && answer.status >= 200 && answer.status < 300;
  if (!isFine) {
    const outcome =
      means === undefined || means === 'hit' || means === 'miss' || means === 'pending'
        ? 'fatal'
        : means;
    const detail = quoteMessage(answer, body);
    return { failure: { outcome, detail }, balance: null, broken: [] };
  }
  const found = health.balance === undefined ? null : run(health.balance);
  const balance = typeof found === 'number' || typeof found === 'string' ? Number(found) : null;
  const broken = health.assumptions.filter(({ match }) => !isTrue(run(match)));
  return {
    failure: null,
    balance: balance !== null && Math.abs(balance) <= creditsReportedMax ? balance : null,
    broken: broken.map(({ says }) => says),
  };
}
