// docs/electron-checklist.md names an existing test or step of a workflow for every item.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The rows of both tables of proofs, by item. What the stand-in hides has none. */
const [proven = ''] = read('docs/electron-checklist.md').split('## What the stand-in hides');
const rows = proven
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|\||what \|)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map((cells) => [cells.slice(1, -2).join(' '), cells.at(-2) ?? ''] as const);

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps?: readonly { readonly name?: string }[] }>
  >;
}

const stepsOf = (path: string): (string | undefined)[] =>
  Object.values((parse(read(path)) as Workflow).jobs).flatMap(({ steps = [] }) =>
    steps.map(({ name }) => name),
  );

/** Whether a file has a test, or a workflow has a step, with this name. */
const has = (path: string, name: string): boolean =>
  path.endsWith('.yml') ? stepsOf(path).includes(name) : read(path).includes(`${name}'`);

test('every item of the checklist has a row', () => {
  const numbers = rows.flatMap(([item]) => /^(\d+) /.exec(item)?.[1] ?? []);
  expect(numbers).toEqual(Array.from({ length: 18 }, (_, at) => String(at + 1)));
  expect(rows.length - numbers.length).toBeGreaterThan(15);
});

test.each(rows)('its proofs exist: %s', (_item, proof) => {
  const named = [...proof.matchAll(/`((?:test|\.github)\/[^`]+)` "([^"]+)"/g)];
  expect(named).not.toHaveLength(0);
  const missing = named.filter(([, path = '', name = '']) => !has(path, name));
  expect(missing.map(([text]) => text)).toEqual([]);
});

test('the version of Electron is exact', () => {
  expect(JSON.parse(read('package.json')).devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
});
