// The project keeps its own rules: imports, names, comments, no dead code, nothing foreign.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageUses } from '../scripts/packages.mjs';
import { fileRules } from './tidy/file-rules.ts';
import { projectRules } from './tidy/project-rules.ts';
import { listFiles, parseSource, readSources, root } from './tidy/source.ts';

const sources = readSources();

test.each(Object.entries(fileRules))('every file keeps the rule %s', (_name, rule) => {
  expect(sources.flatMap((file) => rule(file).map((what) => `${file.path}: ${what}`))).toEqual([]);
});
test.each(Object.entries(projectRules))('the project keeps the rule %s', (_name, rule) => {
  expect(rule(sources)).toEqual([]);
});

test.each([
  ['limitColumns', 'engine/a.ts', `const a = '${'word '.repeat(20)}';`, 'line 1: 113 columns'],
  ['banEmptyNames', 'engine/csv-utils.ts', '', 'says "utils"'],
  ['banEmptyNames', 'engine/a.ts', 'export class JobManager {}', 'says "Manager"'],
  ['requireOpeningSentence', 'engine/a.ts', 'const a = 1; // Late.', 'does not open'],
  ['requireOpeningSentence', 'engine/a.ts', '// x\n', 'no sentence'],
  ['banLooseEnds', 'test/a.test.ts', `test.${'skip'}('x', () => {})`, 'line 1: test.skip'],
  ['banLooseEnds', 'engine/a.ts', `// ${'TO'}DO: later`, 'line 1: TODO'],
  ['banLooseEnds', 'engine/a.ts', `// @ts-${'ignore'}`, 'line 1: @ts-ignore'],
  ['banSleeps', 'test/a.test.ts', 'await new Promise((f) => setTimeout(f, 9));', 'setTimeout'],
  ['banPackedLiterals', 'engine/a.ts', 'const a = { ...{ b, c }, d };', 'line 1: a literal'],
  ['banPackedLiterals', 'engine/a.ts', 'call(...[b, c], d);', 'line 1: a literal'],
  ['banPackedLiterals', 'engine/a.ts', 'call(...([b, c] as const), d);', 'line 1: a literal'],
  ['banApiWords', 'renderer/a.tsx', 'const a = <p>Layers: L1</p>;', 'says "L1"'],
  ['banApiWords', 'renderer/a.tsx', "const a = b + ' contacts unlocked';", 'says "unlocked"'],
  ['banApiWords', 'renderer/a.tsx', "const a = <b title='New pipeline' />;", 'says "pipeline"'],
  ['guardIpcMain', 'main/a.ts', "import { ipcMain } from 'electron';", 'line 1'],
  ['guardOutgoing', 'engine/a.ts', 'await fetch(url);', 'line 1: fetch is not send-outside.ts'],
] as const)('the rule %s can fail: %s', (name, path, text, offence) => {
  expect(fileRules[name]?.(parseSource(path, text)).join('\n')).toContain(offence);
});

test.each([
  ['keepArrows', { 'engine/ledger/a.ts': "import '../directory/b.ts';" }, 'may not import'],
  ['keepArrows', { 'engine/stray.ts': '' }, 'is in no layer'],
  ['keepArrows', { 'renderer/a.tsx': "import '../engine/spreadsheet/b.ts';" }, 'may not import'],
  ['keepArrows', { 'main/a.ts': "export * from '../engine/app/main.ts';" }, 'may not import'],
  [
    'keepMainTypesOnly',
    { 'renderer/a.ts': "import { b } from '../main/desktop-contract.ts';" },
    'import only types',
  ],
  ['keepPackages', { 'engine/contract/a.ts': "import 'node:fs';" }, 'may not import node:fs'],
  ['keepPackages', { 'test/a.ts': "import 'electron';" }, 'may not import electron'],
  ['keepPackages', { 'renderer/a.ts': "import 'node:fs';" }, 'may not import node:fs'],
  [
    'banCircles',
    { 'engine/a.ts': "import './b.ts';", 'engine/b.ts': "import './a.ts';" },
    'engine/a.ts → engine/b.ts → engine/a.ts',
  ],
  ['banDeadFiles', { 'engine/a.ts': '', 'test/b.test.ts': '' }, 'engine/a.ts: nothing uses'],
  [
    'banDeadExports',
    {
      'engine/a.ts': 'export const b = 1;',
      'test/c.test.ts': "import { b } from '../engine/a.ts'",
    },
    'uses b',
  ],
  ['banDeadExports', { 'engine/a.ts': 'export const b = 1; b;' }, 'uses b'],
] as const)('the rule %s can fail: %j', (name, files, offence) => {
  const offending = Object.entries(files).map(([path, text]) => parseSource(path, text));
  expect(projectRules[name]?.(offending).join('\n')).toContain(offence);
});

test('a string that names a file, an export used in its own file, and a test are in use', () => {
  const alive = [
    parseSource('vite.config.ts', "const entry = 'engine/a.ts'; const next = './main/b.ts';"),
    parseSource('engine/a.ts', 'export const b = 1; b;'),
    parseSource('main/b.ts', ''),
    parseSource('test/c.test.ts', "import { b } from '../engine/a.ts'"),
  ];
  expect(projectRules.banDeadFiles?.(alive)).toEqual([]);
  expect(projectRules.banDeadExports?.(alive)).toEqual([]);
});

const written = ['engine', 'main', 'renderer', 'bench', 'test', 'scripts', 'docs', '.ci'];
const isText = (path: string) => /\.(ts|tsx|mjs|md|sql|json|ya?ml|css|html)$|\.ci\//.test(path);
// Split, so that the list does not find itself.
const foreign = [
  '/wo' + 'rk/',
  '/tmp/' + 'brief',
  'resolved": "' + 'http',
  ...['notes', 'prototypes', 'spec', 'data'].map((folder) => `../shared/${folder}`),
];

test('no file names the machine it was written on', () => {
  const found = listFiles(written.filter((folder) => existsSync(join(root, folder))))
    .filter(isText)
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return foreign.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`);
    });
  expect(found).toEqual([]);
});

test('what the product and its build import is installed before the rest', () => {
  const first = [...Object.keys(packageUses.app), ...Object.keys(packageUses.build)];
  const isFirst = (target: string) =>
    target.startsWith('node:') || first.some((name) => `${target}/`.startsWith(`${name}/`));
  const imported = sources
    .filter(({ path }) => /^(engine|main|renderer)\/|^vite\.config/.test(path))
    .flatMap(({ imports }) => imports)
    .filter(({ isPackage, typeOnly }) => isPackage && !typeOnly);
  expect(imported.map(({ target }) => target).filter((target) => !isFirst(target))).toEqual([]);
});

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}
const listMissingOptionals = ({ packages }: Lock): string[] =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  );

test('every optional package of the lock file has its entry', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  expect(listMissingOptionals(lock)).toEqual([]);
  const torn = { packages: { 'node_modules/a': { optionalDependencies: { 'a-linux': '1' } } } };
  expect(listMissingOptionals(torn)).toEqual(['a-linux']);
});
