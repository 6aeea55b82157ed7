// The bundles that Node runs are in ASCII: V8 keeps their source in one byte a character.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { escapeNonAscii } from '../scripts/escape-non-ascii.mjs';

const beyondAscii = /[^\0-\x7f]/;

/** JavaScript whose value has to stay, with what each has that an escape could change. */
const expressions = [
  ['a string, a template and a name', '`Zoë – 😀…` + (({ größe: 1 }).größe)'],
  ['a class of a regular expression', "'a–b—c😀'.split(/[–—]|😀/u)"],
  ['a range outside the BMP', "/^[😀-😂]$/u.test('😁')"],
  ['one backslash before it', String.raw`'\é' + /\–/.test('–')`],
  ['two and three backslashes before it', String.raw`'\\é' + '\\\é'`],
] as const;

test.each(expressions)('escapes keep the value of %s', (_what, code) => {
  const escaped = escapeNonAscii(code);
  expect(escaped).not.toMatch(beyondAscii);
  expect(escaped).not.toBe(code);
  expect(JSON.stringify(runInNewContext(escaped))).toBe(JSON.stringify(runInNewContext(code)));
});

test('every built bundle of the engine and of the main process is in ASCII', () => {
  const out = resolve(import.meta.dirname, '../out');
  const paths = ['engine', 'main', 'preload'].flatMap((folder) =>
    readdirSync(join(out, folder))
      .filter((name) => /\.c?js$/.test(name))
      .map((name) => join(out, folder, name)),
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => beyondAscii.test(readFileSync(path, 'utf8')))).toEqual([]);
});
