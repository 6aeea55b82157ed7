/** Commands about identity providers to the writer thread. */

/** What is set; who may let programs in is named by emails, by subjects, or by both. */
export interface IdentityProviderOrder {
  readonly accountId: number;
  readonly issuer: string;
  readonly clientId: string;
  /** In clear; null for none, undefined keeps the one of the same issuer and client. */
  readonly clientSecret: string | null | undefined;
  readonly emails: readonly string[];
  readonly subjects: readonly string[];
}

/** What is asked of the writer thread, which alone opens and seals secrets. */
export interface IdentityCalls {
  /**
   * Sets the identity provider of an account. Throws `validation_error` for an issuer that may not
   * be or where nobody is named, and `secrets_unavailable`.
   */
  setIdentityProvider(command: IdentityProviderOrder): Promise<void>;
  removeIdentityProvider(command: { accountId: number }): Promise<void>;
  /**
   * The client's secret in clear, null where there is none. Throws `secrets_unavailable` where it
   * cannot be opened.
   */
  openClientSecret(command: { accountId: number }): Promise<string | null>;
}
