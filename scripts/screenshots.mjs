// `npm run screenshots`: builds, then takes the pictures of docs/screenshots with the journey that
// visits every screen.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { isBuilt } from './build-stamp.mjs';
import { findChromium } from './chromium.mjs';

const root = dirname(import.meta.dirname);

function run(program, args, env = {}) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (!isBuilt(root)) run('vite/bin/vite.js', ['build', '--logLevel', 'warn']);
run(
  'vitest/vitest.mjs',
  ['run', '--project', 'app', 'test/app/every-screen.test.ts', '-t', 'in the browser'],
  { DESK_SCREENSHOTS: '1', DESK_TEST_BUILT: '1', DESK_CHROMIUM: findChromium() ?? '' },
);
