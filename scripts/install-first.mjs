// Installs the packages that starting the app needs, without those of tests, benchmarks and
// releases: half of all, which the first test adds. Runs on any version of Node.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { packageUses } from './packages.mjs';

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** A manifest, or the entry of the project in a lock file, without the packages of work. */
function leaveOut(manifest) {
  const kept = kinds.map((kind) => {
    const entries = Object.entries(manifest[kind] ?? {});
    return [kind, Object.fromEntries(entries.filter(([name]) => !(name in packageUses.work)))];
  });
  return { ...manifest, ...Object.fromEntries(kept) };
}

/** The place of a package that another one names; null if it is not in the lock file. */
function findPlace(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return null;
  }
}

/** The places of packages, and of what they need, in a lock file. */
export function listNeeded({ packages }, names) {
  const places = new Set();
  const visit = (from, needed) => {
    for (const name of needed) {
      const place = findPlace(packages, from, name);
      if (place === null || places.has(place)) continue;
      places.add(place);
      const { dependencies, optionalDependencies, peerDependencies } = packages[place];
      visit(place, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  };
  visit('', names);
  return [...places];
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The lock file of the project. */
export const readLock = (root) => readJson(join(root, 'package-lock.json'));

/**
 * Installs them into node_modules, which must not exist.
 * @param install installs what the manifest and the lock file of a folder name
 */
export async function installFirst(root, install) {
  // In the project, so that the packages can be moved.
  const folder = join(root, '.first-install');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const { scripts: _scripts, ...manifest } = leaveOut(readJson(join(root, 'package.json')));
    const lock = readLock(root);
    const project = leaveOut(lock.packages['']);
    const names = kinds.flatMap((kind) => Object.keys(project[kind]));
    const needed = listNeeded(lock, names).map((place) => [place, lock.packages[place]]);
    const packages = { '': project, ...Object.fromEntries(needed) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    writeFileSync(join(folder, '.npmrc'), readFileSync(join(root, '.npmrc')));
    await install(folder);
    renameSync(join(folder, 'node_modules'), join(root, 'node_modules'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The number of packages in the node_modules of a folder. */
export function countPackages(folder) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return 0;
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return names
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => join(name, one)) : name,
    )
    .filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}
