// Decides where the authorization server may redirect a browser (RFC 8252, RFC 9700).

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Editors whose redirect URIs have a scheme without a dot. */
const editorSchemes: ReadonlySet<string> = new Set(['cursor', 'vscode', 'vscode-insiders']);
/** A private-use scheme: a domain name in reverse order, "com.example.app" (RFC 8252, 7.1). */
const reverseDomain = /^[a-z]{2,63}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const systemScheme = /^(?:com\.apple|com\.microsoft|microsoft|windows)\./;

const parse = (uri: string): URL | null => (URL.canParse(uri) ? new URL(uri) : null);

const isPrivateUse = (scheme: string): boolean =>
  reverseDomain.test(scheme) && !systemScheme.test(scheme);

/**
 * Whether a browser may be redirected to a URI: https, http on loopback, a private-use scheme with
 * a dot (RFC 8252, 7.1), or the scheme of a known editor. Any other scheme could start a program.
 * URIs with a fragment or user name are refused.
 */
export function isRedirectAllowed(uri: string): boolean {
  const url = parse(uri);
  if (!url || uri.includes('#') || url.username || url.password) return false;
  // The parser removes control characters and spaces, which a registered URI must not have.
  if (/[\s\p{Cc}]/u.test(uri)) return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'http') return loopbackNames.has(url.hostname);
  return scheme === 'https' || editorSchemes.has(scheme) || isPrivateUse(scheme);
}

/** Whether a URI belongs to a client on this machine: http on a loopback host. */
export function isLoopback(uri: string): boolean {
  const url = parse(uri);
  return url?.protocol === 'http:' && loopbackNames.has(url.hostname);
}

/**
 * Whether the requested URI is a registered one: identical, except that a loopback URI may have any
 * port (RFC 8252, 7.3). False if its scheme is not allowed; an earlier version may have registered
 * it.
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

/** The part of a URI by which a person can judge it: its host, or its scheme. */
export function describeRedirect(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? host : protocol;
}
