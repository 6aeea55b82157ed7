// The rate limits of one key at a service: at most N requests or rows in any window of a second, a
// minute, an hour or a day; a number of requests at once; and the waits that the service asks for.
//
// A window is sliding: a token bucket would allow up to twice its size in one window, which
// services that count exactly refuse.
import type { ProviderLimits } from '../../contract/provider-definition.ts';
import { queueWork } from '../../platform/queue-work.ts';
import { createSteadyClock } from '../../platform/steady-clock.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const windowMs = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type WindowName = keyof typeof windowMs;
export const longestWindowMs = windowMs.day;

/** One window: what was counted in it, oldest first; `at` is the latest of an entry. */
interface Window {
  readonly max: number;
  readonly lengthMs: number;
  readonly entries: { readonly from: number; at: number; count: number }[];
}

/** Entries of a window. Closer ones are merged into the later, so memory has a bound. */
const windowEntriesMax = 200;

/** Milliseconds until a window has room for `count`. */
function waitForWindow({ entries, max, lengthMs }: Window, count: number, now: number): number {
  while (entries[0] && entries[0].at + lengthMs <= now) entries.shift();
  // A request that is larger than the window is sent once the window is empty.
  const room = Math.max(0, max - count);
  let used = entries.reduce((sum, entry) => sum + entry.count, 0);
  let freeAt = now;
  for (const entry of entries) {
    if (used <= room) break;
    used -= entry.count;
    freeAt = entry.at + lengthMs;
  }
  return Math.max(0, freeAt - now);
}

function countIn({ entries, lengthMs }: Window, count: number, now: number) {
  const last = entries.at(-1);
  const isClose = last !== undefined && now - last.from < lengthMs / windowEntriesMax;
  const entry = isClose ? last : { from: now, at: now, count: 0 };
  entry.at = now;
  entry.count += count;
  if (!isClose) entries.push(entry);
  return (sentAt: number) => {
    entry.at = Math.max(entry.at, sentAt);
    // It left the window while its connection was opened.
    if (!entries.includes(entry)) entries.push({ from: sentAt, at: sentAt, count });
  };
}

interface Allowance {
  left: number;
  readonly until: number;
}

/** Remaining requests from a header; null if it says nothing. An empty header is no limit. */
function readRemaining(text: string | undefined, codec: string, window: string): number | null {
  if (text === undefined || text.trim() === '') return null;
  if (codec === 'number') return Number.isFinite(Number(text)) ? Number(text) : null;
  const found = new RegExp(`'${window}'\\s*:\\s*'?(\\d+)`).exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** The end of a window from a header: seconds from now, a Unix time in s or ms, or a date. */
function readReset(text: string | undefined, now: number): number | null {
  if (text === undefined || text.trim() === '') return null;
  const number = Number(text);
  if (!Number.isFinite(number)) {
    const date = Date.parse(text);
    return Number.isNaN(date) ? null : date;
  }
  if (number >= 1e12) return number;
  return number >= 1e9 ? number * 1_000 : now + number * 1_000;
}

/** A request that would have to wait too long. Nothing was sent. */
export class LimitReached extends Error {
  override name = 'LimitReached';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    super('Its rate limit allows no further request now.');
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Permit {
  /** The connection is open. A window counts from here: the service counts what arrives. */
  markSent(): void;
  release(): void;
}

export interface RateLimiter {
  /**
   * Waits until a request may be sent, in the order of the calls, and counts it. Throws
   * LimitReached instead of a wait longer than `waitMaxMs`, and the signal's reason.
   * @param count requests or rows, as the limits count
   */
  acquire(count: number, signal: AbortSignal): Promise<Permit>;
  observe(headers: Readonly<Record<string, string>>): void;
  /** Sends nothing for a time that the service asked for. */
  block(ms: number): void;
}

function createSlots(max: number) {
  let free = max;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    release,
    async take(signal: AbortSignal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return;
      }
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      const leave = () => {
        const at = waiting.indexOf(turn.resolve);
        if (at >= 0) waiting.splice(at, 1);
        turn.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** Requests or rows that were sent at a time, in milliseconds since 1970. */
export interface SentBefore {
  readonly at: number;
  readonly count: number;
}

function openWindows(limits: ProviderLimits, sent: readonly SentBefore[], now: number): Window[] {
  const maxima: [number | undefined, WindowName][] = [
    [limits.perSecond, 'second'],
    [limits.perMinute, 'minute'],
    [limits.perHour, 'hour'],
    [limits.perDay, 'day'],
  ];
  const windows = maxima.flatMap(([max, name]): Window[] =>
    max === undefined ? [] : [{ max, lengthMs: windowMs[name], entries: [] }],
  );
  // What has a later time was sent while the clock was ahead, on a day of its own.
  for (const { at, count } of sent)
    if (at <= now) for (const window of windows) countIn(window, count, at);
  return windows;
}

/** The limits of one key. @param sent what the windows already contain, oldest first */
export function createRateLimiter(
  limits: ProviderLimits,
  clock: Clock,
  waitMaxMs: number,
  sent: readonly SentBefore[] = [],
): RateLimiter {
  const windows = openWindows(limits, sent, clock.now());
  const steady = createSteadyClock(clock.now);
  const allowances = new Map<WindowName, Allowance>();
  const slots = createSlots(limits.concurrency);
  let blockedUntil = 0;
  const inTurn = queueWork();
  const findWait = (count: number): number => {
    const now = steady();
    const waits = [blockedUntil - now, ...windows.map((one) => waitForWindow(one, count, now))];
    for (const { left, until } of allowances.values())
      if (left < count && until > now) waits.push(until - now);
    return Math.max(0, ...waits);
  };
  const passWindows = async (count: number, signal: AbortSignal) => {
    const startedAt = steady();
    for (let ms = findWait(count); ms > 0; ms = findWait(count)) {
      if (steady() - startedAt + ms > waitMaxMs) throw new LimitReached(ms);
      await clock.wait(ms, signal);
    }
    signal.throwIfAborted();
    const now = steady();
    for (const allowance of allowances.values()) allowance.left -= count;
    return windows.map((window) => countIn(window, count, now));
  };
  return {
    async acquire(count, signal) {
      await slots.take(signal);
      try {
        const counted = await inTurn(() => passWindows(count, signal));
        return {
          markSent() {
            for (const markSent of counted) markSent(steady());
          },
          release: slots.release,
        };
      } catch (error) {
        slots.release();
        throw error;
      }
    },
    observe(headers) {
      const now = steady();
      for (const { header, window, codec, reset } of limits.remaining) {
        const left = readRemaining(headers[header.toLowerCase()], codec, window);
        const told = reset ? readReset(headers[reset.toLowerCase()], clock.now()) : null;
        const toldMs = told === null ? windowMs[window] : told - clock.now();
        // A window ends within its length, whatever a header says.
        const until = now + Math.min(toldMs, windowMs[window]);
        if (left === null) allowances.delete(window);
        else allowances.set(window, { left, until });
      }
    },
    block(ms) {
      blockedUntil = Math.max(blockedUntil, steady() + ms);
    },
  };
}
