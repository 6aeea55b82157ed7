// Pending authorization requests, in memory, until they are answered or expire.
//
//   begin ──> waiting ──claim──> claimed ──answer──> answered ──whenAnswered──> gone
//               │  ^───release──────┘└───────────────finish──────────────────────^
//               └── ten minutes ──> gone
//
// A page identifies its request by a secret of 256 bits; the app by a UUID, which grants nothing.
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { EnvironmentName } from '../contract/ids.ts';
import { consentKeptMs, consentsMax } from '../contract/limits/oauth.ts';
import type { Authorization } from '../contract/oauth.ts';
import { describeRedirect, isLoopback } from '../platform/net/redirect-uri.ts';

export interface ConsentOrder {
  readonly environment: EnvironmentName;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Returned unchanged; null if none was sent. */
  readonly state: string | null;
  readonly challenge: string;
  readonly resource: string | null;
  /** The issuer, under the name that the client uses. */
  readonly issuer: string;
}

export interface Consent extends ConsentOrder {
  readonly id: string;
  /** Shown on the page and in the app, so that the person can compare. */
  readonly number: string;
  readonly expiresMs: number;
}

export interface Consents {
  /** Adds a request; `secret` is for the page. Drops the oldest if there are too many. */
  begin(order: ConsentOrder): { consent: Consent; secret: string };
  /** The request of a page, answered or not; null if there is none, or it has expired. */
  find(environment: EnvironmentName, secret: string): Consent | null;
  list(): Consent[];
  /** Claims a request, so that it is answered only once; null if it is not pending. */
  claim(environment: EnvironmentName, id: string): Consent | null;
  release(consent: Consent): void;
  answer(consent: Consent, location: string): void;
  /** Ends a claimed request that was answered on the page itself, without notifying it. */
  finish(consent: Consent): void;
  /** The redirect URL, returned once; null if the request is not answered before the signal. */
  whenAnswered(consent: Consent, signal: AbortSignal): Promise<string | null>;
  onChange(listener: () => void): void;
}

interface Entry {
  readonly consent: Consent;
  isClaimed: boolean;
  /** By the monotonic clock. */
  readonly endsMs: number;
  readonly answered: PromiseWithResolvers<string | null>;
}

const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');

const isSame = (one: ConsentOrder, other: ConsentOrder): boolean =>
  one.clientId === other.clientId &&
  one.challenge === other.challenge &&
  one.state === other.state &&
  one.environment === other.environment;

export const describeConsent = (consent: Consent): Authorization => ({
  id: consent.id,
  environment: consent.environment,
  client_name: consent.clientName,
  redirect_host: describeRedirect(consent.redirectUri),
  is_local: isLoopback(consent.redirectUri),
  number: consent.number,
  expires_at: new Date(consent.expiresMs).toISOString(),
});

/** The answer; null if it was given elsewhere, or not before the signal. */
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
  for (const [key, { endsMs }] of entries) if (endsMs <= atMs) entries.delete(key);
}

const makeConsent = (order: ConsentOrder, atMs: number): Consent => ({
  ...order,
  id: randomUUID(),
  number: String(randomInt(10_000)).padStart(4, '0'),
  expiresMs: atMs + consentKeptMs,
});

/** @param now wall clock for display @param elapsed monotonic clock, both in milliseconds */
export function createConsents(now: () => number, elapsed: () => number): Consents {
  const entries = new Map<string, Entry>();
  const listeners: (() => void)[] = [];
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const drop = () => dropOld(entries, elapsed());
  const listFresh = () => {
    drop();
    return [...entries.values()];
  };
  const entryOf = (consent: Consent) => listFresh().find((entry) => entry.consent === consent);
  return {
    begin(order) {
      // A reloaded page sends the same request again, which replaces the first one.
      for (const [key, { consent, isClaimed }] of entries)
        if (!isClaimed && isSame(consent, order)) entries.delete(key);
      drop();
      const [oldest] = entries.keys();
      if (entries.size >= consentsMax && oldest !== undefined) entries.delete(oldest);
      const secret = randomBytes(32).toString('base64url');
      const consent = makeConsent(order, now());
      const answered = Promise.withResolvers<string | null>();
      const endsMs = elapsed() + consentKeptMs;
      entries.set(hash(secret), { consent, isClaimed: false, endsMs, answered });
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
