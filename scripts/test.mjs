// `npm test`: build if a source has changed, then tests, with types and style at the same time.
// `--full` (`npm run test:full`) adds the long tests. Other arguments go to Vitest. The last line
// has the counts and the time.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isBuilt } from './build-stamp.mjs';
import { findChromium } from './chromium.mjs';
import { filterTags, formatSummary } from './test-reporter.mjs';

const started = performance.now();
const given = process.argv.slice(2);
const isFull = given.includes('--full');
const root = dirname(import.meta.dirname);

/** Bytes that must be free in memory: several times the files that tests have at one time. */
const memoryMin = 4 * 1024 ** 3;

/**
 * A new folder for the files of the run. It is in memory if there is room, because the databases of
 * the tests sync thousands of times; a folder whose programs do not start is not used.
 */
function makeScratch() {
  const inMemory = '/dev/shm';
  if (!isFull && existsSync(inMemory) && freemem() >= memoryMin) {
    const { bavail, bsize } = statfsSync(inMemory);
    const folder = bavail * bsize >= memoryMin ? mkdtempSync(join(inMemory, 'desk-test-')) : null;
    if (folder !== null) {
      const program = join(folder, 'starts');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
      if (spawnSync(program).status === 0) return folder;
      rmSync(folder, { recursive: true });
    }
  }
  // macOS: the real path, as the engine sees it. Its long one has no room for a socket.
  return mkdtempSync(join(realpathSync(platform() === 'darwin' ? '/tmp' : tmpdir()), 'dt-'));
}
const scratch = makeScratch();
// Files in memory must not outlive the run, also if it is interrupted.
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
// PostgreSQL runs as another user if root runs the tests, and must reach its folder in this one.
chmodSync(scratch, 0o711);
const countsFile = join(scratch, 'counts.json');
const env = {
  ...process.env,
  DESK_CHROMIUM: findChromium() ?? '',
  DESK_TEST_COUNTS: countsFile,
  TMPDIR: scratch,
  // Tests start the programs that the build below has made.
  DESK_TEST_BUILT: '1',
  // The full run searches for new counterexamples of the property tests.
  ...(isFull ? { DESK_TEST_SEED: 'random' } : {}),
  // The type checker collects garbage less often: an eighth less processor time.
  GOGC: '300',
  // Types are stripped from the engine's sources once, not by every process and thread.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node'),
  NO_COLOR: '1',
};

/**
 * Runs a program of node_modules. Its output is printed when it has ended, unless `streams` is set.
 */
function runStep(name, program, args, { streams = false } = {}) {
  const startedStep = performance.now();
  const stdio = streams ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const path = join(root, 'node_modules', program);
  const child = spawn(process.execPath, [path, ...args], { stdio, cwd: root, env });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - startedStep) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} ${seconds} s`);
      resolve(code === 0);
    });
  });
}

/** Builds what has changed, as `npm start` does. */
function build() {
  if (!isBuilt(root)) return runStep('build', 'vite/bin/vite.js', ['build', '--logLevel', 'warn']);
  console.log('ok   build is up to date');
  return true;
}

const chosen = [
  ...filterTags(isFull, process.platform).map((filter) => `--tags-filter=${filter}`),
  ...given.filter((argument) => argument !== '--full'),
];
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-reporter.mjs')}`];
const style = ['ci', '--colors=off', '--error-on-warnings', '.'];
// Tests need the build only. The other steps run meanwhile, while tests wait for timers and disks.
const checks = {
  types: runStep('types', 'typescript/bin/tsc', ['-b', '--checkers', '1']),
  style: runStep('style', '@biomejs/biome/bin/biome', style),
};
const isBuildGood = await build();
const testArgs = ['run', '--no-color', ...reporters, ...chosen];
const good = await runStep('tests', 'vitest/vitest.mjs', testArgs, { streams: true });
const counts = existsSync(countsFile)
  ? JSON.parse(readFileSync(countsFile, 'utf8'))
  : { passed: 0, failed: 1, skipped: 0, flaky: 0 };

// A failed step counts as a failure, so that the last line is never better than the result.
let failed = Math.max(counts.failed, good ? 0 : 1) + (isBuildGood ? 0 : 1);
for (const [name, passed] of Object.entries(checks))
  if (!(await passed)) {
    failed += 1;
    console.log(`FAIL ${name}: its output is above, among that of the tests`);
  }
console.log(formatSummary({ ...counts, failed }, performance.now() - started));
process.exit(failed === 0 ? 0 : 1);
