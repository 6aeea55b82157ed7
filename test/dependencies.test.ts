// No dependency runs a script when it is installed, and every licence is one that was accepted.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installFirst } from '../scripts/install-first.mjs';
import { packageUses } from '../scripts/packages.mjs';
import { makeTemporaryFolder } from './migrations/temporary-store.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}
const packages = Object.entries(
  read('package-lock.json').packages as Record<string, LockedPackage>,
).filter(([path, { link }]) => path !== '' && !link);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** Packages with an install script, and why they are accepted. */
const withScript: Readonly<Record<string, string>> = {
  'electron-winstaller': 'Copies a tool for a kind of Windows installer that is not built.',
};

/** Licences that allow the product to be used and passed on under its own. */
const acceptedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
  'Unlicense',
  '(WTFPL OR MIT)',
  'WTFPL OR ISC',
  // For a file of its own each, which is passed on unchanged.
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'WTFPL',
];

test('only accepted packages have an install script, and none of them may run it', () => {
  const found = packages.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [nameOf(path)] : [],
  );
  expect(found.sort()).toEqual(Object.keys(withScript).sort());
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  expect(Object.values(allowScripts)).not.toContain(true);
  expect(Object.keys(withScript).filter((name) => allowScripts[name] !== false)).toEqual([]);
});

test('every package has a hash of its content and an accepted licence', () => {
  const withoutHash = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(withoutHash.map(([path]) => path)).toEqual([]);
  const others = packages.filter(([, { license }]) => !acceptedLicences.includes(license ?? ''));
  expect(others.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([]);
});

const direct = Object.keys({
  ...read('package.json').dependencies,
  ...read('package.json').devDependencies,
  ...read('package.json').optionalDependencies,
});

test('each package has a reason, and is in docs/packages.md with its version and licence', () => {
  expect(Object.values(packageUses).flatMap(Object.keys).sort()).toEqual(direct.sort());
  const page = readFileSync(join(root, 'docs/packages.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const shown = rows
    .map((row) => row.split(' | '))
    .map(([name, , version, licence]) =>
      [name?.slice(3, -1), version?.split(' ')[0], licence].join(' '),
    );
  const locked = read('package-lock.json').packages as Record<string, LockedPackage>;
  const known = direct.map((name) => {
    const { version, license } = locked[`node_modules/${name}`]!;
    return `${name} ${version} ${license}`;
  });
  expect(shown.sort()).toEqual(known.sort());
});

test('the first start installs no package of tests, and leaves nothing behind if it fails', async () => {
  const clone = makeTemporaryFolder();
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(root, name), join(clone, name));
  const broken = installFirst(clone, () => Promise.reject(new Error('no network')));
  await expect(broken).rejects.toThrow('no network');
  expect(readdirSync(clone).sort()).toEqual(['.npmrc', 'package-lock.json', 'package.json']);
  let names: string[] = [];
  await installFirst(clone, async (folder) => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    names = Object.keys(lock.packages);
    mkdirSync(join(folder, 'node_modules/zod'), { recursive: true });
  });
  expect(names).toEqual(expect.arrayContaining(['node_modules/vite', 'node_modules/fastify']));
  expect(names.filter((name) => /\/(?:vitest|typescript|electron-builder)$/.test(name))).toEqual(
    [],
  );
  expect(existsSync(join(clone, 'node_modules/zod'))).toBe(true);
});
