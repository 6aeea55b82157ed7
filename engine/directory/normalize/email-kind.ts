/** What an email address says about an employer: only a work address names one. */
import { emailDomain, isRoleMailbox, normalizeEmail } from './normalize-email.ts';
import { isFreeMailDomain, registrableDomain } from './reference-tables.ts';

export function isWorkEmail(text: string): boolean {
  const email = normalizeEmail(text);
  if (email === null || isRoleMailbox(email)) return false;
  const domain = emailDomain(email);
  return ![domain, registrableDomain(domain)].some(isFreeMailDomain);
}

/** The name of the organisation in an address's host: "acme" of ada@mail.acme.co.uk. */
export const emailLabel = (text: string): string =>
  registrableDomain(emailDomain(text.trim())).split('.', 1)[0] ?? '';
