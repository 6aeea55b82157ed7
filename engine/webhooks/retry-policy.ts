/** What an attempt comes to: the schedule of retries as a rule without a clock of its own. */
import {
  webhookRetryAfterMaxMs,
  webhookRetryDelaysMs,
  webhookRetrySpread,
} from '../contract/limits/webhooks.ts';
import type { NextStep } from './delivery.table.ts';

/** How an attempt ended. */
interface EndedAttempt {
  /** Which of its round, from 1. */
  readonly number: number;
  /** Attempts that may be made at most. */
  readonly attemptsMax: number;
  /** The HTTP status; null where none came. */
  readonly status: number | null;
  /** The header Retry-After as it came. */
  readonly retryAfter: string | null;
  readonly at: Date;
}

/** Attempts of one round: the first, and one behind each wait. */
export const attemptsMax = webhookRetryDelaysMs.length + 1;

/** How long a receiver asks to be left alone: seconds or a date (RFC 9110); 0 where it does not. */
export function readRetryAfterMs(header: string | null, at: Date): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header.trim())
    ? Number(header) * 1_000
    : Date.parse(header) - at.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(webhookRetryAfterMaxMs, Math.max(0, ms));
}

/**
 * What is next (docs/rules.md, "Webhooks"): 2xx ends it, 410 ends it for good, 429 puts the next
 * attempt off as it asks, anything else waits for its place in the schedule, while there is one.
 * @param random from 0 to 1: which of the waits within the spread
 */
export function decideNextAttempt(attempt: EndedAttempt, random: number): NextStep {
  const { number, status, at } = attempt;
  if (status !== null && status >= 200 && status <= 299) return { state: 'delivered' };
  const delayMs = webhookRetryDelaysMs[number - 1];
  if (status === 410 || number >= attempt.attemptsMax || delayMs === undefined)
    return { state: 'failed' };
  const spreadMs = delayMs * webhookRetrySpread * (2 * random - 1);
  const askedMs = status === 429 ? readRetryAfterMs(attempt.retryAfter, at) : 0;
  const waitMs = Math.round(Math.max(delayMs + spreadMs, askedMs));
  return { state: 'waiting', dueAt: new Date(at.getTime() + waitMs).toISOString() };
}
