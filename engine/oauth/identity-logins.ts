// Logins at identity providers, pending and proven, in memory.
//
//   begin ──> waiting ──take──> gone ──prove──> proven, as long as its consent waits
//               └── five minutes ──> gone
//
// A state is taken only once, whatever the result. A proven login belongs to one consent, which the
// page identifies by its secret.
import { createHash } from 'node:crypto';
import { identityLoginKeptMs, identityLoginsMax } from '../contract/limits/accounts.ts';
import type { Consent } from './consents.ts';
import type { IssuerLogin } from './oidc-client.ts';

export interface WaitingLogin {
  readonly login: IssuerLogin;
  readonly consent: Consent;
  /** The secret of the page whose tab must receive the answer. */
  readonly secret: string;
  readonly accountId: number;
  /** When the provider's settings were stored, to detect that they have changed since. */
  readonly setAt: string;
  readonly caps: TypedCaps;
}

/** Values of the page's cap fields; empty means no cap. */
export interface TypedCaps {
  readonly cap_per_day: string;
  readonly cap_per_month: string;
}

export interface ProvenPerson {
  readonly accountId: number;
  /** When the settings were stored that allow this person. */
  readonly setAt: string;
  /** For display: the account's name, the person's email or subject, and the provider's host. */
  readonly account: string;
  readonly name: string;
  readonly host: string;
}

export interface IdentityLogins {
  begin(waiting: WaitingLogin): void;
  /** Takes the login of a state, once; null if there is none, or it has expired. */
  take(state: string): WaitingLogin | null;
  prove(consent: Consent, person: ProvenPerson): void;
  /** The person who has logged in for a consent; null if none has. */
  find(consent: Consent): ProvenPerson | null;
  forget(consent: Consent): void;
}

const hash = (state: string) => createHash('sha256').update(state).digest('hex');

/** @param now monotonic clock in milliseconds */
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
