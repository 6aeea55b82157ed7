// The notes of a version, and the files of its release and of the feed of updates.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
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

const writeChannel = (part: string, url: string, version = '1.2.0', content = url) => {
  write(`in/${part}/${url}`, url);
  const file = `files:\n  - url: ${url}\n    sha512: ${hash(content, 'sha512', 'base64')}\n`;
  write(`in/${part}/latest-mac.yml`, `version: ${version}\npath: ${url}\n${file}`);
};
const layOut = () => layOutFeed(join(place.dir, 'in'), join(place.dir, 'out'));

test('each system and processor has its folder in the feed; the release has all checksums', async () => {
  writeChannel('mac-arm64', 'desk-mac-arm64.zip');
  writeChannel('mac-x64', 'desk-mac-x64.zip');
  write('in/mac-x64/desk-mac-x64.dmg', 'dmg');
  write('in/mac-x64/builder-debug.yml', '');
  write('in/npm/desk.tgz', 'tgz');
  await layOut();
  const laidOut = readdirSync(join(place.dir, 'out/feed'), { recursive: true });
  expect(laidOut.map((path) => String(path).replaceAll('\\', '/')).sort()).toEqual([
    'mac',
    'mac/arm64',
    'mac/arm64/desk-mac-arm64.zip',
    'mac/arm64/latest-mac.yml',
    'mac/x64',
    'mac/x64/desk-mac-x64.dmg',
    'mac/x64/desk-mac-x64.zip',
    'mac/x64/latest-mac.yml',
  ]);
  const url = 'desk-mac-x64.zip';
  expect(parse(read('out/feed/mac/x64/latest-mac.yml'))).toEqual({
    version: '1.2.0',
    path: url,
    files: [{ url, sha512: hash(url, 'sha512', 'base64') }],
  });
  // A hash on two lines would not be read by the program that signs.
  expect(read('out/feed/mac/x64/latest-mac.yml')).toMatch(/^ {4}sha512: \S{88}$/m);
  const sums = read('out/release/SHA256SUMS').trim().split('\n');
  expect(sums).toContain(`${hash('tgz', 'sha256', 'hex')}  desk.tgz`);
  expect(sums).toHaveLength(4);
});

test('a part with a channel file and another name than of a system and processor is refused', async () => {
  writeChannel('macos', 'desk.zip');
  await expect(layOut()).rejects.toThrow('macos is no system and processor');
});

test('a feed that names a file with another hash is refused', async () => {
  writeChannel('mac-x64', 'desk.zip', '1.2.0', 'other');
  await expect(layOut()).rejects.toThrow('desk.zip does not have the hash');
});

test('a feed that names a file that is absent is refused', async () => {
  write('in/mac-x64/latest-mac.yml', 'files:\n  - url: other.zip\n    sha512: AAAA\n');
  await expect(layOut()).rejects.toThrow('names other.zip, which is absent');
});

test('a feed of two versions is refused', async () => {
  writeChannel('mac-arm64', 'a.zip', '1.2.0');
  writeChannel('mac-x64', 'b.zip', '1.3.0');
  await expect(layOut()).rejects.toThrow('The channel files name the versions 1.2.0, 1.3.0.');
});
