// `npm run test:crash`: the crash tests with as many kills as the bar of the design asks for.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const run = spawnSync(
  process.execPath,
  [vitest, 'run', '--no-color', '--project', 'crash', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, DESK_CRASH_KILLS: process.env.DESK_CRASH_KILLS ?? '200' },
  },
);
process.exit(run.status ?? 1);
