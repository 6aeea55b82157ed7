/** Where the authorization server may send a browser back to (RFC 8252, RFC 9700). */

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Schemes that a browser or the system acts on by itself. */
const refusedSchemes = new Set(
  [
    ...['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'view-source', 'filesystem'],
    ...['ftp', 'ws', 'wss', 'mailto', 'tel', 'sms', 'chrome', 'ms-msdt', 'search-ms', 'app'],
  ].map((name) => `${name}:`),
);

const parse = (uri: string): URL | null => (URL.canParse(uri) ? new URL(uri) : null);

/**
 * Whether a program may register this address: https anywhere, http on loopback alone, or a scheme
 * of its own (cursor://…). Never with a fragment or a user in it.
 */
export function isRedirectAllowed(uri: string): boolean {
  const url = parse(uri);
  if (!url || uri.includes('#') || url.username || url.password) return false;
  if (/\s/.test(uri) || refusedSchemes.has(url.protocol)) return false;
  if (url.protocol === 'http:') return loopbackNames.has(url.hostname);
  return url.protocol === 'https:' || /^[a-z][a-z0-9+.-]+:$/.test(url.protocol);
}

/** Whether an address is a program's own on this machine: http at a loopback name. */
export function isLoopback(uri: string): boolean {
  const url = parse(uri);
  return url?.protocol === 'http:' && loopbackNames.has(url.hostname);
}

/**
 * Whether the address that is asked for is a registered one: the very same, but that a loopback
 * address may have any port (RFC 8252, 7.3).
 */
export function matchesRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  if (!isLoopback(registered) || !isLoopback(asked) || !isRedirectAllowed(asked)) return false;
  const [one, other] = [new URL(registered), new URL(asked)];
  return (
    one.hostname === other.hostname &&
    one.pathname === other.pathname &&
    one.search === other.search
  );
}

/** The part of an address that a person can judge it by: its host, or its scheme. */
export function describeRedirect(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? host : protocol;
}
