/**
 * Programs that wait for a person's answer: in memory alone, until they are answered or too old.
 *
 *   begin ──> waiting ──claim──> claimed ──answer──> answered ──whenAnswered──> gone
 *               │  ^───release──────┘└───────────────finish──────────────────────^
 *               └── ten minutes ──> gone
 *
 * A page knows its own by a secret of 256 bits; the app knows them by a UUID, which opens nothing.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { EnvironmentName } from '../contract/ids.ts';
import { consentKeptMs, consentsMax } from '../contract/limits/oauth.ts';
import type { Authorization } from '../contract/oauth.ts';
import { describeRedirect, isLoopback } from '../platform/net/redirect-uri.ts';

/** What a program asks for. */
export interface ConsentOrder {
  readonly environment: EnvironmentName;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Comes back as it is; null where none was sent. */
  readonly state: string | null;
  readonly challenge: string;
  readonly resource: string | null;
  /** Who answers, as the program knows us. */
  readonly issuer: string;
}

/** One that waits. */
export interface Consent extends ConsentOrder {
  readonly id: string;
  /** What page and app both show, so that a person sees that they speak of the same. */
  readonly number: string;
  readonly expiresMs: number;
}

/** All that wait, in every environment. */
export interface Consents {
  /** Begins one; `secret` is the page's. The oldest gives way where there are too many. */
  begin(order: ConsentOrder): { consent: Consent; secret: string };
  /** The one of a page, answered or not; null where there is none, or it is too old. */
  find(environment: EnvironmentName, secret: string): Consent | null;
  /** Those that nobody has answered, oldest first. */
  list(): Consent[];
  /** Takes one on, so that it is answered once; null where it is not waiting. */
  claim(environment: EnvironmentName, id: string): Consent | null;
  /** Lets go of a claimed one that could not be answered. */
  release(consent: Consent): void;
  /** Answers a claimed one: where the browser that waits is to go. */
  answer(consent: Consent, location: string): void;
  /** Ends a claimed one that was answered to the page itself: nobody is told any more. */
  finish(consent: Consent): void;
  /**
   * Where the browser is to go, told once; null where nobody has answered before the signal.
   */
  whenAnswered(consent: Consent, signal: AbortSignal): Promise<string | null>;
  /** Calls the listener whenever the list has changed. */
  onChange(listener: () => void): void;
}

interface Entry {
  readonly consent: Consent;
  isClaimed: boolean;
  readonly answered: PromiseWithResolvers<string | null>;
}

const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');

const isSame = (one: ConsentOrder, other: ConsentOrder): boolean =>
  one.clientId === other.clientId &&
  one.challenge === other.challenge &&
  one.state === other.state &&
  one.environment === other.environment;

/** One as the app shows it. */
export const describeConsent = (consent: Consent): Authorization => ({
  id: consent.id,
  environment: consent.environment,
  client_name: consent.clientName,
  redirect_host: describeRedirect(consent.redirectUri),
  is_local: isLoopback(consent.redirectUri),
  number: consent.number,
  expires_at: new Date(consent.expiresMs).toISOString(),
});

/** The answer; null where it was given elsewhere, or not before the signal. */
async function waitFor({ answered }: Entry, signal: AbortSignal): Promise<string | null> {
  const stopped = Promise.withResolvers<null>();
  const stop = () => stopped.resolve(null);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const location = await Promise.race([answered.promise, stopped.promise]);
  signal.removeEventListener('abort', stop);
  return location;
}

function dropOld(entries: Map<string, Entry>, atMs: number): void {
  for (const [key, { consent }] of entries) if (consent.expiresMs <= atMs) entries.delete(key);
}

/** What was begun just now. */
const makeConsent = (order: ConsentOrder, atMs: number): Consent => ({
  ...order,
  id: randomUUID(),
  number: String(randomInt(10_000)).padStart(4, '0'),
  expiresMs: atMs + consentKeptMs,
});

/**
 * Makes the store.
 * @param now wall clock in milliseconds
 */
export function createConsents(now: () => number): Consents {
  const entries = new Map<string, Entry>();
  const listeners: (() => void)[] = [];
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const drop = () => dropOld(entries, now());
  const listFresh = () => {
    drop();
    return [...entries.values()];
  };
  const entryOf = (consent: Consent) => listFresh().find((entry) => entry.consent === consent);
  return {
    begin(order) {
      // A page that is loaded again asks the same once more: its first question is over.
      for (const [key, { consent, isClaimed }] of entries)
        if (!isClaimed && isSame(consent, order)) entries.delete(key);
      drop();
      const [oldest] = entries.keys();
      if (entries.size >= consentsMax && oldest !== undefined) entries.delete(oldest);
      const secret = randomBytes(32).toString('base64url');
      const consent = makeConsent(order, now());
      const answered = Promise.withResolvers<string | null>();
      entries.set(hash(secret), { consent, isClaimed: false, answered });
      notify();
      return { consent, secret };
    },
    find(environment, secret) {
      drop();
      const found = entries.get(hash(secret))?.consent;
      return found?.environment === environment ? found : null;
    },
    list: () =>
      listFresh()
        .filter(({ isClaimed }) => !isClaimed)
        .map(({ consent }) => consent),
    claim(environment, id) {
      const found = listFresh().find(({ consent }) => consent.id === id);
      if (!found || found.isClaimed || found.consent.environment !== environment) return null;
      found.isClaimed = true;
      notify();
      return found.consent;
    },
    release(consent) {
      const entry = entryOf(consent);
      if (entry) entry.isClaimed = false;
      notify();
    },
    answer(consent, location) {
      entryOf(consent)?.answered.resolve(location);
    },
    finish(consent) {
      for (const [key, entry] of entries)
        if (entry.consent === consent) {
          entries.delete(key);
          entry.answered.resolve(null);
        }
    },
    async whenAnswered(consent, signal) {
      const entry = entryOf(consent);
      if (!entry) return null;
      const location = await waitFor(entry, signal);
      if (location === null) return null;
      for (const [key, one] of entries) if (one === entry) entries.delete(key);
      return location;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
