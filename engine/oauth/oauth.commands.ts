/** Commands of the authorization server and of logins to the writer thread. */
import type { ClientRow } from './oauth-client.table.ts';
import type { CodeOrder } from './oauth-code.table.ts';

/** Why a code gives no key: the error codes of RFC 6749 and RFC 8707, and a sentence. */
export interface TokenRefusal {
  readonly error: 'invalid_grant' | 'invalid_target' | 'unauthorized_client';
  readonly detail: string;
}

/** What a program sends to get a key for its code. */
export interface RedeemCommand {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Null where it is not sent: then nothing is compared. */
  readonly resource: string | null;
  /** The moment, ISO 8601 in UTC. */
  readonly at: string;
}

/** What the authorization server asks of the writer thread. */
export interface OauthCalls {
  /** Keeps a program as it described itself. */
  registerClient(command: {
    name: string;
    redirectUris: readonly string[];
    at: string;
  }): Promise<ClientRow>;
  /** Makes a code for what a person allowed; the answer is the only place where it is seen. */
  issueCode(command: CodeOrder & { at: string }): Promise<{ code: string }>;
  /** Gives a key for a code, once; a second use revokes the key that the first one gave. */
  redeemCode(command: RedeemCommand): Promise<{ key: string } | TokenRefusal>;
  /** Revokes a key at the wish of the program that got it; an unknown one is left alone. */
  revokeToken(command: {
    token: string;
    clientId: string;
    at: string;
  }): Promise<TokenRefusal | null>;
  /** Sets the login of an account. Throws `validation_error` where another has the email. */
  setLogin(command: { accountId: number; email: string; passwordHash: string }): Promise<void>;
  removeLogin(command: { accountId: number }): Promise<void>;
}
