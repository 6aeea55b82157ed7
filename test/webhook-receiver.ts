// A receiver of webhooks on loopback that speaks the real protocol and answers as a test likes.
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const certificates = join(import.meta.dirname, 'fixtures/tls');

/** The authority that signed the receiver's certificate. */
export const authorityPath = join(certificates, 'authority.pem');

/** One request as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body. */
  readonly body: string;
}

/** A receiver. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Everything that has arrived, in its order. */
  readonly arrivals: readonly Arrival[];
  /** The next arrival that was not asked for yet. */
  next(): Promise<Arrival>;
  /** How it answers from now on. */
  answer: (response: ServerResponse, arrival: Arrival) => void;
  close(): Promise<void>;
}

/** What kind of receiver: its certificate, or none; a port where it must be the same again. */
interface ReceiverOptions {
  readonly certificate?: 'receiver' | 'elsewhere' | null;
  readonly port?: number;
}

/** Opens a receiver; it answers 200 unless told otherwise, and ends with the test. */
export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { certificate = 'receiver', port = 0 } = options;
  const arrivals: Arrival[] = [];
  const waiting: ((arrival: Arrival) => void)[] = [];
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
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const receiver: Receiver = {
    url: `${certificate ? 'https' : 'http'}://localhost:${bound}/desk`,
    port: bound,
    arrivals,
    async next() {
      const arrived = arrivals[taken];
      if (!arrived) return new Promise((resolve) => waiting.push(resolve));
      taken += 1;
      return arrived;
    },
    answer: (response) => void response.end('thank you'),
    close,
  };
  onTestFinished(close);
  return receiver;
}
