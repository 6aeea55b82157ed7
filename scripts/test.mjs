// Everything: types, style, build, tests. Ends with one plain line that says how many passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findChromium } from './chromium.mjs';

const root = dirname(import.meta.dirname);
const scratch = mkdtempSync(join(tmpdir(), 'desk-test-'));
const env = {
  ...process.env,
  DESK_CHROMIUM: findChromium() ?? '',
  // The engine's sources are stripped of their types once, not by every process and thread.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node'),
  NO_COLOR: '1',
};

/** Runs a program of node_modules; its output is printed once it has ended, unless it `streams`. */
function runStep(name, program, args, { streams = false, extraEnv = {} } = {}) {
  const started = performance.now();
  const stdio = streams ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const path = join(root, 'node_modules', program);
  const options = { stdio, cwd: root, env: { ...env, ...extraEnv } };
  const child = spawn(process.execPath, [path, ...args], options);
  const said = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} ${seconds} s`);
      resolve(code === 0);
    });
  });
}

const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-reporter.mjs')}`];
const counts = { passed: 0, failed: 0, skipped: 0 };

/** Runs tests and adds them to the counts; a run that broke off counts as a failure. */
async function runTests(name, chosen, options) {
  const countsFile = join(scratch, `${name}.json`);
  const args = ['run', '--no-color', ...reporters, ...chosen];
  const extraEnv = { DESK_TEST_COUNTS: countsFile };
  const good = await runStep(name, 'vitest/vitest.mjs', args, { ...options, extraEnv });
  const counted = existsSync(countsFile)
    ? JSON.parse(readFileSync(countsFile, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
  if (!good) counted.failed = Math.max(counted.failed, 1);
  for (const key of Object.keys(counts)) counts[key] += counted[key];
}

const projects = (...names) => names.map((name) => `--project=${name}`);
const chosen = process.argv.slice(2);
const steps = await Promise.all([
  runStep('types', 'typescript/bin/tsc', ['-b']),
  runStep('style', '@biomejs/biome/bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  runStep('build', 'vite/bin/vite.js', ['build', '--logLevel', 'warn']),
]);
if (chosen.length > 0) await runTests('tests', chosen, { streams: true });
else {
  // A test that clicks waits for a third of its time, in which the rules have the processor.
  await Promise.all([
    runTests('rules', projects('rules'), { streams: true }),
    runTests('clicks and crashes', projects('app', 'crash')),
  ]);
  // Builds anew, which nothing else may be reading.
  await runTests('readme', projects('readme'), { streams: true });
}
rmSync(scratch, { recursive: true, force: true });

// A step that failed counts as a failure, so that the last line never reads better than it is.
const failed = counts.failed + steps.filter((passed) => !passed).length;
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
