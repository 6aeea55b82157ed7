// Sends requests to a running engine over the local socket in its data folder.
import { Agent, request as openRequest } from 'node:http';

export interface SocketClient {
  /** One request; returns the envelope's data, or throws its error. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Milliseconds until a GET has been answered completely; the response is discarded. */
  time(path: string): Promise<number>;
}

function ask(socketPath: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    const outgoing = openRequest({ socketPath, path, method, headers, agent: false }, (answer) => {
      let received = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        received += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const parsed = JSON.parse(received) as { success: boolean; data: unknown; detail: string };
        if (parsed.success) resolve(parsed.data);
        else reject(new Error(parsed.detail));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

const keptAlive = new Agent({ keepAlive: true });

function time(socketPath: string, path: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, headers: { host: 'localhost' }, agent: keptAlive };
    openRequest(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - startedAt));
    })
      .on('error', reject)
      .end();
  });
}

export const openSocketClient = (socketPath: string): SocketClient => ({
  ask: (method, path, body) => ask(socketPath, method, path, body),
  time: (path) => time(socketPath, path),
});
