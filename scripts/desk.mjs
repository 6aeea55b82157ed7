// `npm run desk -- …`: the command line from source, with the caller's folder, streams and exit
// code.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { nodeEnvironment } from '../engine/contract/limits/platform.ts';
import { ensureBuilt } from './build-app.mjs';
import { isBuilt } from './build-stamp.mjs';

const root = dirname(import.meta.dirname);
const args = process.argv.slice(2);
const program = join(root, 'engine/cli/main.ts');
// A fresh clone has no interface yet, and the link of `serve` would open nothing.
if (args[0] === 'serve' && !args.includes('--ui') && !args.includes('--help')) {
  if (!isBuilt(root)) console.error('Building the interface, which takes about half a minute …');
  await ensureBuilt(root);
}
const child = spawn(process.execPath, [program, ...args], {
  stdio: 'inherit',
  // npm runs scripts in the package root; relative paths refer to the caller's folder.
  env: {
    ...nodeEnvironment,
    ...process.env,
    DESK_CWD: process.env.INIT_CWD ?? process.cwd(),
  },
});
// A terminal sends Ctrl+C to the child too; this process waits for its exit code.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  console.error(`The command line could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
