/** The notes of a version, and the files of its release and of the feed of updates. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePending, readNotes } from '../../scripts/release/changelog.mjs';
import { layOutFeed } from '../../scripts/release/feed.mjs';
import { scratch } from '../launch.ts';

let place: ReturnType<typeof scratch>;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place[Symbol.dispose]());

const read = (name: string) => readFileSync(join(place.dir, name), 'utf8');
const write = (name: string, text: string) => {
  mkdirSync(join(place.dir, name, '..'), { recursive: true });
  writeFileSync(join(place.dir, name), text);
};

test('a changelog without pending lines cannot be released', () => {
  const empty = '# Changelog\n\n## Pending\n\n## 0.1.0 (2026-01-01)\n- Old.\n';
  expect(() => closePending(empty, '0.2.0', '2026-02-01')).toThrow('is empty');
  expect(() => closePending('# Changelog\n', '0.2.0', '2026-02-01')).toThrow('has no section');
});

test('the notes of a version end at the next one', () => {
  const changelog =
    '## Pending\n\n## 0.2.0 (2026-02-01)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n- Old.\n';
  expect(readNotes(changelog, '0.2.0')).toBe('- New.');
  expect(readNotes(changelog, '0.1.0')).toBe('- Old.');
  expect(readNotes(changelog, '0.2')).toBeNull();
});

const hash = (text: string, algorithm: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(text).digest(encoding);

test('the feed has a folder for each system and processor, and the release all checksums', async () => {
  const sha512 = hash('zip', 'sha512', 'base64');
  write('in/mac-arm64/desk.zip', 'zip');
  write('in/mac-arm64/desk.dmg', 'dmg');
  write('in/mac-arm64/latest-mac.yml', `files:\n  - url: desk.zip\n    sha512: ${sha512}\n`);
  write('in/mac-arm64/builder-debug.yml', '');
  write('in/npm/desk.tgz', 'tgz');
  await layOutFeed(join(place.dir, 'in'), join(place.dir, 'out'));
  expect(readdirSync(join(place.dir, 'out/feed/mac/arm64')).sort()).toEqual([
    ...['desk.dmg', 'desk.zip', 'latest-mac.yml'],
  ]);
  expect(readdirSync(join(place.dir, 'out/feed'))).toEqual(['mac']);
  const sums = ['dmg', 'zip', 'tgz'].map((name) => `${hash(name, 'sha256', 'hex')}  desk.${name}`);
  expect(read('out/release/SHA256SUMS').trim().split('\n')).toEqual(sums);
});

test.each([
  ['a file with another hash', 'desk.zip', 'does not have the hash'],
  ['a file that is absent', 'other.zip', 'which is absent'],
])('a feed that names %s is refused', async (_what, url, sentence) => {
  write('in/mac-x64/desk.zip', 'zip');
  write('in/mac-x64/latest-mac.yml', `files:\n  - url: ${url}\n    sha512: AAAA\n`);
  const laidOut = layOutFeed(join(place.dir, 'in'), join(place.dir, 'out'));
  await expect(laidOut).rejects.toThrow(sentence);
});
