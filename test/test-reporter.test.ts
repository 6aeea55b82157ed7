// The summary of `npm test`: its counts, its minutes, and the tests that needed a retry.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filterTags, formatSummary } from '../scripts/test-reporter.mjs';
import { scratch } from './launch.ts';

const root = resolve(import.meta.dirname, '..');

test.each([
  [{ passed: 3776, flaky: 0 }, 340_400, '3,776 passed, 0 failed, 0 skipped, 5 min 40 s'],
  [{ passed: 1, flaky: 2 }, 59_600, '1 passed, 0 failed, 0 skipped, 2 flaky, 1 min 0 s'],
])('%j after %i ms is summed up as %s', (counts, elapsedMs, line) => {
  expect(formatSummary({ failed: 0, skipped: 0, ...counts }, elapsedMs)).toBe(line);
});

test('a run leaves out the long tests unless it is full, and on Windows those of other systems', () => {
  expect(filterTags(false, 'linux')).toEqual(['!full']);
  expect(filterTags(true, 'darwin')).toEqual([]);
  expect(filterTags(false, 'win32')).toEqual(['!full', '!posix']);
});

const skip = 'skip';
const files = {
  'vitest.config.mjs': `export default {
    test: { globals: true, retry: 1, include: ['*.test.mjs'], tags: [{ name: 'full' }] },
  };`,
  'some.test.mjs': `
    let runs = 0;
    describe('a suite', () => test('is late once', () => expect(++runs).toBe(2)));
    test('is fine', () => {});
    test.${skip}('has no time', () => {});
    test('is long', { tags: ['full'] }, () => {});
  `,
};

/** Runs the files above with the reporter; returns what it printed and counted. */
function runVitest(...args: string[]) {
  using place = scratch();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.dir, name), text);
  const counts = join(place.dir, 'counts.json');
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const reporter = `--reporter=${join(root, 'scripts/test-reporter.mjs')}`;
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'run', reporter, ...args], {
    cwd: place.dir,
    env: { ...process.env, DESK_TEST_COUNTS: counts },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { lines: stdout.split('\n'), counts: JSON.parse(readFileSync(counts, 'utf8')) };
}

test('retries and skips are named and counted; omitted long tests are not skips', () => {
  const { lines, counts } = runVitest('--tags-filter=!full');
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 1, flaky: 1 });
  expect(lines).toContain('flaky: some.test.mjs > a suite > is late once');
  expect(lines).toContain('skipped: has no time (no reason given)');
  expect(lines).toContain('long tests that only npm run test:full runs: 1');
});
