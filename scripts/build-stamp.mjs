// Records the sources from which out/ was built, so that `npm start` builds only after changes.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything that a build reads. */
const inputs = [
  'engine',
  'main',
  'renderer',
  'resources',
  'scripts/mcpb.mjs',
  'scripts/compress-files.mjs',
  'scripts/third-party-notices.mjs',
  'vite.config.ts',
  'electron-builder.yml',
  'package.json',
  'package-lock.json',
];
/** One file of each bundle. */
const outputs = [
  'engine/main.js',
  'engine/writer-thread.js',
  'engine/team-worker.js',
  'engine/got.js',
  'engine/hyparquet.js',
  'main/index.js',
  'preload/preload.cjs',
  'renderer/index.html',
];

const stampOf = (root) => join(root, 'node_modules/.desk-built');

function listFiles(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** A hash of the path, size and modification time of every build input. */
export function hashSources(root) {
  const hash = createHash('sha256');
  for (const input of inputs.filter((path) => existsSync(join(root, path))))
    for (const path of listFiles(root, input)) {
      const { size, mtimeMs } = statSync(join(root, path));
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

/** Whether out/ is complete and was built from the current sources. */
export function isBuilt(root) {
  const stamp = stampOf(root);
  if (!existsSync(stamp)) return false;
  if (!outputs.every((path) => existsSync(join(root, 'out', path)))) return false;
  return readFileSync(stamp, 'utf8') === hashSources(root);
}

/** Runs a build and records its sources. A failed build leaves no record. */
export async function recordBuild(root, build) {
  const sources = hashSources(root);
  rmSync(stampOf(root), { force: true });
  await build();
  mkdirSync(dirname(stampOf(root)), { recursive: true });
  writeFileSync(stampOf(root), sources);
}
