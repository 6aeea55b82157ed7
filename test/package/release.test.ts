// `npm run release`: the version, the changelog, the commit and the tag, in a clone.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratch } from '../launch.ts';

const root = resolve(import.meta.dirname, '../..');
let place: ReturnType<typeof scratch>;
afterEach(() => place[Symbol.dispose]());

const read = (name: string) => readFileSync(join(place.dir, name), 'utf8');
const write = (name: string, text: string) => writeFileSync(join(place.dir, name), text);
const git = (...args: string[]) => {
  const names = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  return spawnSync('git', [...names, ...args], { cwd: place.dir, encoding: 'utf8' }).stdout.trim();
};
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/release/release.mjs'), ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DESK_RELEASE_ROOT: place.dir,
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.invalid',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.invalid',
    },
  });

beforeEach(() => {
  place = scratch();
  write('package.json', '{\n  "name": "a",\n  "version": "0.1.0"\n}\n');
  const packages = { '': { version: '0.1.0' }, 'node_modules/b': { version: '0.1.0' } };
  write('package-lock.json', JSON.stringify({ name: 'a', version: '0.1.0', packages }));
  write('CHANGELOG.md', '# Changelog\n\n## Pending\n\n### Added\n- One thing.\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'start');
});

test('a release raises the version, closes the pending section, commits and tags', () => {
  const done = release('0.2.0');
  expect(done.stderr).toBe('');
  expect(done.stdout).toContain('git push origin HEAD v0.2.0');
  expect(JSON.parse(read('package.json'))).toEqual({ name: 'a', version: '0.2.0' });
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    name: 'a',
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/b': { version: '0.1.0' } },
  });
  const day = new Date().toISOString().slice(0, 10);
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## Pending\n\n## 0.2.0 (${day})\n\n### Added\n- One thing.\n`,
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
  expect(git('rev-list', '-1', 'v0.2.0')).toBe(git('rev-parse', 'HEAD'));
});

test('a dry run says what it would do, and changes nothing', () => {
  const done = release('0.2.0', '--dry-run');
  expect(done.stdout).toContain('set the tag v0.2.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag', '--list')).toBe('');
});

test.each([
  ['a version that is not later', ['0.1.0'], () => {}, 'is not later than the present version'],
  ['no version', ['next'], () => {}, 'is not a version such as 1.2.0'],
  ['nothing', [], () => {}, 'Usage: npm run release'],
  ['a changed file', ['0.2.0'], () => write('a.txt', ''), 'not committed'],
  ['a tag that exists', ['0.2.0'], () => git('tag', 'v0.2.0'), 'The tag v0.2.0 exists.'],
] as const)('a release of %s is refused', (_what, args, prepare, sentence) => {
  prepare();
  const before = git('rev-parse', 'HEAD');
  const done = release(...args);
  expect(done.status).toBe(1);
  expect(done.stderr).toContain(sentence);
  expect(git('rev-parse', 'HEAD')).toBe(before);
});
