// `npm start [-- --port N] [-- --browser]`: builds the app if needed, and opens it: in Electron,
// or in the browser without Electron.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPort, runEngine } from './browser-shell.mjs';
import { ensureBuilt } from './build-app.mjs';
import { isBuilt } from './build-stamp.mjs';
import {
  downloadElectron,
  electronFlags,
  findElectron,
  hasScreen,
  whyNoSandbox,
} from './electron-binary.mjs';

const root = dirname(import.meta.dirname);
const values = readOptions();
// The desktop shell reads the port from the environment.
if (values.port !== undefined) process.env.DESK_PORT = values.port;
else process.env.DESK_PORT ??= await findPort();

/** The options of the command line. Ends the process if one of them is unknown. */
function readOptions() {
  const options = { port: { type: 'string' }, browser: { type: 'boolean', default: false } };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error.message}\nUse: npm start -- [--port N] [--browser]`);
    process.exit(2);
  }
}

/** Null if Electron can run, otherwise the reason, as the end of a sentence. */
function whyNoElectron() {
  if (values.browser) return '--browser was given';
  if (!hasScreen()) return 'there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  return whyNoSandbox() ?? (findElectron() ? null : downloadElectron());
}

function openElectron() {
  const options = { stdio: 'inherit', cwd: root };
  const child = spawn(findElectron(), [...electronFlags(), root], options);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function openBrowser(why) {
  const engine = join(root, 'out/engine/main.js');
  const port = process.env.DESK_PORT ? ['--port', process.env.DESK_PORT] : [];
  const open = hasScreen() ? ['--open'] : [];
  runEngine([engine, 'serve', '--json', ...open, ...port], (ready) => {
    console.log(
      `\nNo desktop window: ${why}.\n` +
        `The same interface runs in your browser instead: ${ready.open_url}\n` +
        'Stop it with Ctrl+C.',
    );
  });
}

if (!isBuilt(root)) console.log('Building the app …');
await ensureBuilt(root);
const why = whyNoElectron();
if (why === null) openElectron();
else openBrowser(why);
