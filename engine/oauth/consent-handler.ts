// Answers an authorization request: with a code if it was allowed, with an error if it was denied.
import type { CreditUnits } from '../contract/credits.ts';
import type { Consent, ConsentOrder } from './consents.ts';
import type { OauthRouteDeps } from './route-deps.ts';

/** A redirect address with an answer in its query, which always has state and issuer. */
export function writeAnswerUrl(
  { redirectUri, state, issuer }: Pick<ConsentOrder, 'redirectUri' | 'state' | 'issuer'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', issuer);
  return url.href;
}

/** The account that a client may act for, and its spending caps; null means no cap. */
export interface Allowance {
  readonly accountId: number;
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
}

/** Allows a claimed authorization request and returns the redirect URL. Releases it on failure. */
export async function allowConsent(
  { consents, now, environment }: OauthRouteDeps,
  consent: Consent,
  allowance: Allowance,
): Promise<string> {
  const { clientId, clientName, redirectUri, challenge, resource } = consent;
  try {
    const { code } = await environment.writer.issueCode({
      clientId,
      clientName,
      redirectUri,
      challenge,
      resource,
      ...allowance,
      at: new Date(now()).toISOString(),
    });
    return writeAnswerUrl(consent, { code });
  } catch (error) {
    consents.release(consent);
    throw error;
  }
}

export const denyConsent = (consent: Consent): string =>
  writeAnswerUrl(consent, {
    error: 'access_denied',
    error_description: 'The user denied the request.',
  });
