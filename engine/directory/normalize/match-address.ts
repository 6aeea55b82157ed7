/**
 * The URL and the email of a record or a row in the form in which matching compares them. Common
 * spellings take a fast path.
 */
import { normalizeEmail } from './normalize-email.ts';
import { profileUrlKey } from './normalize-url.ts';

// Spellings whose key can be read directly; all others take the slow path.
const commonUrl = /^https?:\/\/(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})((?:\/[A-Za-z0-9_-]+)*)\/?$/;
const commonEmail = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;

/** The same key as profileUrlKey; '' if there is no URL. */
export function readUrlKey(text: string): string {
  if (text === '') return '';
  const usual = commonUrl.exec(text);
  const host = usual?.[1] ?? '';
  if (!usual || host.includes('--') || host.endsWith('.linkedin.com')) return profileUrlKey(text);
  const path = usual[2]!;
  const isMemberPage = host === 'linkedin.com' && /^\/in\//i.test(path);
  return `${host}${isMemberPage ? path.toLowerCase() : path}`;
}

/** An address in lower case; '' if there is none. */
export function readEmailKey(text: string): string {
  if (text === '') return '';
  const lower = text.trim().toLowerCase();
  return commonEmail.test(lower) ? lower : (normalizeEmail(lower) ?? '');
}
