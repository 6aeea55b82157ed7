// The protocol's official clients of both generations, for tests.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished } from 'vitest';
import type { Json } from '../http/open-api-desk.ts';

/** The clients: generation 1, and generation 2 by its version discovery. */
export const clientKinds = ['v1', 'v2', 'v2 auto', 'v2 newest'] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface ToolResult {
  readonly isError: boolean;
  readonly said: string;
  readonly data: Json;
  /** The reported progress, while no other call is running. */
  readonly progress: readonly number[];
}

export interface ToolClient {
  readonly kind: ClientKind;
  listTools(): Promise<Json[]>;
  call(name: string, args?: Json, options?: { signal?: AbortSignal }): Promise<ToolResult>;
  readonly server: Json;
  end(): Promise<void>;
}

interface Listening {
  onmessage?: (message: Json, extra?: Json) => void;
}
type StdioTransport = StdioClientTransport | OldStdioTransport;

const info = { name: 'tests', version: '1' };
/** The clients give up after 60 seconds, which a busy machine may need to start an engine. */
const patience = { timeout: 180_000 };
const versions = {
  v2: {},
  'v2 auto': { versionNegotiation: { mode: 'auto' } },
  'v2 newest': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const;

/** Creates a client with the name of the tests, or another one. */
const makeClient = (kind: ClientKind, name = 'tests') =>
  kind === 'v1' ? new OldClient({ ...info, name }) : new Client({ ...info, name }, versions[kind]);

/** Connects a client by HTTP; it is closed with the test. */
export function connectClient(
  url: string,
  key: string | null,
  kind: ClientKind = 'v2',
): Promise<ToolClient> {
  const init = key === null ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const Transport = kind === 'v1' ? OldTransport : StreamableHTTPClientTransport;
  return connectOver(new Transport(new URL(url), init), kind);
}

/**
 * Reads progress as it arrives. The clients drop the progress handler as soon as they read the
 * answer, which may precede it if both arrive at once.
 */
function listenToProgress(transport: Listening): readonly number[] {
  const received: number[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/progress') received.push(message.params.progress);
    onmessage?.(message, extra);
  };
  return received;
}

/** Connects a client over a transport of its generation; it is closed with the test. */
export async function connectOver(
  transport: OldTransport | StreamableHTTPClientTransport | StdioTransport,
  kind: ClientKind,
  name?: string,
): Promise<ToolClient> {
  const client = makeClient(kind, name);
  await client.connect(transport as never, patience);
  onTestFinished(() => client.close());
  const received = listenToProgress(transport as Listening);
  return {
    kind,
    server: client.getServerVersion(),
    listTools: async () => (await client.listTools(undefined, patience)).tools,
    async call(name, args = {}, { signal } = {}) {
      const before = received.length;
      const options = { ...patience, onprogress: () => undefined, ...(signal && { signal }) };
      const order = { name, arguments: args };
      const result: Json =
        client instanceof OldClient
          ? await client.callTool(order, undefined, options)
          : await client.callTool(order, options);
      expect(result.content[0]).toMatchObject({
        type: 'text',
        text: expect.stringMatching(/.{5}/),
      });
      return {
        isError: result.isError === true,
        said: result.content[0].text,
        data: result.structuredContent,
        progress: received.slice(before),
      };
    },
    async end() {
      if ('terminateSession' in transport && transport.sessionId !== undefined)
        await transport.terminateSession();
      await client.close();
    },
  };
}
