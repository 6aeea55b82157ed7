// A proxy with TLS on loopback, such as stands before a team's engine.
import { readFileSync } from 'node:fs';
import { request as openPlain } from 'node:http';
import { createServer, request as openSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Json } from './open-api-desk.ts';

const certificates = join(import.meta.dirname, '../fixtures/tls');
const read = (name: string) => readFileSync(join(certificates, name));

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Json;
}

/** Starts the proxy. It keeps the Host header, and adds X-Forwarded headers as proxies do. */
export async function startTlsProxy() {
  let target = '';
  const server = createServer(
    { key: read('receiver.key'), cert: read('receiver.pem') },
    (incoming, outgoing) => {
      const forwarded = {
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': incoming.headers.host,
      };
      const headers = { ...forwarded, ...incoming.headers };
      const { method } = incoming;
      const passed = openPlain(
        new URL(incoming.url ?? '/', target),
        { method, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}`;
  return {
    url,
    passTo(engineUrl: string) {
      target = engineUrl;
    },
    /** One request over TLS; resolves to its answer. */
    call: (
      method: string,
      path: string,
      { headers = {}, json }: { headers?: Record<string, string>; json?: unknown } = {},
    ) =>
      new Promise<ProxiedAnswer>((resolve, reject) => {
        const text = json === undefined ? undefined : JSON.stringify(json);
        const type = text === undefined ? {} : { 'content-type': 'application/json' };
        const asked = openSecure(
          new URL(path, url),
          {
            method,
            headers: { ...type, ...headers },
            ca: read('authority.pem'),
            servername: 'localhost',
            agent: false,
          },
          async (answer) => {
            let received = '';
            for await (const part of answer) received += part;
            const body: Json = received.startsWith('{') ? JSON.parse(received) : received;
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
          },
        );
        asked.on('error', reject);
        asked.end(text);
      }),
  };
}
