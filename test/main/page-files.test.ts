// The file of each path of the page; no path leaves its folder.

import { sep } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentTypeOf, findPageFile } from '../../main/app-protocol.ts';

const folder = '/app/out/renderer';

test.each([
  ['/', '/app/out/renderer/index.html'],
  ['/index.html', '/app/out/renderer/index.html'],
  ['/jobs/0191', '/app/out/renderer/index.html'],
  ['/assets/main-abc.js', '/app/out/renderer/assets/main-abc.js'],
  ['/assets/a%20b.css', '/app/out/renderer/assets/a b.css'],
  ['/..%2f..%2fpackage.json', null],
  ['/%2e%2e/secret.txt', null],
  ['/assets/..%2f..%2f..%2fetc/passwd.txt', null],
  ['/..%2frenderer-copy/x.js', null],
  ['/%00.js', null],
  ['/%', null],
])('the path %s is answered with %s', (pathname, file) => {
  expect(findPageFile(folder, pathname)).toBe(file);
});

test('no path leaves the page’s folder', () => {
  const piece = fc.constantFrom('..', '.', '%2e%2e', '%2f', '/', '%5c', '\\', 'a', '.js', '%00');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const file = findPageFile(folder, `/${pieces.join('')}`);
      expect(file === null || file.startsWith(folder + sep) || file === folder).toBe(true);
    }),
  );
});

test.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a.js', 'text/javascript; charset=utf-8'],
  ['inter.woff2', 'font/woff2'],
  ['unknown.bin', 'application/octet-stream'],
])('the file %s is sent as %s', (file, type) => {
  expect(contentTypeOf(file)).toBe(type);
});
