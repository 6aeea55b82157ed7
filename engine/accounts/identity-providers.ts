/**
 * The identity provider (OpenID Connect) that an account may have for the page of the authorization
 * server: which issuer may be one, how its client's secret is kept, and who may let programs in.
 */
import { EngineError } from '../contract/errors.ts';
import { isLoopback } from '../platform/net/redirect-uri.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { Secrets } from '../secrets/encryption-key.ts';
import { SecretUnreadable } from '../secrets/secret-box.ts';
import {
  deleteIdentityProvider,
  getIdentityProvider,
  type IdentityProviderRow,
  putIdentityProvider,
} from './identity-provider.table.ts';
import type { IdentityCalls, IdentityProviderOrder } from './identity-providers.commands.ts';
import { foldEmail } from './logins.ts';

/** What keeping identity providers needs of the thread around it. */
interface IdentityDeps {
  readonly database: WritableDatabase;
  readonly secrets: Secrets;
  now(): Date;
}

/** A person as an identity provider vouches for them. */
export interface Person {
  readonly subject: string;
  /** Null where the provider tells none. */
  readonly email: string | null;
  /** False where the provider says that the email was never verified. */
  readonly isEmailVerified: boolean;
}

/** Whether requests of a login may go to an address: https, or http on this machine. */
export const isIssuerAddress = (url: string): boolean =>
  (URL.canParse(url) && new URL(url).protocol === 'https:') || isLoopback(url);

const wellKnown = '/.well-known/';

/** An issuer as it was typed, maybe with the path of its document. Throws `validation_error`. */
function readIssuer(text: string): string {
  const issuer = text.trim().replace(/\/\.well-known\/openid-configuration\/?$/, '');
  const refuse = (detail: string) => new EngineError('validation_error', `issuer: ${detail}`);
  const url = URL.parse(issuer);
  if (!url) throw refuse('this is no address. Send one such as https://accounts.example.com.');
  if (!isIssuerAddress(issuer))
    throw refuse('send an https address; http is for a provider on this machine alone.');
  if (url.username || url.password || /[?#]/.test(issuer) || issuer.includes(wellKnown))
    throw refuse('send the address alone, without user, query or fragment.');
  return issuer;
}

/** What a client's secret is sealed for: it opens for no other issuer and no other client. */
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
    throw new EngineError(
      'validation_error',
      'Name who may let programs in: at least one email or subject.',
    );
  const seal = async (secret: string) => (await secrets.open()).seal(secret, secretIdentity(order));
  const sealed = order.clientSecret ? await seal(order.clientSecret) : null;
  const known = getIdentityProvider(database, order.accountId);
  const kept = known && isSameClient(known, order) ? known.clientSecret : null;
  putIdentityProvider(database, {
    ...{ accountId: order.accountId, issuer: order.issuer, clientId: order.clientId },
    ...{ emails, subjects, setAt: now().toISOString() },
    clientSecret: order.clientSecret === undefined ? kept : sealed,
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
      'The secret of the identity provider’s client was sealed with another key, and can be read ' +
        'no more. Set it again in Connections.',
      { cause },
    );
  }
}

/** The commands, on the writing connection of an environment. */
export const createIdentityCommands = (deps: IdentityDeps): IdentityCalls => ({
  setIdentityProvider: (command) => setProvider(deps, command),
  removeIdentityProvider: async ({ accountId }) => deleteIdentityProvider(deps.database, accountId),
  openClientSecret: ({ accountId }) => openSecret(deps, accountId),
});

/** The identity provider of an account. Throws `not_found`. */
export function requireIdentityProvider(
  database: ReadableDatabase,
  accountId: number,
): IdentityProviderRow {
  const provider = getIdentityProvider(database, accountId);
  if (!provider)
    throw new EngineError('not_found', 'No identity provider is set. Set one in Connections.');
  return provider;
}

/**
 * Whether a person may let programs in for the account of a provider. An email counts unless the
 * provider says that it is not verified: anybody could have typed it then.
 */
export function checkPerson(
  { emails, subjects }: Pick<IdentityProviderRow, 'emails' | 'subjects'>,
  { subject, email, isEmailVerified }: Person,
): 'allowed' | 'unverified' | 'stranger' {
  if (subjects.includes(subject)) return 'allowed';
  if (email === null || !emails.includes(foldEmail(email))) return 'stranger';
  return isEmailVerified ? 'allowed' : 'unverified';
}
