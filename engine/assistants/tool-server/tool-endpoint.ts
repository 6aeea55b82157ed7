/**
 * One address for every version of the protocol: the newest (2026-07-28) knows no sessions and
 * carries everything in each request; the older ones, from 2025-03-26 on, may have sessions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { createToolSessions, type SessionParts } from './tool-sessions.ts';

/** The body of a POST, parsed; null where there is none, or it is no JSON. */
export type ToolMessage = { readonly value: unknown } | null;

/** What an endpoint is made with. */
export interface EndpointParts extends SessionParts {
  /** Hears of what went wrong beside the answers. */
  readonly onError: (error: Error) => void;
  /** Where changes of the lists are told; clients of the newest version listen to it. */
  readonly bus?: ServerEventBus | undefined;
}

/** What the tools of an endpoint are made by. */
export type ToolParts = Pick<EndpointParts, 'openServer' | 'openEventStore' | 'bus'>;

/** An endpoint that speaks every version. */
export interface ToolEndpoint {
  /** Answers a request, whose body has been read. */
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

/** Whose an answer is: ids of sessions are bound to this. */
const ownerOf = (authInfo: AuthInfo): string => String(authInfo.extra?.owner ?? '');

/** Opens the endpoint. */
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
      // The body has been read: the SDK is given a short one, which nobody looks at.
      await handle(request as KnownRequest, response, null);
    },
    async close() {
      await Promise.all([newest.close(), older.close()]);
    },
  };
}
