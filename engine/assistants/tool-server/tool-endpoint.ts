// One endpoint for every protocol version: the newest (2026-07-28) has no sessions and carries
// everything in each request; older ones, from 2025-03-26 on, may use sessions.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { createToolSessions, type SessionParts } from './tool-sessions.ts';

/** The parsed body of a POST; null if there is none, or it is not JSON. */
export type ToolMessage = { readonly value: unknown } | null;

export interface EndpointParts extends SessionParts {
  readonly onError: (error: Error) => void;
  /** Publishes changes of the lists; clients of the newest version subscribe to it. */
  readonly bus?: ServerEventBus | undefined;
}

export type ToolParts = Pick<EndpointParts, 'openServer' | 'openEventStore' | 'bus'>;

export interface ToolEndpoint {
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    authInfo: AuthInfo,
    message: ToolMessage,
  ): Promise<void>;
  /** Ends every session and stream at once. */
  close(): Promise<void>;
}

type KnownRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

/** The owner of an answer. Session ids are bound to it. */
const ownerOf = (authInfo: AuthInfo): string => String(authInfo.extra?.owner ?? '');

export function openToolEndpoint(parts: EndpointParts): ToolEndpoint {
  const newest = createMcpHandler(parts.openServer, {
    legacy: 'reject',
    onerror: parts.onError,
    ...(parts.bus && { bus: parts.bus }),
  });
  const older = createToolSessions(parts);
  const route = async (request: Request, message: ToolMessage, authInfo: AuthInfo) => {
    const parsed = message && { parsedBody: message.value };
    const isBroken = request.method === 'POST' && !message;
    if (isBroken || (await isLegacyRequest(request, message?.value)))
      return older.serve(request, message, { authInfo, owner: ownerOf(authInfo) });
    return newest.fetch(request, { authInfo, ...parsed });
  };
  return {
    async handle(request, response, authInfo, message) {
      const fetch = (incoming: Request) => route(incoming, message, authInfo);
      const handle = toNodeHandler({ fetch }, { onerror: parts.onError });
      // The body has been read already; the SDK receives an empty one that it does not use.
      await handle(request as KnownRequest, response, null);
    },
    async close() {
      await Promise.all([newest.close(), older.close()]);
    },
  };
}
