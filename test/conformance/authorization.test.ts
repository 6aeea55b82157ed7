// The official conformance suite for authorization servers, with the app as the person: a
// registered client, and one with a metadata document.
// @module-tag full
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openDocumentHost } from '../oauth/document-host.ts';
import { type OauthDesk, openOauthDesk, secretOf } from '../oauth/open-oauth-desk.ts';

const suite = fileURLToPath(
  new URL('../../node_modules/conformance-next/dist/index.js', import.meta.url),
);

/** A free port for the suite's own callback. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Allows the suite's request in the app and returns the redirect to the suite. */
async function allow(desk: OauthDesk, url: string): Promise<void> {
  const page = await desk.ask(url.replace(desk.url, ''));
  const { data } = await desk.app('GET', 'authorizations');
  await desk.app('POST', `authorizations/${data[0].id}/allow`, { json: {} });
  const { body } = await desk.post('/oauth/wait', { transaction: secretOf(page) });
  await fetch(body.location);
}

async function runSuite(desk: OauthDesk, clientId: string) {
  const port = String(await findPort());
  const resource = `${desk.url}/api/v1/mcp`;
  const named = ['--url', desk.url, '--client-id', clientId, '--resource', resource, '-p', port];
  const child = spawn(process.execPath, [suite, 'authorization', ...named], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const complaints = text(child.stderr);
  let output = '';
  let answered: Promise<void> | null = null;
  for await (const piece of child.stdout.setEncoding('utf8')) {
    output += piece;
    const url = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0];
    if (url) answered ??= allow(desk, url);
  }
  await answered;
  return { exitCode: await ended, output: output + (await complaints) };
}

const open = () => openOauthDesk({ documentSource: { isAllowed: () => true } });

test('a registered client is authorized as the suite requires', async () => {
  const desk = await open();
  const redirect_uris = ['http://127.0.0.1:1/callback', 'http://localhost:1/callback'];
  const { body } = await desk.register({ client_name: 'The suite', redirect_uris });
  const { exitCode, output } = await runSuite(desk, body.client_id);
  expect(exitCode, output.slice(-6_000)).toBe(0);
});

test('a client with a metadata document is authorized as the suite requires', async () => {
  const desk = await open();
  const redirect_uris = ['http://127.0.0.1/callback', 'http://localhost/callback'];
  const clientId = await openDocumentHost({ redirect_uris });
  const { exitCode, output } = await runSuite(desk, clientId);
  expect(exitCode, output.slice(-6_000)).toBe(0);
});
