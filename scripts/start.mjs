// Builds the app if needed, and opens it: in Electron, or in the browser without Electron.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { runEngine } from './browser-shell.mjs';
import { isBuilt } from './build-stamp.mjs';
import { downloadElectron, electronFlags, findElectron, hasScreen } from './electron-binary.mjs';

const root = dirname(import.meta.dirname);

/** Null if Electron can run, otherwise the reason, as the end of a sentence. */
function whyNoElectron() {
  if (process.argv.includes('--browser')) return '--browser was given';
  if (!hasScreen()) return 'there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  return findElectron() ? null : downloadElectron();
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

async function build() {
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({
    root: join(root, 'renderer'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
  });
  await builder.buildApp();
}

if (!isBuilt(root)) await build();
const why = whyNoElectron();
if (why === null) openElectron();
else openBrowser(why);
