// Collects the packages that the build puts into its bundles, and writes their licences.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Packages that are shipped as folders, not in a bundle. */
export const shippedAsFolders = ['@napi-rs/keyring', 'better-sqlite3'];

/** Files of others in the source tree: their folder, their name, and their licence. */
const vendored = [{ folder: 'renderer/public/reference', name: 'Redoc', licence: 'MIT' }];

/** The folder of the package of a module: the last one below a `node_modules`; null if none. */
export function findPackageFolder(moduleId) {
  const path = moduleId.replaceAll('\\', '/').replace(/^\0/, '');
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)(?:\/|\?|$)/.exec(path);
  return found?.[1] ?? null;
}

/**
 * The folders of the packages in the output of a build, some of them several times. A watching
 * build has no output.
 * @param {string} viteRoot absolute folder that names of assets are relative to
 */
export const listBundledFolders = (viteRoot, built) =>
  [built]
    .flat()
    .flatMap(({ output = [] }) => output)
    .flatMap(({ moduleIds = [], originalFileNames = [] }) => [
      ...moduleIds,
      ...originalFileNames.map((name) => resolve(viteRoot, name)),
    ])
    .map(findPackageFolder)
    .filter((folder) => folder !== null);

const licenceFile = /^(.*\.)?(licen[cs]e|copying|notice)([.-].*)?$/i;

const readTexts = (folder) =>
  readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());

/** Name, version, licence, origin and licence texts of the package in a folder. */
function describePackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const author = typeof manifest.author === 'object' ? manifest.author.name : manifest.author;
  const repository = manifest.repository?.url ?? manifest.repository;
  return {
    name: manifest.name,
    version: manifest.version,
    licence: manifest.license ?? 'not stated',
    author: author ?? null,
    origin: (manifest.homepage ?? repository ?? '').replace(/^git\+/, ''),
    texts: readTexts(folder),
  };
}

/** The packages of folders, each version once, by name. */
export function describePackages(folders) {
  const found = [...folders]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map(describePackage)
    .map((one) => [`${one.name}@${one.version}`, one]);
  return [...new Map(found).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const rule = '-'.repeat(80);

function writeNotice({ name, version, licence, author, origin, texts }) {
  const by = author === null ? [] : [`Author: ${author}`];
  const head = [`${name} ${version}`, `Licence: ${licence}`, ...by, ...(origin ? [origin] : [])];
  // A package without a licence file states its licence in its package.json alone.
  const standard = `The text of the licence: https://spdx.org/licenses/${licence}.html`;
  return [rule, ...head, '', ...(texts.length > 0 ? texts : [standard]), ''].join('\n');
}

/** Writes the notices of the bundled packages, and of those that are shipped as folders. */
export function writeNotices(root, folders, path) {
  const shipped = shippedAsFolders.map((name) => join(root, 'node_modules', name));
  const packages = describePackages([...folders, ...shipped]);
  const opening =
    'Enrichment Desk contains the following packages. The licences of the data are in\n' +
    'resources/sample/ATTRIBUTION.md, resources/reference/NOTICE.md and\n' +
    'resources/matching/NOTICE.md, those of Electron and\n' +
    'Chromium in the files LICENSE.electron.txt and LICENSES.chromium.html of the installed app.\n';
  const copies = vendored.map(({ folder, name, licence }) => {
    const texts = readTexts(join(root, folder));
    return { name, version: '', licence, author: null, origin: folder, texts };
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, [opening, ...[...packages, ...copies].map(writeNotice)].join('\n'));
}
