// Errors of identity providers, each with a sentence that says what to do.
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** Why a login failed; the message is the sentence for the user. */
export class IssuerProblem extends Error {
  override name = 'IssuerProblem';
}

const inApp = 'Try again, or answer in the app.';
const settings = 'its settings in Connections';
const shownCharactersMax = 200;

const sentences = {
  slow: (host: string) => `${host} did not answer in time. ${inApp}`,
  down: (host: string, code?: string) =>
    `${host} could not be reached${code ? ` (${code})` : ''}. ${inApp}`,
  proxy: (host: string, detail?: string) =>
    `${host} could not be reached. ${detail ?? 'The proxy cannot be used.'}`,
  insecure: (host: string) =>
    `${host} uses a URL that is not https, which is not allowed. Check ${settings}.`,
  tooLarge: (host: string) => `${host} sent a response that is too large. Check ${settings}.`,
  otherIssuer: (host: string, name?: string) =>
    `${host} calls itself ${name ?? 'another issuer'}. Set exactly the issuer of your own ` +
    'organization in Connections.',
  denied: (host: string) => `${host} did not log you in, or you cancelled the login. ${inApp}`,
  refused: (host: string, code?: string) =>
    `${host} refused the login${code ? ` (${code})` : ''}. ` +
    `Compare the client there with ${settings}.`,
  client: (host: string) =>
    `${host} rejected the client or its secret. Set them again in Connections.`,
  spent: (host: string) => `${host} reports that the login was used or has expired. ${inApp}`,
  nonce: () =>
    'The answer belongs to another login than the one started here. Nothing was authorized. ' +
    inApp,
  mixUp: (host: string) =>
    `The answer does not come from ${host}. Nothing was authorized. If it happens ` +
    'again, answer in the app.',
  clock: (host: string) =>
    `The clocks of this machine and ${host} differ too much. Set the clock here, then try again.`,
  odd: (host: string) =>
    `${host} did not respond like an identity provider. Compare the issuer in Connections with ` +
    'the documentation of the provider.',
} satisfies Record<string, (host: string, known?: string) => string>;

/** An error of a provider, before its host is known. */
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

/** Error codes are shown only if they have the form of the standards' codes. */
const readCode = (error: string): string | undefined =>
  /^[a-z_]{1,60}$/.test(error) ? error : undefined;

const bodyFaults: Readonly<Record<string, keyof typeof sentences>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'spent',
};

/** The mismatch that the library found in an answer, by the claim or parameter. */
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

/** A bearer challenge is unexpected; any other one means that the client was rejected. */
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
  // Errors in the issuer's metadata are thrown by the underlying library.
  const isOfLibrary = String((error as { code?: unknown }).code).startsWith('OAUTH_');
  return isOfLibrary ? new IssuerFault('odd') : null;
}

/** Converts an error to the sentence for the user. Bugs are returned as they are. */
export function explainIssuerFault(error: unknown, host: string): unknown {
  const fault = findFault(error);
  if (!fault) return error;
  const write: (host: string, known?: string) => string = sentences[fault.kind];
  return new IssuerProblem(write(host, fault.known), { cause: fault.kind });
}
