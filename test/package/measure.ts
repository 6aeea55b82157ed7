// Measures a pack for this system: sizes without Electron, the npm package, and the time until the
// engine of the pack is ready on the sample directory. Prints each figure with its budget, and
// exits with 1 if a size is above it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { extractAll } from '@electron/asar';
import { percentile, readCpuSeconds } from '../../bench/measure.ts';
import { nodeEnvironment } from '../../engine/contract/limits/platform.ts';
import { packForNpm } from '../../scripts/npm-package/pack.mjs';
import { startEngineProcess } from '../engine-process.ts';
import { packApp } from './pack-app.ts';
import type { System } from './stand-in.ts';

const root = resolve(import.meta.dirname, '../..');
const bytesMax = 25_000_000;
const readyMaxMs = 1_500;
const starts = 7;

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Prints a line; returns whether the figure is within its budget. */
function report(what: string, figure: string, budget: string, isMet: boolean): boolean {
  console.log(`${what.padEnd(52)} ${figure.padStart(9)}  ${budget} ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}

const reportBytes = (what: string, bytes: number): boolean =>
  report(what, formatMegabytes(bytes), `at most ${formatMegabytes(bytesMax)}`, bytes <= bytesMax);

/**
 * What starts a program before all others, where the system allows it (Linux, as root): other
 * programs then hardly change the time. Empty elsewhere.
 */
const priority =
  spawnSync('chrt', ['--rr', '1', process.execPath, '--version']).status === 0
    ? ['chrt', '--rr', '1']
    : [];

/** The time from the start of the packed engine to its ready line, and its CPU time until then. */
async function timeStart(
  program: string,
  dataDir: string,
): Promise<{ elapsedMs: number; cpuMs: number }> {
  const startedMs = performance.now();
  const serve = ['serve', '--json', '--port', '0', '--data-dir', dataDir];
  const [first, ...rest] = [...priority, process.execPath, program, ...serve];
  const env = { ...nodeEnvironment, ...process.env, DESK_KEYCHAIN: 'off' };
  const engine = spawn(first ?? '', rest, { stdio: ['ignore', 'pipe', 'ignore'], env });
  const exited = once(engine, 'exit');
  await once(createInterface({ input: engine.stdout }), 'line');
  const elapsedMs = performance.now() - startedMs;
  const cpuMs = process.platform === 'linux' ? readCpuSeconds(engine.pid ?? 0) * 1_000 : Number.NaN;
  engine.kill('SIGTERM');
  await exited;
  return { elapsedMs, cpuMs };
}

async function measure(dir: string): Promise<boolean> {
  const packed = await packApp(
    process.platform as System,
    process.arch as 'x64' | 'arm64',
    join(dir, 'pack'),
  );
  const natives = packed.files
    .filter((path) => path.endsWith('.node'))
    .map((path) => join(packed.resources, 'app.asar.unpacked', path));
  const paths = [packed.archive, ...natives];
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const zipped = paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  const app = join(dir, 'app');
  extractAll(packed.archive, app);
  const dataDir = join(dir, 'data');
  const engine = await startEngineProcess(dataDir, [], { env: { DESK_KEYCHAIN: 'off' } });
  await engine.ask('POST', '/app/v1/directory/sample?wait=1');
  await engine.stop();
  const times: Awaited<ReturnType<typeof timeStart>>[] = [];
  for (let at = 0; at < starts; at += 1)
    times.push(await timeStart(join(app, 'out/engine/main.js'), dataDir));
  const readyMs = percentile(
    times.map(({ elapsedMs }) => elapsedMs),
    0.5,
  );
  const cpuMs = percentile(
    times.map(({ cpuMs }) => cpuMs),
    0.5,
  );
  const npmPackage = packForNpm(root, join(dir, 'npm'));
  console.log('');
  const sizes = [
    reportBytes('installed, without Electron', bytes),
    reportBytes('the same, compressed', zipped),
    reportBytes('npm package', npmPackage.bytes),
  ];
  report(
    `engine ready on the sample directory (median of ${starts})`,
    `${Math.round(readyMs)} ms`,
    `at most ${readyMaxMs} ms`,
    readyMs <= readyMaxMs,
  );
  console.log(`its CPU time until then, of all threads: ${Math.round(cpuMs)} ms`);
  if (priority.length === 0) console.log('Other programs delay the start: measure it alone.');
  return sizes.every(Boolean);
}

const dir = mkdtempSync(join(tmpdir(), 'desk-measure-'));
try {
  if (!(await measure(dir))) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
