/** What the authorization server and the logins work with. */
import type { IdentityCalls } from '../accounts/identity-providers.commands.ts';
import type { LoginQueue } from '../accounts/login-queue.ts';
import type { RateWindow } from '../http/rate-window.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { Consents } from './consents.ts';
import type { DocumentSource } from './fetch-document.ts';
import type { IdentityLogins } from './identity-logins.ts';
import type { OauthCalls } from './oauth.commands.ts';

/** Deps of the routes of the authorization server. */
export interface OauthRouteDeps extends RouteDepsWith<OauthCalls & IdentityCalls> {
  /** Programs that wait for a person's answer, in both environments. */
  readonly consents: Consents;
  /** People who log in at an identity provider. */
  readonly identityLogins: IdentityLogins;
  /** A signal that ends what an identity provider is asked in one step of a login. */
  readonly identityDeadline: () => AbortSignal;
  /** Passwords that are tried on the authorization server's page, in both environments. */
  readonly logins: LoginQueue;
  /** Logins at an identity provider that each page begins. */
  readonly loginWindow: RateWindow;
  /** Programs that register themselves. */
  readonly registrationWindow: RateWindow;
  readonly documentSource: DocumentSource | undefined;
}
