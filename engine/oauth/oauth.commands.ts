/** Commands of the authorization server and of logins, to the writer thread. */
import type { ClientRow } from './oauth-client.table.ts';
import type { CodeOrder } from './oauth-code.table.ts';

/** Why a code gives no key: an error code of RFC 6749 or RFC 8707, and a sentence. */
export interface TokenRefusal {
  readonly error: 'invalid_grant' | 'invalid_target' | 'unauthorized_client';
  readonly detail: string;
}

/** A client's request to exchange a code for a key. */
export interface RedeemCommand {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Null if it was not sent; then it is not compared. */
  readonly resource: string | null;
  /** The time of the request, ISO 8601 in UTC. */
  readonly at: string;
}

/** Calls of the authorization server to the writer thread. */
export interface OauthCalls {
  /** Stores a client as it described itself. */
  registerClient(command: {
    name: string;
    redirectUris: readonly string[];
    at: string;
  }): Promise<ClientRow>;
  /**
   * Creates a code for an allowed request. The answer is the only place where the code is shown.
   */
  issueCode(command: CodeOrder & { at: string }): Promise<{ code: string }>;
  /** Exchanges a code for a key, once. A second use revokes the key of the first. */
  redeemCode(command: RedeemCommand): Promise<{ key: string } | TokenRefusal>;
  /** Revokes a key for the client that received it. Ignores unknown keys. */
  revokeToken(command: {
    token: string;
    clientId: string;
    at: string;
  }): Promise<TokenRefusal | null>;
  /** Sets the login of an account. Throws `validation_error` if another account has the email. */
  setLogin(command: { accountId: number; email: string; passwordHash: string }): Promise<void>;
  removeLogin(command: { accountId: number }): Promise<void>;
}
