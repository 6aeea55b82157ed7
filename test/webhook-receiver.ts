// A webhook receiver on loopback with the real protocol and configurable responses.
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const certificates = join(import.meta.dirname, 'fixtures/tls');

/** How long the next request may take on a busy machine. */
const waitMaxMs = 120_000;
/** Those of the machine: a test may replace the global ones. */
const { setTimeout, clearTimeout } = globalThis;

/** The authority that signed the receiver's certificate. */
export const authorityPath = join(certificates, 'authority.pem');

export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** All received requests, in order. */
  readonly arrivals: readonly Arrival[];
  /** The next request that was not returned yet; fails if none comes in two minutes. */
  next(): Promise<Arrival>;
  /** Sets its responses from now on. */
  answer: (response: ServerResponse, arrival: Arrival) => void;
  close(): Promise<void>;
}

/** Options of a receiver: its certificate, or none; a port to use again. */
interface ReceiverOptions {
  readonly certificate?: 'receiver' | 'elsewhere' | null;
  readonly port?: number;
}

/** Opens a receiver that returns 200 by default and ends with the test. */
export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { certificate = 'receiver', port = 0 } = options;
  const arrivals: Arrival[] = [];
  const waiting: ((arrival: Arrival) => void)[] = [];
  const limits = new Set<NodeJS.Timeout>();
  let taken = 0;
  const listen: Parameters<typeof createPlainServer>[1] = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const arrival = { path: request.url ?? '', headers, body };
      arrivals.push(arrival);
      if (waiting.length > 0) {
        taken += 1;
        waiting.shift()?.(arrival);
      }
      receiver.answer(response, arrival);
    });
  };
  const read = (name: string) => readFileSync(join(certificates, name));
  const server = certificate
    ? createServer({ key: read(`${certificate}.key`), cert: read(`${certificate}.pem`) }, listen)
    : createPlainServer(listen);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const limit of limits) clearTimeout(limit);
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  /** Fails instead of waiting until the test times out without a reason. */
  const waitForNext = () =>
    new Promise<Arrival>((resolve, reject) => {
      const fail = () => reject(new Error(`no request came in ${waitMaxMs} ms`));
      const limit = setTimeout(fail, waitMaxMs);
      limits.add(limit);
      waiting.push((arrival) => {
        clearTimeout(limit);
        resolve(arrival);
      });
    });
  const receiver: Receiver = {
    url: `${certificate ? 'https' : 'http'}://localhost:${bound}/desk`,
    port: bound,
    arrivals,
    async next() {
      const arrived = arrivals[taken];
      if (!arrived) return waitForNext();
      taken += 1;
      return arrived;
    },
    answer: (response) => void response.end('thank you'),
    close,
  };
  onTestFinished(close);
  return receiver;
}
