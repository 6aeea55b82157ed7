// What the npm package contains, by its list of files, its manifest and its notices.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workerEntries } from '../../engine/platform/workers/worker-entries.ts';
import {
  listPackageFiles,
  stagePackage,
  writeServerEntry,
} from '../../scripts/npm-package/stage.mjs';
import { findPackageFolder } from '../../scripts/third-party-notices.mjs';
import { scratch } from '../launch.ts';

const root = resolve(import.meta.dirname, '../..');
const paths = Object.keys(listPackageFiles(root));
let stage: string;

beforeAll(() => {
  stage = mkdtempSync(join(tmpdir(), 'desk-stage-'));
  stagePackage(root, stage);
});
afterAll(() => rmSync(stage, { recursive: true, force: true }));

const readStaged = (path: string) => readFileSync(join(stage, path), 'utf8');

test('the package has the program, every thread, the migrations, the data and the page', () => {
  const threads = Object.keys(workerEntries).map((name) => `out/engine/${name}.js`);
  const migrations = ['engine/migrations', 'engine/directory/migrations'].flatMap((folder, at) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `out/engine/migrations/${at === 0 ? 'store' : 'directory'}/${name}`),
  );
  const resources = readdirSync(join(root, 'resources'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join('out', entry.parentPath.slice(root.length), entry.name));
  const page = ['out/renderer/index.html', 'out/renderer/docs.html'];
  const own = ['bin/desk.mjs', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt'];
  const wanted = [...threads, ...migrations, ...resources, ...page, ...own, 'out/engine/main.js'];
  expect(wanted.filter((path) => !paths.includes(path))).toEqual([]);
});

test('the package has nothing of Electron, of the tests and of a debugger', () => {
  const unwanted = /\.map$|\.tsx?$|^out\/(main|preload)\/|utility\.js$|node_modules|^test/;
  expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
});

test('the configuration of a team that an earlier build left is not in the package', () => {
  using place = scratch();
  const resources = join(place.dir, 'out/resources');
  for (const folder of ['engine', 'renderer', 'resources'])
    mkdirSync(join(place.dir, 'out', folder), { recursive: true });
  for (const name of ['team.json', 'other.json']) writeFileSync(join(resources, name), '{}');
  const listed = Object.keys(listPackageFiles(place.dir));
  expect(listed).toContain('out/resources/other.json');
  expect(listed).not.toContain('out/resources/team.json');
});

test('its manifest has the native modules in exact versions, Node 24, and no scripts', () => {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readStaged('package.json'));
  expect(manifest).toMatchObject({
    name: project.name,
    version: project.version,
    engines: { node: '>=24' },
    bin: { desk: 'bin/desk.mjs' },
    dependencies: project.dependencies,
  });
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+/);
  for (const field of ['scripts', 'devDependencies', 'optionalDependencies', 'private'])
    expect(manifest).not.toHaveProperty(field);
});

test('its entry in the registry of tool servers names the package, its version and its command', () => {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entry = writeServerEntry({ ...project, homepage: 'https://desk.example.com/start' });
  expect(entry).toMatchObject({
    name: 'com.example.desk/enrichment-desk',
    version: project.version,
    packages: [
      {
        registryType: 'npm',
        identifier: project.name,
        version: project.version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  });
  // The registry refuses longer descriptions, and a package that does not repeat the name.
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(JSON.parse(readStaged('package.json')).mcpName).toBe(writeServerEntry(project).name);
});

test('the program runs nothing on an older Node but says which one it needs', () => {
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });";
  const older = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const done = spawnSync(
    process.execPath,
    ['--import', older, join(stage, 'bin/desk.mjs'), 'serve'],
    { encoding: 'utf8' },
  );
  expect(done.status).toBe(1);
  expect(done.stdout).toBe('');
  expect(done.stderr).toContain('Enrichment Desk needs Node 24 or newer, and this is Node 20.11.0');
});

test('`npm pack` in the sources is refused, because it would pack them', () => {
  const done = spawnSync(process.execPath, [join(root, 'scripts/npm-package/before-pack.mjs')], {
    env: { ...process.env, npm_command: 'pack' },
    encoding: 'utf8',
  });
  expect(done.status).toBe(1);
  expect(done.stderr).toContain('use "npm run pack"');
});

const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'BSD-2-Clause',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
];

test('the notices name every kind of bundled package, each with an allowed licence', () => {
  const notices = readStaged('THIRD-PARTY-NOTICES.txt');
  // Each notice is a head of some lines, an empty line, and the text.
  const entries = notices
    .split(/^-{80}\n(?=\S+ \S*\nLicence: )/m)
    .slice(1)
    .map((notice) => {
      const [head = '', ...text] = notice.split('\n\n');
      const [title = '', licence = ''] = head.split('\n');
      return {
        name: title.split(' ')[0],
        licence: licence.replace('Licence: ', ''),
        text: text.join('\n').trim(),
      };
    });
  const names = entries.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'better-sqlite3',
      '@napi-rs/keyring',
      'fastify',
      'react',
      '@mantine/core',
      'Redoc',
      '@fontsource-variable/inter',
      '@modelcontextprotocol/server',
      'zod',
    ]),
  );
  expect(names).not.toEqual(expect.arrayContaining(['vite', 'vitest', 'electron']));
  expect(entries.filter(({ licence }) => !allowed.includes(licence))).toEqual([]);
  expect(entries.filter(({ text }) => text === '')).toEqual([]);
});

test.each([
  ['/a/node_modules/zod/v4/core.js', '/a/node_modules/zod'],
  ['/a/node_modules/@x/y/index.js?commonjs', '/a/node_modules/@x/y'],
  [
    '/a/node_modules/ajv/node_modules/fast-uri/index.js',
    '/a/node_modules/ajv/node_modules/fast-uri',
  ],
  ['\0/a/node_modules/zod/index.js', '/a/node_modules/zod'],
  ['/a/engine/cli/main.ts', null],
])('the package of the module %j is %j', (module, folder) => {
  expect(findPackageFolder(module)).toBe(folder);
});
