/** Where the authorization server may send a browser back to (RFC 8252, RFC 9700). */

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Editors whose redirects name a scheme without a dot. */
const editorSchemes: ReadonlySet<string> = new Set(['cursor', 'vscode', 'vscode-insiders']);
/** A private-use scheme: a domain name in reverse order, "com.example.app" (RFC 8252, 7.1). */
const reverseDomain = /^[a-z]{2,63}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
/** Schemes of that form that open parts of the system. */
const systemScheme = /^(?:com\.apple|com\.microsoft|microsoft|windows)\./;

const parse = (uri: string): URL | null => (URL.canParse(uri) ? new URL(uri) : null);

const isPrivateUse = (scheme: string): boolean =>
  reverseDomain.test(scheme) && !systemScheme.test(scheme);

/**
 * Whether a browser may be sent back to an address: https anywhere, http on loopback, a private-use
 * scheme with a dot (RFC 8252, 7.1), or the scheme of a known editor. Any other scheme may start a
 * program of the system. An address with a fragment or a user name is refused.
 */
export function isRedirectAllowed(uri: string): boolean {
  const url = parse(uri);
  if (!url || uri.includes('#') || url.username || url.password) return false;
  // The parser drops control characters and spaces, which a registered address must not have.
  if (/[\s\p{Cc}]/u.test(uri)) return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'http') return loopbackNames.has(url.hostname);
  return scheme === 'https' || editorSchemes.has(scheme) || isPrivateUse(scheme);
}

/** Whether an address is a program's own on this machine: http at a loopback name. */
export function isLoopback(uri: string): boolean {
  const url = parse(uri);
  return url?.protocol === 'http:' && loopbackNames.has(url.hostname);
}

/**
 * Whether the address that is asked for is a registered one: the very same, but that a loopback
 * address may have any port (RFC 8252, 7.3). False if its scheme is not allowed, which an earlier
 * version may have registered.
 */
export function matchesRedirect(registered: string, requested: string): boolean {
  if (!isRedirectAllowed(requested)) return false;
  if (registered === requested) return true;
  if (!isLoopback(registered) || !isLoopback(requested)) return false;
  const [one, other] = [new URL(registered), new URL(requested)];
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
