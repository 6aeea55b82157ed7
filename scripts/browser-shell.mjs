// Runs an engine whose interface opens in the browser, and prints its one-time link.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { nodeEnvironment } from '../engine/contract/limits/platform.ts';

/**
 * Starts `node <args>`, an engine that prints its ready line as JSON, and calls onReady with every
 * such line. This process ends with the engine: signals are passed on, and the exit code is the
 * engine's.
 */
export function runEngine(args, onReady, given = process.env) {
  const env = { ...nodeEnvironment, ...given };
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
