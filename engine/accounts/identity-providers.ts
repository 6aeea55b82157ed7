// The identity provider (OpenID Connect) of an account for logins on the authorization page:
// allowed issuers, storage of the client's secret, and the people who may authorize apps.
import { recordAudit } from '../audit/record-audit.ts';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import { isLoopback } from '../platform/net/redirect-uri.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { Secrets } from '../secrets/encryption-key.ts';
import { SecretUnreadable } from '../secrets/secret-box.ts';
import {
  deleteIdentityProvider,
  getIdentityProvider,
  type IdentityProviderRow,
  putIdentityProvider,
} from './identity-provider.table.ts';
import { foldEmail } from './logins.ts';

/** The people who may authorize apps are given by emails, by subjects, or by both. */
interface IdentityProviderOrder {
  readonly accountId: number;
  readonly issuer: string;
  readonly clientId: string;
  /** In plain text; null for none; undefined keeps the secret of the same issuer and client. */
  readonly clientSecret: string | null | undefined;
  readonly emails: readonly string[];
  readonly subjects: readonly string[];
}

interface IdentityDeps {
  readonly database: WritableDatabase;
  readonly secrets: Secrets;
  now(): Date;
}

export interface Person {
  readonly subject: string;
  readonly email: string | null;
  /** False if the provider reports that the email was not verified. */
  readonly isEmailVerified: boolean;
}

/** Whether login requests may go to a URL: https, or http on this machine. */
export const isIssuerAddress = (url: string): boolean =>
  (URL.canParse(url) && new URL(url).protocol === 'https:') || isLoopback(url);

const wellKnown = '/.well-known/';

/** An issuer, possibly with the path of its metadata document. Throws `validation_error`. */
function readIssuer(text: string): string {
  const issuer = text.trim().replace(/\/\.well-known\/openid-configuration\/?$/, '');
  const refuse = (detail: string) => invalid(`issuer: ${detail}`);
  const url = URL.parse(issuer);
  if (!url) throw refuse('this is not a URL. Send one such as https://accounts.example.com.');
  if (!isIssuerAddress(issuer))
    throw refuse('send an https URL; http is allowed only for a provider on this machine.');
  if (url.username || url.password || /[?#]/.test(issuer) || issuer.includes(wellKnown))
    throw refuse('send the URL without user, query or fragment.');
  return issuer;
}

/** What a client's secret is sealed for: it cannot be opened for another issuer or client. */
const secretIdentity = ({ accountId, issuer, clientId }: IdentityProviderOrder): string =>
  `identity_provider:${JSON.stringify([accountId, issuer, clientId])}`;

const isSameClient = (known: IdentityProviderRow, order: IdentityProviderOrder): boolean =>
  known.issuer === order.issuer && known.clientId === order.clientId;

async function setProvider(deps: IdentityDeps, providerOrder: IdentityProviderOrder) {
  const { database, secrets, now } = deps;
  const order = { ...providerOrder, issuer: readIssuer(providerOrder.issuer) };
  const emails = [...new Set(order.emails.map(foldEmail))];
  const subjects = [...new Set(order.subjects)];
  if (emails.length + subjects.length === 0)
    throw invalid('Enter at least one email or subject of a person who may authorize apps.');
  const seal = async (secret: string) => (await secrets.open()).seal(secret, secretIdentity(order));
  const sealed = order.clientSecret ? await seal(order.clientSecret) : null;
  const known = getIdentityProvider(database, order.accountId);
  const kept = known && isSameClient(known, order) ? known.clientSecret : null;
  const { accountId, issuer, clientId } = order;
  const at = now().toISOString();
  const details = { issuer, people: emails.length + subjects.length };
  inTransaction(database, () => {
    putIdentityProvider(database, {
      accountId,
      issuer,
      clientId,
      emails,
      subjects,
      setAt: at,
      clientSecret: order.clientSecret === undefined ? kept : sealed,
    });
    recordAudit(database, { action: 'identity_provider_set', at, accountId, details });
  });
}

function removeProvider({ database, now }: IdentityDeps, accountId: number): void {
  const note = { action: 'identity_provider_removed', at: now().toISOString(), accountId } as const;
  inTransaction(database, () => {
    if (deleteIdentityProvider(database, accountId)) recordAudit(database, note);
  });
}

async function openSecret({ database, secrets }: IdentityDeps, accountId: number) {
  const provider = getIdentityProvider(database, accountId);
  if (!provider?.clientSecret) return null;
  const box = await secrets.open();
  try {
    return box.open(provider.clientSecret, secretIdentity({ ...provider, clientSecret: null }));
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause;
    throw new EngineError(
      'secrets_unavailable',
      'The client secret of the identity provider was encrypted with another key and cannot be ' +
        'decrypted. Enter it again in Connections.',
      { cause },
    );
  }
}

export const createIdentityCommands = (deps: IdentityDeps) => ({
  /** Throws `secrets_unavailable`, and `validation_error` without a person or a good issuer. */
  setIdentityProvider: (command: IdentityProviderOrder) => setProvider(deps, command),
  removeIdentityProvider: async ({ accountId }: { accountId: number }) =>
    removeProvider(deps, accountId),
  /** In plain text; null if there is none. Throws `secrets_unavailable` if it cannot be opened. */
  openClientSecret: ({ accountId }: { accountId: number }) => openSecret(deps, accountId),
});

export type IdentityCalls = ReturnType<typeof createIdentityCommands>;

/** The identity provider of an account. Throws `not_found`. */
export function requireIdentityProvider(
  database: ReadableDatabase,
  accountId: number,
): IdentityProviderRow {
  const provider = getIdentityProvider(database, accountId);
  if (!provider) throw notFound('No identity provider is set. Set one in Connections.');
  return provider;
}

/**
 * Whether a person may authorize apps for the account of a provider. An email does not count if the
 * provider reports it as not verified: any user could have entered it.
 */
export function checkPerson(
  { emails, subjects }: Pick<IdentityProviderRow, 'emails' | 'subjects'>,
  { subject, email, isEmailVerified }: Person,
): 'allowed' | 'unverified' | 'stranger' {
  if (subjects.includes(subject)) return 'allowed';
  if (email === null || !emails.includes(foldEmail(email))) return 'stranger';
  return isEmailVerified ? 'allowed' : 'unverified';
}
