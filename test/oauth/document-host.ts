// An https host on loopback with the tests' certificate that serves a client's metadata document.
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { trustTests } from '../connect-proxy.ts';

const certificates = join(import.meta.dirname, '../fixtures/tls');

/** Opens a host until the test ends; returns the address of its document, which is a client_id. */
export async function openHost(listener: RequestListener): Promise<string> {
  trustTests();
  const read = (name: string) => readFileSync(join(certificates, name));
  const server = createServer({ key: read('receiver.key'), cert: read('receiver.pem') }, listener);
  await new Promise<void>((ready) => server.listen(0, ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
}

/** Returns a document of the requested address, with these changes. */
export function serveDocument(change: object = {}, type = 'application/json'): RequestListener {
  return ({ headers, url }, response) => {
    response.setHeader('content-type', type);
    const document = {
      client_id: `https://${headers.host}${url}`,
      client_name: 'Documented program',
      redirect_uris: ['http://localhost/callback'],
      ...change,
    };
    response.end(JSON.stringify(document));
  };
}

/** Opens a host with one document; returns the client_id that it describes. */
export const openDocumentHost = (change: object = {}): Promise<string> =>
  openHost(serveDocument(change));
