// `npm run dev`: the renderer with hot reload; main, preload and engine restart on changes.
// --double runs the window on the test double of Electron.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createBuilder, createServer } from 'vite';
import { runEngine } from './browser-shell.mjs';
import { electronFlags, findElectron, hasScreen } from './electron-binary.mjs';

const root = dirname(import.meta.dirname);
const configFile = join(root, 'vite.config.ts');
const enginePort = process.env.DESK_PORT ?? '43118';
process.env.DESK_ENGINE_URL = `http://127.0.0.1:${enginePort}`;

const server = await createServer({ configFile, root: join(root, 'renderer') });
await server.listen();
const pageUrl = new URL(server.resolvedUrls.local[0]);
const env = {
  ...process.env,
  DESK_DEV_URL: pageUrl.href,
  DESK_PORT: enginePort,
};

/** The program and arguments of the desktop shell, or null if there is none. */
function findShell() {
  if (process.argv.includes('--double'))
    return [
      process.execPath,
      join(root, 'test/double/run.ts'),
      ...(hasScreen() ? ['--headed'] : []),
    ];
  return findElectron() && hasScreen() ? [findElectron(), ...electronFlags(), root] : null;
}

/** Builds main, preload and engine. Calls onBuilt when all are built, and on every later change. */
async function watchBundles(onBuilt) {
  const watch = { build: { watch: {} } };
  const builder = await createBuilder({
    configFile,
    root: join(root, 'renderer'),
    logLevel: 'warn',
    environments: { main: watch, preload: watch, engine: watch },
  });
  const waiting = new Set(['main', 'preload', 'engine']);
  for (const name of [...waiting]) {
    const watcher = await builder.build(builder.environments[name]);
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code !== 'BUNDLE_END') return;
      event.result?.close?.();
      waiting.delete(name);
      if (waiting.size === 0) onBuilt(name);
    });
  }
}

function startDesktop([program, ...args]) {
  let child;
  const open = () => {
    child = spawn(program, args, { stdio: 'inherit', env, cwd: root });
  };
  void watchBundles((name) => {
    if (!child) return open();
    console.log(`${name} rebuilt: restarting`);
    child.once('exit', open);
    child.kill();
  });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      child?.kill();
      process.exit(0);
    });
}

function startBrowser() {
  const engine = ['--watch', join(root, 'engine/cli/main.ts'), 'serve', '--json'];
  const args = [...engine, '--port', enginePort, '--data-dir', join(root, '.dev/data')];
  runEngine(
    args,
    (ready) => {
      const link = new URL(ready.open_url);
      // The one-time code is in the fragment; the page comes from the development server.
      console.log(`Open ${new URL(`${link.pathname}${link.hash}`, pageUrl).href}`);
    },
    env,
  );
}

const shell = findShell();
if (shell) startDesktop(shell);
else startBrowser();
