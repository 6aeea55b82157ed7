/** Profile URLs and websites: their stored form, and the key by which they are compared. */
import { isFreeMailDomain } from './reference-tables.ts';

const trackingParameter =
  /^(?:utm_.*|trk|trkinfo|trackingid|lipi|licu|mibextid|fbclid|gclid|gbraid|wbraid|msclkid|dclid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src|originalsubdomain)$/i;

function parseUrl(text: string): URL | null {
  if (text === '') return null;
  const trimmed = text.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return null;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed.replace(/^\/\//, '')}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.hostname.includes('.') && !url.hostname.endsWith('.') ? url : null;
}

function dropTracking(url: URL): void {
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
}

function isMemberPage(url: URL): boolean {
  return /(?:^|\.)linkedin\.com$/i.test(url.hostname) && /^\/in\//i.test(url.pathname);
}

// The usual form of a member's page, read without the full parser, which costs ten times more.
const plainMemberPage = /^https?:\/\/(?:[a-z]{2,3}\.)?linkedin\.com(\/in\/[a-z0-9_-]+)\/*$/i;

// Only words, which the full parser does not change. Most other addresses are of this form.
const plainAddress = /^(https?:\/\/)?((?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,})((?:\/[\w-]+)*)\/*$/;

/** The URL in a cell in its stored form: complete, with a scheme; null if there is none. */
export function normalizeUrl(text: string): string | null {
  if (plainMemberPage.test(text)) return text;
  const [plain, scheme] = plainAddress.exec(text) ?? [];
  if (plain !== undefined) return scheme ? text : `https://${text}`;
  if (!parseUrl(text)) return null;
  const trimmed = text.trim();
  return /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed.replace(/^\/\//, '')}`;
}

/**
 * The key by which profile URLs are compared (docs/rules.md, "The directory"): without scheme,
 * `www.`, fragment, trailing slash, tracking parameters and host case; on linkedin.com/in without
 * any query. '' if the cell has no URL. Idempotent.
 */
export function profileUrlKey(text: string): string {
  const plain = plainMemberPage.exec(text)?.[1];
  if (plain) return `linkedin.com${plain.toLowerCase()}`;
  const [, , plainHost = '', plainPath = ''] = plainAddress.exec(text) ?? [];
  if (plainHost && !plainHost.endsWith('linkedin.com'))
    return plainHost.replace(/^www\./, '') + plainPath;
  const url = parseUrl(text);
  if (!url) return '';
  url.hash = '';
  if (isMemberPage(url)) url.search = '';
  else dropTracking(url);
  const host = isMemberPage(url) ? 'linkedin.com' : url.host.replace(/^www\./, '');
  // Case is ignored in members' names; elsewhere it may distinguish pages.
  const path = isMemberPage(url) ? url.pathname.toLowerCase() : url.pathname;
  return `${host}${path.replace(/\/+$/, '')}${url.search}`;
}

// Pages on these hosts are profiles of people, not a company's own site.
const sharedHosts = new Set(
  (
    'linkedin.com facebook.com twitter.com x.com instagram.com youtube.com github.com ' +
    'google.com sites.google.com medium.com wikipedia.org bit.ly linktr.ee'
  ).split(' '),
);

/** The domain of a website or a bare domain; null if it names no company. */
export function websiteDomain(text: string): string | null {
  const whole = plainAddress.exec(text)?.[2] ?? parseUrl(text.includes('@') ? '' : text)?.hostname;
  const host = whole?.replace(/^www\./, '');
  return host && !sharedHosts.has(host) && !isFreeMailDomain(host) ? host : null;
}
