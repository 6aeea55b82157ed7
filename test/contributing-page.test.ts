// CONTRIBUTING.md names files and commands that exist, and recipes of at most four files.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
// The map shows folders as a tree; all other text names whole paths.
const prose = page.replace(/```[\s\S]*?```/g, '');
const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

test('every path that the page names exists', () => {
  const folders = '(?:engine|main|renderer|test|docs|scripts|resources)';
  const isPath = new RegExp(`^(?:${folders}(?:/[\\w.-]+)+|[\\w.-]+\\.(?:md|ts|json|yml))$`);
  const paths = spans.filter((span) => isPath.test(span));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every npm script and every test file in its commands exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = [...page.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)];
  expect(names.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  const files = [...page.matchAll(/npx vitest run [^\n]*?(test\/\S+\.ts)/g)];
  expect(files.length).toBeGreaterThan(1);
  expect(
    files.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file))),
  ).toEqual([]);
});

const recipes = page.split('\n### ').slice(1);

test.each(recipes.map((text) => [text.slice(0, text.indexOf('\n')), text] as const))(
  'the recipe "%s" takes at most four files, each named first in its step',
  (_title, text) => {
    const steps = text.split('\n').filter((line) => /^\d+\. /.test(line));
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.length).toBeLessThanOrEqual(4);
    for (const step of steps) expect(step).toMatch(/^\d\. `[\w./<>-]+`/);
  },
);

test('there is a recipe for each of the seven extensions', () => {
  expect(recipes.map((text) => text.slice(0, text.indexOf('\n')))).toEqual([
    'Add a layer',
    'Add a provider',
    'Ship the definition of a data service',
    'Add a tool',
    'Add a screen',
    'Add a call over HTTP',
    'Add a command',
  ]);
});
