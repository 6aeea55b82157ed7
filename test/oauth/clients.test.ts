// "Authentication" 4 with the official clients: 401, discovery, registration, PKCE, token, a call,
// and calls after a restart of the engine.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientKind, clientKinds, connectOver } from '../assistants/tool-client.ts';
import { type Environments, startEnvironments } from '../http/open-environments.ts';
import { allowInApp, FlowProvider } from './flow-provider.ts';

let engine: Environments;
beforeAll(async () => {
  engine = await startEnvironments();
});
afterAll(() => engine.remove());

const flows = [
  ...clientKinds.map((kind) => [kind, '127.0.0.1', 'live'] as const),
  ['v1', 'localhost', 'live'],
  ['v2', 'localhost', 'live'],
  ['v1', '127.0.0.1', 'staging'],
  ['v2 newest', '127.0.0.1', 'staging'],
] as const;

/** A transport of a client's generation. */
function makeTransport(kind: ClientKind, url: URL, provider: FlowProvider) {
  const options = { authProvider: provider as never };
  return kind === 'v1'
    ? new OldTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

/** Authorizes a client by its own code flow. Returns the client and its view of the wallet. */
async function letIn([kind, host, environment]: (typeof flows)[number]) {
  const target = engine[environment];
  const base = new URL(target.base);
  const url = new URL(`http://${host}:${base.port}${base.pathname.replace(/\/$/, '')}/api/v1/mcp`);
  const provider = new FlowProvider();
  const first = makeTransport(kind, url, provider);
  await expect(connectOver(first, kind)).rejects.toThrow(/unauthorized/i);
  expect(provider.sentTo?.hostname).toBe(host);
  const answer = await allowInApp(provider.sentTo!, target);
  expect(provider.isOurs(answer)).toBe(true);
  if (first instanceof OldTransport) await first.finishAuth(answer.get('code') ?? '');
  else await first.finishAuth(answer);
  expect(Object.keys(provider.tokens() ?? {}).sort()).toEqual(
    expect.arrayContaining(['access_token', 'token_type']),
  );
  const client = await connectOver(makeTransport(kind, url, provider), kind);
  const wallet = await client.call('check_wallet');
  expect(wallet.data.available).toBe(environment === 'live' ? '100000.0000' : '10000.0000');
  return { client, wallet };
}

test('every client is authorized, at either host name, in either environment, and continues after a restart', async () => {
  const clients = [];
  for (const flow of flows) clients.push(await letIn(flow));
  engine = await engine.restart(undefined, Number(new URL(engine.url).port));
  for (const { client, wallet } of clients)
    expect((await client.call('check_wallet')).data).toEqual(wallet.data);
  for (const environment of ['live', 'staging'] as const) {
    const { data } = await engine[environment].call('GET', 'app/v1/connections');
    expect(data).toHaveLength(flows.filter((flow) => flow[2] === environment).length);
    for (const connection of data)
      expect(connection).toMatchObject({
        client_name: 'Official client',
        redirect_host: 'localhost:54321',
      });
  }
});
