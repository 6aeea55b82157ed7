// Writes docs/packages.md: `node scripts/packages-table.mjs`, with everything installed. Asks the
// registry which versions are newest.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listNeeded, readLock } from './install-first.mjs';
import { packageUses } from './packages.mjs';

const root = join(import.meta.dirname, '..');
const lock = readLock(root);
const direct = Object.values(packageUses).flatMap(Object.keys);

/** Bytes of a package, without those that it has installed below itself. */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === 'node_modules' ? 0 : sizeOf(path));
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}
const sizes = new Map(
  Object.keys(lock.packages).map((at) => [at, at === '' ? 0 : sizeOf(join(root, at))]),
);
const megabytes = (places) =>
  (places.reduce((sum, place) => sum + (sizes.get(place) ?? 0), 0) / 1e6).toFixed(1);

const asked = spawnSync('npm', ['outdated', '--json'], { cwd: root, encoding: 'utf8' });
const outdated = asked.stdout.trim() === '' ? {} : JSON.parse(asked.stdout);

function describe([name, why]) {
  const own = lock.packages[`node_modules/${name}`];
  const others = new Set(
    listNeeded(
      lock,
      direct.filter((one) => one !== name),
    ),
  );
  const alone = listNeeded(lock, [name]).filter((place) => !others.has(place));
  const scripts = alone.filter((place) => lock.packages[place].hasInstallScript);
  const newest = outdated[name]?.latest ?? own.version;
  const isOld = newest.localeCompare(own.version, 'en', { numeric: true }) > 0;
  const cells = [
    `\`${name}\``,
    why,
    isOld ? `${own.version} (newest: ${newest})` : own.version,
    own.license,
    scripts.map((place) => place.replace(/^.*node_modules\//, '')).join(', ') || 'none',
    megabytes([`node_modules/${name}`]),
    `${alone.length}: ${megabytes(alone)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const titles = {
  app: 'The product',
  build: 'Building and starting it',
  work: 'Tests, benchmarks and releases',
};
const sections = Object.entries(packageUses).flatMap(([use, packages]) => [
  `## ${titles[use]}`,
  '',
  '| package | why | version | licence | install scripts | MB | only for it |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  ...Object.entries(packages).map(describe),
  '',
]);
const first = listNeeded(lock, [
  ...Object.keys(packageUses.app),
  ...Object.keys(packageUses.build),
]);
const all = [...sizes.keys()].filter((place) => sizes.get(place) > 0);
writeFileSync(
  join(root, 'docs/packages.md'),
  [
    '# Packages',
    '',
    '`node scripts/packages-table.mjs` writes this page from `package-lock.json` and the',
    'installed packages. `scripts/packages.mjs` says why each is there. *MB* is the unpacked size,',
    'on Linux for x64. *Only for it* is what would go with it: the number of packages that no',
    'other one needs, and their MB.',
    '',
    `\`npm start\` in a new clone installs ${megabytes(first)} MB. Everything has`,
    `${megabytes(all)} MB in ${all.length} packages. No package runs a script when it is`,
    'installed.',
    '',
    ...sections,
  ].join('\n'),
);
