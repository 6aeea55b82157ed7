// A host on loopback that speaks https with a certificate of the tests, and serves the metadata
// document of a program.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { certificate, key } from './localhost-certificate.ts';

/** Opens a host until the test ends: the address of its document, which is a client_id. */
export async function openHost(listener: RequestListener): Promise<string> {
  const server = createServer({ key, cert: certificate }, listener);
  await new Promise<void>((ready) => server.listen(0, ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
}

/** Answers with a document of the address that it is asked at, and of what is changed in it. */
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

/** Opens a host of one document: the client_id that it describes. */
export const openDocumentHost = (change: object = {}): Promise<string> =>
  openHost(serveDocument(change));
