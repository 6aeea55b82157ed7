// The senders, addresses, permissions and downloads that main accepts.
import { expect, test } from 'vitest';
import { noncePlaceholder, writePagePolicy } from '../../engine/contract/page-policy.ts';
import { isAppUrl } from '../../main/app-origin.ts';
import { suggestFileName } from '../../main/desktop-handlers.ts';
import { isOwnDownload } from '../../main/downloads.ts';
import { classifyAddress } from '../../main/external-links.ts';
import { writeFailurePage } from '../../main/failure-page.ts';
import { isTrustedSender } from '../../main/ipc.ts';
import { isGranted } from '../../main/permissions.ts';

test.each([
  ['app://desk/', true],
  ['app://desk/jobs/1?x#y', true],
  ['app://desk.evil/', false],
  ['app://evil/desk', false],
  ['app://desk:80/', false],
  ['https://desk/', false],
  ['about:blank', false],
  ['app:desk', false],
  ['', false],
])('the address %s is the app’s own: %s', (address, isOwn) => {
  expect(isAppUrl(address)).toBe(isOwn);
});

test.each([
  [null, false],
  [{ origin: 'app://desk', parent: null }, true],
  [{ origin: 'app://desk', parent: {} }, false],
  [{ origin: 'null', parent: null }, false],
  [{ origin: 'http://127.0.0.1', parent: null }, false],
])('a message of the frame %j is trusted: %s', (frame, isTrusted) => {
  expect(isTrustedSender(frame)).toBe(isTrusted);
});

test.each([
  ['https://www.linkedin.com/in/ada', 'open'],
  ['https://linkedin.com/in/ada', 'open'],
  ['https://acme.example/', 'ask'],
  ['https://evil-linkedin.com/', 'ask'],
  ['https://linkedin.com.evil.example/', 'ask'],
  ['cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30%3D', 'ask'],
  ['cursor://anysphere.cursor-deeplink/prompt?text=x', 'refuse'],
  ['vscode:mcp/install?%7B%7D', 'ask'],
  ['vscode://file/etc/passwd', 'refuse'],
  ['https://linkedin.com@evil.example/', 'refuse'],
  ['http://www.linkedin.com/', 'refuse'],
  ['file:///etc/passwd', 'refuse'],
  ['javascript:alert(1)', 'refuse'],
  ['nonsense', 'refuse'],
])('the address %s is to: %s', (address, verdict) => {
  expect(classifyAddress(address)).toBe(verdict);
});

test.each([
  ['clipboard-sanitized-write', 'app://desk/', true],
  ['clipboard-sanitized-write', 'https://evil.example/', false],
  ['clipboard-read', 'app://desk/', false],
  ['geolocation', 'app://desk/', false],
  ['media', 'app://desk/', false],
  ['notifications', 'app://desk/', false],
])('the permission %s for %s is granted: %s', (permission, address, granted) => {
  expect(isGranted(permission, address)).toBe(granted);
});

test.each([
  ['app://desk/app/v1/downloads/1', true],
  ['blob:app://desk/0191', true],
  ['blob:https://evil.example/0191', false],
  ['https://evil.example/a.csv', false],
])('the download of %s is the app’s own: %s', (address, isOwn) => {
  expect(isOwnDownload(address)).toBe(isOwn);
});

test.each([
  ['result.csv', 'result.csv'],
  ['Q3 leads', 'Q3 leads.csv'],
  ['../../etc/passwd', 'passwd.csv'],
  ['a:b*c?.CSV', 'a-b-c-.CSV'],
])('the suggested name %s becomes %s', (name, safe) => {
  expect(suggestFileName(name, 'csv')).toBe(safe);
});

test('the page’s policy denies by default and allows styles only by nonce', () => {
  const policy = writePagePolicy('abc', { 'connect-src': ['ws://127.0.0.1:5173'] });
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self' 'nonce-abc'");
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:5173");
  expect(policy).not.toContain('unsafe');
  expect(noncePlaceholder).not.toBe('');
});

test('a failure is shown as text, whatever it contains', () => {
  const page = writeFailurePage('abc', '<img src=x onerror=alert(1)> & "more"');
  expect(page).not.toContain('<img');
  expect(page).toContain('&#60;img');
});
