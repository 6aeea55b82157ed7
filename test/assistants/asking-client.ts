// An official client of the tool server that asks its person itself (elicitation).
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { ToolDesk } from './open-tool-desk.ts';

/** Options of the client for the newest version of the protocol. */
export const newest = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

interface AskingOptions {
  /** Options of the version; a session of the oldest one by default. */
  readonly version?: object;
  /** What the person decides about each question, in order; nothing about a later one. */
  readonly decisions: Iterable<boolean>;
  readonly send?: typeof fetch;
}

/** Connects a client, which is closed with the test; `asked` has the questions so far. */
export async function connectAsking(
  desk: ToolDesk,
  { version = {}, decisions, send = fetch }: AskingOptions,
) {
  const asked: string[] = [];
  const rest = decisions[Symbol.iterator]();
  const client = new Client(
    { name: 'tests', version: '1' },
    { capabilities: { elicitation: {} }, ...version },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    const { value, done } = rest.next();
    return { action: 'accept', content: done ? {} : { allow: value } };
  });
  const headers = { authorization: `Bearer ${desk.key}` };
  const url = new URL(`${desk.url}/api/v1/mcp`);
  const options = { requestInit: { headers }, fetch: send };
  await client.connect(new StreamableHTTPClientTransport(url, options));
  onTestFinished(() => client.close());
  return { client, asked };
}
