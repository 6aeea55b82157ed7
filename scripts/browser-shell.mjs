// Runs an engine whose interface opens in the browser, and prints its one-time link.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { nodeEnvironment, portDefault } from '../engine/contract/limits/platform.ts';

/** The command that helps after an error of the engine; null if the error says everything. */
export const suggestCommand = (error, port = portDefault) =>
  error === 'port_unavailable' ? `Start it at another port: npm start -- --port ${port + 1}` : null;

const portsTried = 100;

const isFree = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    // A machine without ::1 needs no port there.
    server.once('error', ({ code }) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** The port for a start that names none: the usual one, or the next that is free, as a text. */
export async function findPort(usual = portDefault) {
  for (let port = usual; port < usual + portsTried; port += 1)
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) {
      if (port !== usual) console.log(`Port ${usual} is in use, so the engine uses port ${port}.`);
      return String(port);
    }
  return String(usual);
}

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
    else if (message?.error) {
      // The engine itself explains the error on standard error.
      const command = suggestCommand(message.error, Number(given.DESK_PORT ?? portDefault));
      if (command !== null) console.error(command);
    } else console.log(line);
  });
  return engine;
}
