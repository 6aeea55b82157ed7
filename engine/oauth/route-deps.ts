// Dependencies of the authorization server and the logins.
import type { IdentityCalls } from '../accounts/identity-providers.ts';
import type { LoginQueue } from '../accounts/login-queue.ts';
import type { RateWindow } from '../http/rate-window.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { Consents } from './consents.ts';
import type { OauthCalls } from './create-oauth-commands.ts';
import type { DocumentSource } from './fetch-document.ts';
import type { IdentityLogins } from './identity-logins.ts';

export interface OauthRouteDeps extends RouteDepsWith<OauthCalls & IdentityCalls> {
  readonly consents: Consents;
  readonly identityLogins: IdentityLogins;
  readonly identityDeadline: () => AbortSignal;
  readonly logins: LoginQueue;
  readonly loginWindow: RateWindow;
  readonly registrationWindow: RateWindow;
  readonly documentSource: DocumentSource | undefined;
}
