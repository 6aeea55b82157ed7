// The index file: it is restored as saved, and a damaged or foreign file is rejected.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { matchIndexFormat, openIndex } from '../../engine/directory/index/index-layout.ts';
import { loadIndex, saveIndex } from '../../engine/directory/saved-indexes.ts';
import { indexOf, matchOne } from './small-directory.ts';

const dir = mkdtempSync(join(tmpdir(), 'index-'));
afterAll(() => rmSync(dir, { recursive: true }));

const index = indexOf([
  { first: 'Nora', last: 'Bell', jobs: [{ at: 'City of Ashford', email: 'nora@ashford.example' }] },
  { first: 'Otto', last: 'Lind', url: 'https://people.example/otto' },
]);
const path = join(dir, 'directory.index');

test('an index is restored byte for byte and matches as before', () => {
  saveIndex(matchIndexFormat, index.buffer, path);
  const buffer = loadIndex(matchIndexFormat, path);
  expect(new Uint8Array(buffer!)).toEqual(new Uint8Array(index.buffer));
  const opened = openIndex(buffer!);
  expect(opened).toMatchObject({ generation: index.generation, peopleCount: 2 });
  expect(matchOne(opened, { email: 'nora@ashford.example' }).person).toBe(1);
  expect(matchOne(opened, { profile_url: 'people.example/otto' }).person).toBe(2);
});

test('an empty directory has an index too, without the nicknames of first names', () => {
  const empty = indexOf([]);
  saveIndex(matchIndexFormat, empty.buffer, join(dir, 'empty.index'));
  const opened = openIndex(loadIndex(matchIndexFormat, join(dir, 'empty.index'))!);
  expect(matchOne(opened, { email: 'nora@ashford.example' }).reason).toBe('no_match');
  expect(opened.sections.nicknames).toHaveLength(0);
  expect(index.sections.nicknames.length).toBeGreaterThan(1_000);
});

test('a file that is missing, truncated or changed anywhere is rejected', () => {
  expect(loadIndex(matchIndexFormat, join(dir, 'none.index'))).toBeNull();
  saveIndex(matchIndexFormat, index.buffer, path);
  const whole = readFileSync(path);
  const damaged = join(dir, 'damaged.index');
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.boolean(), (at, isCut) => {
      const bytes = isCut ? whole.subarray(0, at) : Buffer.from(whole);
      if (!isCut) bytes[at]! ^= 0x40;
      writeFileSync(damaged, bytes);
      expect(loadIndex(matchIndexFormat, damaged)).toBeNull();
    }),
    { numRuns: 60 },
  );
});
