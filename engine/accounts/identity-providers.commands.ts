/** Commands about identity providers to the writer thread. */

/**
 * Settings to store. The people who may authorize apps are given by emails, by subjects, or by
 * both.
 */
export interface IdentityProviderOrder {
  readonly accountId: number;
  readonly issuer: string;
  readonly clientId: string;
  /** In plain text; null for none; undefined keeps the secret of the same issuer and client. */
  readonly clientSecret: string | null | undefined;
  readonly emails: readonly string[];
  readonly subjects: readonly string[];
}

/** Calls to the writer thread, which alone opens and seals secrets. */
export interface IdentityCalls {
  /**
   * Sets the identity provider of an account. Throws `validation_error` if the issuer is not
   * allowed or no person is given, and `secrets_unavailable`.
   */
  setIdentityProvider(command: IdentityProviderOrder): Promise<void>;
  removeIdentityProvider(command: { accountId: number }): Promise<void>;
  /**
   * The client's secret in plain text, or null if there is none. Throws `secrets_unavailable` if it
   * cannot be opened.
   */
  openClientSecret(command: { accountId: number }): Promise<string | null>;
}
