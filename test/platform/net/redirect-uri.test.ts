// Allowed redirect addresses: those on the list, and no others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRedirectAllowed, matchesRedirect } from '../../../engine/platform/net/redirect-uri.ts';

/** Addresses that the system or a browser acts on by itself, or that are on no list. */
const refused = [
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'about:blank',
  'blob:https://a.b/1',
  'file:///etc/passwd',
  'smb://host/share',
  'ftp://a.example/',
  'ws://localhost/',
  'app://desk/',
  'ms-officecmd:x',
  'shell:startup',
  'ms-appinstaller:?source=x',
  'microsoft-edge:https://a.b',
  'chrome-extension://abc/x',
  'moz-extension://abc/x',
  'ms-settings:x',
  'search-ms:query=x',
  'steam://run/1',
  'slack://x',
  'zoommtg://x',
  'mailto:a@b.example',
  'tel:1',
  'cursors://x',
  // Schemes of the operating systems, although they have a dot.
  'x-apple.systempreferences:x',
  'com.apple.tips:x',
  'microsoft.windows.camera:x',
  'com.microsoft.rdp:x',
  'windows.foo:x',
  'web+a.b:x',
  '1a.b:x',
  'a.:x',
  'com..app:x',
  'http://evil.example/',
  'http://localhost.evil.example/',
  'http://10.0.0.1/',
  'https://user@a.example/',
  'https://a.example/#x',
  'cursor://a@b/x',
  'com.example.app:/x#y',
  'https://a.example/\r\nx',
  'https://a.example/ x',
  '\u0001https://a.example/',
  'https://',
  'no address',
  '',
];

test.each(refused)('%j cannot be registered, and never matches', (uri) => {
  expect(isRedirectAllowed(uri)).toBe(false);
  // A former version may have registered it.
  expect(matchesRedirect(uri, uri)).toBe(false);
});

test.each([
  'http://127.0.0.1/',
  'http://127.0.0.1:33418/',
  'http://[::1]:5000/cb',
  'http://localhost:9/x',
  'https://vscode.dev/redirect',
  'https://a.example/cb?x=1',
  'com.example.app:/callback',
  'com.example.my-app://callback',
  'io.github.someone:/x',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://publisher.name/callback',
  'vscode-insiders://publisher.name/callback',
  'CURSOR://anysphere.cursor-mcp/x',
])('%s can be registered, and matches itself', (uri) => {
  expect(isRedirectAllowed(uri)).toBe(true);
  expect(matchesRedirect(uri, uri)).toBe(true);
});

test('a scheme without a dot is refused, unless it is a known editor’s', () => {
  const known = new Set(['http', 'https', 'cursor', 'vscode', 'vscode-insiders']);
  const schemes = fc
    .stringMatching(/^[a-z][a-z0-9+-]{0,20}$/)
    .filter((scheme) => !known.has(scheme));
  const rests = fc.constantFrom('//host/path', '/path', 'path?x=1', '');
  fc.assert(
    fc.property(schemes, rests, (scheme, rest) => {
      expect(isRedirectAllowed(`${scheme}:${rest}`)).toBe(false);
    }),
  );
});
