// Profile URLs and websites: their stored form, and the key by which they are compared.
import { valueCharactersMax } from '../../contract/limits/spreadsheet.ts';
import { decodeEntities } from '../../spreadsheet/decode-entities.ts';
import { comparableText, decodePercent } from './comparable-text.ts';
import { isFreeMailDomain } from './reference-tables.ts';

const trackingParameter =
  /^(?:utm_.*|trk|trkinfo|trackingid|lipi|licu|mibextid|fbclid|gclid|gbraid|wbraid|msclkid|dclid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src|originalsubdomain)$/i;

// On the hosts of these profiles, case and subdomains (countries, mobile pages) say nothing.
const profileHost = /(?:^|\.)((?:linkedin|facebook|instagram|twitter|x|github|xing)\.com)$/;

/** The host of profiles that a host is, or is below; '' if it is none. */
function profileHostOf(host: string): string {
  const found = host.endsWith('.com') ? (profileHost.exec(host)?.[1] ?? '') : '';
  return found === 'twitter.com' ? 'x.com' : found;
}

const scheme = /^(?:h[tx]{2}ps?:?[/\\]+|[/\\]{2})/i;
/** A member's page without its host, as some exports have it. */
const relativeMember = /^\/?(in\/[\w%-]+\/?)$/i;
const leadingMarks = /^[\s<"'\u201c-\u201f\u00ab]+/;
// The text before a match has none of its marks: otherwise each mark of a run would be tried.
const trailingMarks = /(?<![\s>"'\u201c-\u201f\u00bb.,;:!])[\s>"'\u201c-\u201f\u00bb.,;:!]+$/;

/** The text of a URL without scheme, and without what people and programs write around it. */
function bareUrl(text: string): string {
  const bare = decodeEntities(comparableText(text))
    .replace(leadingMarks, '')
    .replace(trailingMarks, '')
    // Escapes that were escaped again, and escapes of the scheme and the host.
    .replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%');
  const start = /^(?:[^/?#]|(?<=:\/?)\/)*/.exec(bare)?.[0] ?? '';
  const plain = start.includes('%') ? decodePercent(start) + bare.slice(start.length) : bare;
  return plain.replace(scheme, '').replace(relativeMember, 'linkedin.com/$1');
}

function parseUrl(text: string): URL | null {
  if (text === '') return null;
  const bare = bareUrl(text);
  if (bare === '' || /\s/.test(bare) || /^[a-z][a-z0-9+-]*:(?!\d)/i.test(bare)) return null;
  const whole = `https://${bare}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url) return null;
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.hostname.includes('.') && !url.hostname.endsWith('.') ? url : null;
}

function dropTracking(url: URL): void {
  if (url.search === '') return;
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
}

/** A trailing slash, and what ends a sentence. */
const pathEnd = /(?<![/.,;:!'])[/.,;:!']+$/;

/** A path with percent escapes only where a URL needs them, without empty segments. */
function plainPath(path: string): string {
  const decoded = path.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    const letters = decodePercent(escaped);
    return letters === escaped
      ? escaped.toUpperCase()
      : encodeURIComponent(letters.normalize('NFC'));
  });
  return decoded.replace(/\/{2,}/g, '/').replace(pathEnd, '');
}

/** A path on a host of profiles, in which case says nothing. */
const profilePath = (path: string): string =>
  encodeURI(decodePercent(path).normalize('NFC').toLowerCase())
    .replace(/[?#]/g, encodeURIComponent)
    .replace(/\/{2,}/g, '/')
    .replace(pathEnd, '')
    .toLowerCase();

// The usual form of a member's page, read without the full parser, which costs ten times more.
const plainMemberPage = /^(https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com(\/in\/[a-z0-9_-]+)\/*$/i;

// Only words, which the full parser does not change. Most other addresses are of this form.
const plainAddress = /^(https?:\/\/)?((?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,})((?:\/[\w-]+)*)\/*$/;

const addressInWords =
  /^(?:.*[\s:([{])?((?:https?:\/\/|www\.)[^\s/]+\/[^\s<>()[\]{}]+)(?:[)\]}]?\s*|\s+[([{|,;•·–—-].*)$/is;

/**
 * The web address of a cell without words before it and notes behind it: "Ann on LinkedIn:
 * https://… (1st)". The cell itself if it has none, or other words behind it, which may belong to a
 * broken address.
 */
export function dropWordsAround(cell: string): string {
  if (cell.length > valueCharactersMax || !/\s/.test(cell)) return cell;
  return addressInWords.exec(cell)?.[1] ?? cell;
}

/** The URL in a cell in its stored form: complete, with a scheme; null if there is none. */
export function normalizeUrl(text: string): string | null {
  const [plain, start] = plainMemberPage.exec(text) ?? plainAddress.exec(text) ?? [];
  if (plain !== undefined) return start ? text : `https://${text}`;
  if (!parseUrl(text)) return null;
  const isSecure = !/^\W*h[tx]{2}p:/i.test(text);
  return `http${isSecure ? 's' : ''}://${bareUrl(text)}`;
}

/**
 * The key by which profile URLs are compared (docs/rules.md, "The directory"): without scheme,
 * `www.`, fragment, trailing slash, needless escapes, tracking parameters and host case; on a host
 * of profiles also without subdomain, case and query, on linkedin.com/in also without a page below
 * the member's. '' if the cell has no URL. Idempotent.
 */
export function profileUrlKey(text: string): string {
  const plain = plainMemberPage.exec(text)?.[2];
  if (plain) return `linkedin.com${plain.toLowerCase()}`;
  const [, , plainHost = '', path = ''] = plainAddress.exec(text) ?? [];
  if (plainHost && profileHostOf(plainHost) === '') return plainHost.replace(/^www\./, '') + path;
  const url = parseUrl(text);
  if (!url) return '';
  const site = profileHostOf(url.hostname);
  if (site === '') {
    dropTracking(url);
    const port = /^(?:|80)$/.test(url.port) ? '' : `:${url.port}`;
    return `${url.hostname.replace(/^www\./, '')}${port}${plainPath(url.pathname)}${url.search}`;
  }
  const page = profilePath(url.pathname);
  const member =
    site === 'linkedin.com' ? /^\/in\/(?:(?!%3f|%23)[^/])+/.exec(page)?.[0] : undefined;
  if (member !== undefined) return site + member;
  // A page without a name of its own has the person in its query: profile.php?id=7.
  if (!page.endsWith('.php')) return site + page;
  dropTracking(url);
  return site + page + url.search;
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
