// `npm run test:pack`: the tests of the packages, and their sizes and start time with budgets.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../build-app.mjs';
import { findChromium } from '../chromium.mjs';

const root = dirname(dirname(import.meta.dirname));
const env = {
  ...process.env,
  DESK_CHROMIUM: findChromium() ?? '',
  // The packages have the built engine.
  DESK_TEST_BUILT: '1',
  NO_COLOR: '1',
};

await ensureBuilt(root);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const steps = [
  [vitest, 'run', '--project', 'rules', 'test/package'],
  [vitest, 'run', '--project', 'app', 'test/app/package.test.ts'],
  [join(root, 'test/package/measure.ts')],
];
const failed = steps.filter(
  (args) => spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status !== 0,
);
process.exit(failed.length === 0 ? 0 : 1);
