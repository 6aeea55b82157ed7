/**
 * People who are logging in at an identity provider, and those who have: in memory alone.
 *
 *   begin ──> waiting ──take──> gone ──prove──> proven, as long as its consent waits
 *               └── five minutes ──> gone
 *
 * A state is taken once, whatever comes of it. What is proven belongs to one consent, which the
 * page knows by its secret.
 */
import { createHash } from 'node:crypto';
import { identityLoginKeptMs, identityLoginsMax } from '../contract/limits/accounts.ts';
import type { Consent } from './consents.ts';
import type { IssuerLogin } from './oidc-client.ts';

/** A login that a page has begun. */
export interface WaitingLogin {
  readonly login: IssuerLogin;
  readonly consent: Consent;
  /** The page's own, in whose tab the answer must arrive. */
  readonly secret: string;
  readonly accountId: number;
  /** When the settings of the provider were set: others may since have taken their place. */
  readonly setAt: string;
  /** Caps as they were typed on the page. */
  readonly caps: TypedCaps;
}

/** Caps as they stand in the page's fields; empty is none. */
export interface TypedCaps {
  readonly cap_per_day: string;
  readonly cap_per_month: string;
}

/** Who has logged in for a consent. */
export interface ProvenPerson {
  readonly accountId: number;
  /** When the settings were set by which this person may let programs in. */
  readonly setAt: string;
  /** The account's name, the person's email or subject, and the provider's host: to be shown. */
  readonly account: string;
  readonly name: string;
  readonly host: string;
}

/** All of one environment. */
export interface IdentityLogins {
  begin(waiting: WaitingLogin): void;
  /** The login of a state, once; null where there is none, or it is too old. */
  take(state: string): WaitingLogin | null;
  /** Notes who has logged in for a consent. */
  prove(consent: Consent, person: ProvenPerson): void;
  /** Who has; null where nobody has. */
  find(consent: Consent): ProvenPerson | null;
  /** Forgets who has. */
  forget(consent: Consent): void;
}

const hash = (state: string) => createHash('sha256').update(state).digest('hex');

/**
 * Makes the store.
 * @param now wall clock in milliseconds
 */
export function createIdentityLogins(now: () => number): IdentityLogins {
  const waiting = new Map<string, { entry: WaitingLogin; expiresMs: number }>();
  const proven = new WeakMap<Consent, ProvenPerson>();
  const drop = () => {
    for (const [key, { expiresMs }] of waiting) if (expiresMs <= now()) waiting.delete(key);
  };
  return {
    begin(entry) {
      drop();
      const [oldest] = waiting.keys();
      if (waiting.size >= identityLoginsMax && oldest !== undefined) waiting.delete(oldest);
      waiting.set(hash(entry.login.state), { entry, expiresMs: now() + identityLoginKeptMs });
    },
    take(state) {
      drop();
      const key = hash(state);
      const found = waiting.get(key)?.entry ?? null;
      waiting.delete(key);
      return found;
    },
    prove: (consent, person) => void proven.set(consent, person),
    find: (consent) => proven.get(consent) ?? null,
    forget: (consent) => void proven.delete(consent),
  };
}
