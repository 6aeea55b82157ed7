// Runs an engine whose interface opens in the browser, and tells its one-time link.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const home = homedir();
const dataHomes = {
  darwin: () => join(home, 'Library/Application Support'),
  win32: () => process.env.APPDATA ?? join(home, 'AppData/Roaming'),
};

/** The data folder of the browser shell: the XDG data folder, or what stands for it elsewhere. */
export const findDataDir = () =>
  join(
    dataHomes[process.platform]?.() ?? (process.env.XDG_DATA_HOME || join(home, '.local/share')),
    'enrichment-desk',
  );

/**
 * Starts `node <args>`, an engine that prints its ready line as JSON, and calls onReady with
 * every such line. This process then lives and ends with the engine: signals are passed on,
 * the exit code is the engine's.
 */
export function runEngine(args, onReady, env = process.env) {
  const engine = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => engine.kill('SIGTERM'));
  engine.on('exit', (code) => process.exit(code ?? 0));
  createInterface({ input: engine.stdout }).on('line', (line) => {
    const message = line.startsWith('{') ? JSON.parse(line) : null;
    if (message?.event === 'ready') onReady(message);
    else console.log(line);
  });
  return engine;
}
