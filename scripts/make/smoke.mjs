// `npm run smoke`: builds the app and runs its smoke test and the long tests of the desktop shell,
// on Electron if its program is installed.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../build-app.mjs';
import { findChromium } from '../chromium.mjs';

const root = dirname(dirname(import.meta.dirname));
const env = { ...process.env, DESK_CHROMIUM: findChromium() ?? '', DESK_TEST_BUILT: '1' };

await ensureBuilt(root);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const files = ['test/app/smoke.test.ts', 'test/app/shell-background.test.ts'];
const args = [vitest, 'run', '--project', 'app', ...files];
process.exit(spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1);
