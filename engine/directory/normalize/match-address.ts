// URL and email in the form in which matching compares them. Common ones take a fast path.
import { normalizeEmail } from './normalize-email.ts';
import { profileUrlKey } from './normalize-url.ts';

// Addresses whose key can be read directly; all others take the slow path.
const commonEmail = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;

/** The key of a URL; '' if there is none. */
export const readUrlKey = profileUrlKey;

/** The key of an address: its normal form in lower case; '' if there is none. */
export function readEmailKey(text: string): string {
  if (text === '') return '';
  const lower = text.trim().toLowerCase();
  if (commonEmail.test(lower) && !lower.endsWith('.') && !lower.includes('xn--')) return lower;
  return normalizeEmail(text)?.toLowerCase() ?? '';
}
