/** What can go wrong with an identity provider, each in a sentence that says what to do. */
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** What a person is told of a login that came to nothing; the message is the sentence. */
export class IssuerProblem extends Error {
  override name = 'IssuerProblem';
}

const inApp = 'Try again, or answer in the app.';
const settings = 'its settings in Connections';
const shownCharactersMax = 200;

/** By fault: the sentence about a host, and about what is known beside it. */
const sentences = {
  slow: (host: string) => `${host} did not answer in time. ${inApp}`,
  down: (host: string, code?: string) =>
    `${host} could not be reached${code ? ` (${code})` : ''}. ${inApp}`,
  insecure: (host: string) =>
    `${host} names an address that is not https, where nothing is sent. Look at ${settings}.`,
  tooLarge: (host: string) => `${host} answered more than is read. Look at ${settings}.`,
  otherIssuer: (host: string, name?: string) =>
    `${host} calls itself ${name ?? 'by another name'}. Set exactly the issuer of your own ` +
    'organization in Connections.',
  denied: (host: string) => `${host} did not log you in, or you stopped it. ${inApp}`,
  refused: (host: string, code?: string) =>
    `${host} refused the login${code ? ` (${code})` : ''}. ` +
    `Compare the client there with ${settings}.`,
  client: (host: string) =>
    `${host} does not take the client or its secret. Set them again in Connections.`,
  spent: (host: string) => `${host} says that the login was used, or is too old. ${inApp}`,
  nonce: () =>
    'The answer belongs to another login than the one that was begun here. Nothing was allowed. ' +
    inApp,
  mixUp: (host: string) =>
    `The answer does not come from ${host}, which was asked. Nothing was allowed. If it happens ` +
    'again, answer in the app.',
  clock: (host: string) =>
    `The clocks of this machine and of ${host} differ too much. Set this one's, then try again.`,
  odd: (host: string) =>
    `${host} did not answer as an identity provider does. Compare the issuer in Connections with ` +
    'what the provider says.',
} satisfies Record<string, (host: string, known?: string) => string>;

/** Something that is wrong with a provider, before its host is known. */
export class IssuerFault extends Error {
  override name = 'IssuerFault';
  readonly kind: keyof typeof sentences;
  readonly known: string | undefined;
  constructor(kind: keyof typeof sentences, known?: string, options?: ErrorOptions) {
    super(kind, options);
    this.kind = kind;
    this.known = known;
  }
}

/** Error codes are shown where they are words of the standards, and nothing else. */
const readCode = (error: string): string | undefined =>
  /^[a-z_]{1,60}$/.test(error) ? error : undefined;

const bodyFaults: Readonly<Record<string, keyof typeof sentences>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'spent',
};

/** What the library found wrong with an answer, by the claim or parameter that it did not like. */
function readMismatch(error: ClientError): IssuerFault {
  const cause = error.cause as { message?: string; cause?: unknown } | undefined;
  const { claim, attribute, body } = (cause?.cause ?? error.cause ?? {}) as {
    claim?: string;
    attribute?: string;
    body?: { issuer?: unknown };
  };
  if (claim === 'nonce') return new IssuerFault('nonce');
  if (claim === 'iss' || /"iss"/.test(cause?.message ?? '')) return new IssuerFault('mixUp');
  if (attribute === 'issuer' && typeof body?.issuer === 'string')
    return new IssuerFault('otherIssuer', body.issuer.slice(0, shownCharactersMax));
  if (error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new IssuerFault('clock');
  return new IssuerFault('odd');
}

/** Who challenges a token is odd; who challenges anything else does not take the client. */
const readChallenge = ({ cause }: WWWAuthenticateChallengeError): IssuerFault =>
  new IssuerFault(cause.some(({ scheme }) => scheme !== 'bearer') ? 'client' : 'odd');

function findFault(error: unknown): IssuerFault | null {
  if (error instanceof IssuerFault) return error;
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied'
      ? new IssuerFault('denied')
      : new IssuerFault('refused', readCode(error.error));
  if (error instanceof ResponseBodyError) {
    const kind = Object.hasOwn(bodyFaults, error.error) ? bodyFaults[error.error] : undefined;
    return new IssuerFault(kind ?? 'refused', readCode(error.error));
  }
  if (error instanceof WWWAuthenticateChallengeError) return readChallenge(error);
  if (error instanceof ClientError)
    return error.cause instanceof IssuerFault ? error.cause : readMismatch(error);
  // What is wrong with an issuer's own description comes as errors of the library below.
  const isOfLibrary = String((error as { code?: unknown }).code).startsWith('OAUTH_');
  return isOfLibrary ? new IssuerFault('odd') : null;
}

/** What a person is told of an error; a bug stays what it is. */
export function explainIssuerFault(error: unknown, host: string): unknown {
  const fault = findFault(error);
  if (!fault) return error;
  const write: (host: string, known?: string) => string = sentences[fault.kind];
  return new IssuerProblem(write(host, fault.known), { cause: fault.kind });
}
