/** Answers a program: with a code for what a person allowed, or with the word that they did not. */

import type { CreditUnits } from '../contract/credits.ts';
import type { Consent, ConsentOrder } from './consents.ts';
import type { OauthRouteDeps } from './route-deps.ts';

/** The address of a program with an answer in its query; state and issuer come with every one. */
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

/** For whom a program is allowed to act, and what it may spend; null is no cap. */
export interface Allowance {
  readonly accountId: number;
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
}

/** Allows a claimed consent and answers where the browser is to go. Lets go of it on failure. */
export async function allowConsent(
  { consents, now, environment }: OauthRouteDeps,
  consent: Consent,
  allowance: Allowance,
): Promise<string> {
  const { clientId, clientName, redirectUri, challenge, resource } = consent;
  try {
    const { code } = await environment.writer.issueCode({
      ...{ clientId, clientName, redirectUri, challenge, resource },
      ...allowance,
      at: new Date(now()).toISOString(),
    });
    return writeAnswerUrl(consent, { code });
  } catch (error) {
    consents.release(consent);
    throw error;
  }
}

/** Where the browser is to go when a person has said no. */
export const denyConsent = (consent: Consent): string =>
  writeAnswerUrl(consent, {
    error: 'access_denied',
    error_description: 'The person did not allow it.',
  });
