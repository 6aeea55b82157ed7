// `node scripts/release/start-app.mjs PROGRAM [ARGUMENT…]`: starts a packed app with an empty data
// folder, and waits until its engine answers. A release has no inspector to drive its window.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const patienceMs = 90_000;
const intervalMs = 500;

/** The program in a bundle of macOS; other paths as they are. */
function findProgram(path) {
  const folder = join(path, 'Contents/MacOS');
  return existsSync(folder) ? join(folder, readdirSync(folder)[0]) : path;
}

/** Whether the engine at a port answers. */
const answers = (port) =>
  new Promise((done) => {
    const asked = request({ host: '127.0.0.1', port, path: '/healthz' }, (answer) => {
      answer.resume();
      done(answer.statusCode === 200);
    });
    asked.on('error', () => done(false));
    asked.end();
  });

const [path, ...args] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'desk-start-'));
const port = Number(process.env.DESK_PORT ?? 43_119);
const app = spawn(
  findProgram(resolve(path)),
  [...args, `--user-data-dir=${join(dataDir, 'user')}`],
  {
    stdio: 'inherit',
    env: { ...process.env, DESK_DATA_DIR: join(dataDir, 'engine'), DESK_PORT: String(port) },
  },
);
let ended = null;
app.on('error', (error) => {
  ended = error.message;
});
app.on('exit', (code) => {
  ended ??= `it ended with ${code}`;
});
const startedMs = Date.now();
while (ended === null && !(await answers(port))) {
  if (Date.now() - startedMs > patienceMs) ended = 'its engine did not answer';
  await wait(intervalMs);
}
if (ended === null) console.log(`The app's engine answers after ${Date.now() - startedMs} ms.`);
else console.error(`The app did not start: ${ended}.`);
app.kill();
process.exit(ended === null ? 0 : 1);
