// Clients of protocol versions up to 2025-11-25: with a session, or with each request on its own.
//
//   initialize, SSE accepted ──> session ──DELETE──> ended (404)
//                                   └──restart, or too many──> each request on its own
import {
  type AuthInfo,
  type EventStore,
  isInitializeRequest,
  type McpRequestContext,
  type McpServer,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import {
  toolBatchMessagesMax,
  toolSessionsMax,
  toolStreamHeartbeatMs,
} from '../../contract/limits/assistants.ts';
import type { SessionIds } from './session-ids.ts';

// Errors of the tool server outside of a tool: JSON-RPC errors with an HTTP status.

/** The JSON-RPC codes in use, including those of MCP. */
const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  refused: -32000,
  sessionUnknown: -32001,
} as const;

const refuseRpc = (
  status: number,
  code: (typeof rpcCodes)[keyof typeof rpcCodes],
  message: string,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

interface IdleStreams {
  open(signal: AbortSignal): Response;
  close(): void;
}

function createIdleStreams(): IdleStreams {
  const open = new Set<() => void>();
  const encoder = new TextEncoder();
  return {
    open(signal) {
      let end: () => void = () => undefined;
      const body = new ReadableStream({
        start(controller) {
          const say = (comment: string) => controller.enqueue(encoder.encode(`: ${comment}\n\n`));
          say('open');
          const beats = setInterval(() => say('still here'), toolStreamHeartbeatMs);
          end = () => {
            if (!open.delete(end)) return;
            clearInterval(beats);
            controller.close();
          };
          open.add(end);
          signal.addEventListener('abort', end, { once: true });
        },
        cancel: () => end(),
      });
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
      return new Response(body, { headers });
    },
    close() {
      for (const end of [...open]) end();
    },
  };
}

export type ToolServerFactory = (context: McpRequestContext) => McpServer;

export interface ToolSessions {
  /** @param message the parsed body of a POST; null if there is none */
  serve(
    request: Request,
    message: { readonly value: unknown } | null,
    caller: { authInfo: AuthInfo; owner: string },
  ): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly transport: Transport;
  readonly server: McpServer;
}

export interface SessionParts {
  readonly openServer: ToolServerFactory;
  readonly ids: SessionIds;
  /** Stores the events of streams, if clients may resume them. */
  readonly openEventStore?: (() => EventStore) | undefined;
}

const both = 'application/json, text/event-stream';
const takesEvents = (request: Request): boolean =>
  request.headers.get('accept')?.includes('text/event-stream') === true;

/** A request without a session: its server ends with the answer or the connection. */
async function serveAlone(
  request: Request,
  body: unknown,
  authInfo: AuthInfo,
  openServer: ToolServerFactory,
): Promise<Response> {
  const server = openServer({ era: 'legacy', requestInfo: request, authInfo });
  const transport = new Transport({ enableJsonResponse: !takesEvents(request) });
  await server.connect(transport);
  const end = () => void server.close().catch(() => undefined);
  request.signal.addEventListener('abort', end, { once: true });
  // The SDK requires both types; a client without a session sends one or none.
  const headers = new Headers(request.headers);
  headers.set('accept', both);
  const plain = new Request(request.url, { method: 'POST', headers });
  const response = await transport.handleRequest(plain, { parsedBody: body, authInfo });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (response.body && isStream)
    return new Response(response.body.pipeThrough(new TransformStream({ flush: end })), response);
  end();
  return response;
}

function createSessionTable() {
  const sessions = new Map<string, Session>();
  const take = (id: string): Session | undefined => {
    const session = sessions.get(id);
    if (!session) return undefined;
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  };
  return {
    sessions,
    take,
    async add(id: string, session: Session) {
      sessions.set(id, session);
      const [oldest] = sessions;
      if (sessions.size <= toolSessionsMax || !oldest) return;
      sessions.delete(oldest[0]);
      await oldest[1].server.close();
    },
  };
}

/** Why the body of a POST is not a message; null if it may be one. */
function refuseBody(message: { readonly value: unknown } | null): Response | null {
  if (!message)
    return refuseRpc(400, rpcCodes.parseError, 'Parse error: the body is not valid JSON.');
  if (!Array.isArray(message.value) || message.value.length <= toolBatchMessagesMax) return null;
  return refuseRpc(
    400,
    rpcCodes.invalidRequest,
    `A batch may have at most ${toolBatchMessagesMax} messages. Send the rest in another batch.`,
  );
}

export function createToolSessions(parts: SessionParts): ToolSessions {
  const { openServer, ids } = parts;
  const idle = createIdleStreams();
  const table = createSessionTable();

  async function begin(request: Request, body: unknown, authInfo: AuthInfo, owner: string) {
    const server = openServer({ era: 'legacy', requestInfo: request, authInfo });
    const transport: Transport = new Transport({
      sessionIdGenerator: () => ids.issue(owner),
      onsessioninitialized: (id) => table.add(id, { transport, server }),
      onsessionclosed: (id) => ids.end(id),
      ...(parts.openEventStore && { eventStore: parts.openEventStore(), retryInterval: 1_000 }),
    });
    transport.onclose = () => table.sessions.delete(transport.sessionId ?? '');
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body, authInfo });
  }

  async function serveSessionless(
    request: Request,
    { id, body }: { id: string | null; body: unknown },
    { authInfo, owner }: { authInfo: AuthInfo; owner: string },
  ): Promise<Response> {
    if (request.method === 'GET') {
      // The newest version has no stream for GET.
      if (request.headers.get('mcp-protocol-version') === '2026-07-28')
        return refuseRpc(405, rpcCodes.refused, 'This protocol version has no stream for GET.');
      if (/text\/event-stream|\*\/\*/.test(request.headers.get('accept') ?? '*/*'))
        return idle.open(request.signal);
      return refuseRpc(406, rpcCodes.refused, 'Send Accept: text/event-stream to open the stream.');
    }
    if (request.method === 'DELETE') {
      if (id === null)
        return refuseRpc(400, rpcCodes.refused, 'Send the session to end in Mcp-Session-Id.');
      ids.end(id);
      return new Response(null, { status: 200 });
    }
    // A client that does not accept events cannot use a session.
    return id === null && takesEvents(request) && isInitializeRequest(body)
      ? begin(request, body, authInfo, owner)
      : serveAlone(request, body, authInfo, openServer);
  }

  return {
    async serve(request, message, caller) {
      const id = request.headers.get('mcp-session-id');
      if (id !== null && !ids.isAuthentic(id, caller.owner))
        return refuseRpc(
          404,
          rpcCodes.sessionUnknown,
          'Session not found: it has ended or is not yours. Start a new one with initialize.',
        );
      const refusal = request.method === 'POST' ? refuseBody(message) : null;
      if (refusal) return refusal;
      const body = message?.value;
      const session = id === null ? undefined : table.take(id);
      if (!session) return serveSessionless(request, { id, body }, caller);
      const parsed = body === undefined ? {} : { parsedBody: body };
      return session.transport.handleRequest(request, { authInfo: caller.authInfo, ...parsed });
    },
    async close() {
      idle.close();
      await Promise.all([...table.sessions.values()].map(({ server }) => server.close()));
    },
  };
}
