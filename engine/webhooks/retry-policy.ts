// Decides what follows a delivery attempt: delivered, failed, or a retry at a time. Pure functions.
import {
  webhookRetryAfterMaxMs,
  webhookRetryDelaysMs,
  webhookRetrySpread,
} from '../contract/limits/webhooks.ts';
import type { NextStep } from './delivery.table.ts';

interface EndedAttempt {
  /** Number of the attempt in its round, from 1. */
  readonly number: number;
  readonly attemptsMax: number;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly at: Date;
}

/** Attempts of one round: the first, and one after each delay. */
export const attemptsMax = webhookRetryDelaysMs.length + 1;

/** The longest wait before an attempt, in milliseconds. A later one was not set by this policy. */
export const retryWaitMaxMs = Math.max(
  webhookRetryAfterMaxMs,
  ...webhookRetryDelaysMs.map((delayMs) => delayMs * (1 + webhookRetrySpread)),
);

/** The delay that a receiver requests, as seconds or a date (RFC 9110); 0 if it requests none. */
export function readRetryAfterMs(header: string | null, at: Date): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header.trim())
    ? Number(header) * 1_000
    : Date.parse(header) - at.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(webhookRetryAfterMaxMs, Math.max(0, ms));
}

/**
 * Decides the next step (docs/webhooks.md, "Retries"): 2xx ends the delivery, 410 ends it
 * permanently, 429 delays the next attempt as requested, and anything else retries on schedule
 * until no attempt is left.
 * @param random from 0 to 1: the position of the delay within its spread
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
