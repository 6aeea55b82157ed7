// An engine whose directory knows a few people, and direct tool calls: a POST of JSON-RPC with a
// key, as any program can send it.
import type { ServerConfig } from '../../engine/app/server-context.ts';
import type { Json } from '../http/open-api-desk.ts';
import { type LookupDesk, openLookupDesk, shareLookupDesk } from '../lookup/lookup-desk.ts';
import type { ToolResult } from './tool-client.ts';

/** A response with its status, headers and body. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export interface RpcOptions {
  readonly method?: string;
  /** The key; the desk's own by default, none if null. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path after /api/v1/mcp. */
  readonly path?: string;
}

export interface ToolDesk extends LookupDesk {
  /** Sends a string unchanged, and any other body as JSON. */
  rpc(body: unknown, options?: RpcOptions): Promise<RpcAnswer>;
  /** Calls a tool; the response must be a tool result. */
  tool(name: string, args?: Json, key?: string): Promise<ToolResult>;
  /** An account with this many credits, and a key of it. */
  openAccount(credits: number): Promise<{ id: number; key: string; keyId: string }>;
}

function describeToolDesk(desk: LookupDesk): ToolDesk {
  const { writer, database } = desk.environment;
  const rpc: ToolDesk['rpc'] = async (body, options = {}) => {
    const { method = 'POST', key = desk.key, path = '' } = options;
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const response = await fetch(`${desk.url}/api/v1/mcp${path}`, {
      method,
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(key !== null && { authorization: `Token ${key}` }),
        ...options.headers,
      },
      ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers } = response;
    return { status, headers, text, body: isJson ? JSON.parse(text) : null };
  };
  return {
    ...desk,
    rpc,
    async tool(name, args = {}, key = desk.key) {
      const params = { name, arguments: args };
      const { body } = await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { key });
      const { result } = body;
      if (!result) throw new Error(`no answer of a tool: ${JSON.stringify(body)}`);
      const { isError = false, content, structuredContent: data } = result;
      return { isError, said: content[0].text, data, progress: [] };
    },
    async openAccount(credits) {
      const account = await writer['accounts.create']({ name: 'one of many' });
      const { id } = database.prepare('SELECT id FROM account WHERE uuid = ?').get(account.id) as {
        id: number;
      };
      const units = (credits * 10_000) as never;
      if (credits > 0)
        await writer.grant({ accountId: id, units, subject: { kind: 'grant', id: 'tests' } });
      const made = await writer.createKey({ accountId: id, label: 'tests' });
      return { id, key: made.key, keyId: made.id };
    },
  };
}

/** Opens a desk that ends with the test. */
export const openToolDesk = async (config: Partial<ServerConfig> = {}): Promise<ToolDesk> =>
  describeToolDesk(await openLookupDesk(config));

/** Opens one desk per file; each call returns it with a new account. */
export function shareToolDesk(config: Partial<ServerConfig> = {}): () => Promise<ToolDesk> {
  const open = shareLookupDesk(config);
  return async () => describeToolDesk(await open());
}
