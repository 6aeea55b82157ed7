// `npm run release -- VERSION [--dry-run]`: raises the version, closes the pending section of the
// changelog, commits, and tags. Pushing the tag starts .github/workflows/release.yml.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gt, valid } from 'semver';
import { closePending } from './changelog.mjs';

const root = process.env.DESK_RELEASE_ROOT ?? dirname(dirname(import.meta.dirname));
const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

function runGit(...args) {
  const run = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr.trim()}`);
  return run.stdout.trim();
}

const read = (name) => readFileSync(join(root, name), 'utf8');
const writeJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The new texts of the files. Throws if the version is not a later one or nothing is pending. */
function prepare(version) {
  const manifest = JSON.parse(read('package.json'));
  if (valid(version) !== version)
    throw new Error(`"${version}" is not a version such as 1.2.0 or 1.2.0-beta.1.`);
  if (!gt(version, manifest.version))
    throw new Error(`${version} is not later than the present version, ${manifest.version}.`);
  const lock = JSON.parse(read('package-lock.json'));
  const day = new Date().toISOString().slice(0, 10);
  return {
    'package.json': writeJson({ ...manifest, version }),
    'package-lock.json': writeJson({
      ...lock,
      version,
      packages: { ...lock.packages, '': { ...lock.packages[''], version } },
    }),
    'CHANGELOG.md': closePending(read('CHANGELOG.md'), version, day),
  };
}

function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1)
    throw new Error('Usage: npm run release -- VERSION [--dry-run]');
  const texts = prepare(version);
  const tag = `v${version}`;
  if (runGit('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists.`);
  if (runGit('status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed. Commit or remove them first.');
  if (values['dry-run']) {
    console.log(`Would change ${files.join(', ')}, commit them, and set the tag ${tag}.`);
    return;
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, name), text);
  runGit('add', ...files);
  runGit('commit', '--message', `release: ${version}`);
  runGit('tag', '--annotate', tag, '--message', `Enrichment Desk ${version}`);
  console.log(`Released ${version} on this machine. Publish it with:`);
  console.log(`git push origin HEAD ${tag}`);
}

try {
  release();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
