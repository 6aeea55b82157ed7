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
import { jsonBodyBytesMax } from '../../contract/limits.ts';
import { refuseRpc, rpcCodes } from './rpc-refusal.ts';
import { createToolSessions, type SessionParts } from './tool-sessions.ts';

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
  /** Answers a request; its body must not have been read. */
  handle(request: IncomingMessage, response: ServerResponse, authInfo: AuthInfo): Promise<void>;
  /** Ends every session and stream at once. */
  close(): Promise<void>;
}

const isJson = (request: Request): boolean =>
  /^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? '');

type KnownRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

/** Whose an answer is: ids of sessions are bound to this. */
const ownerOf = (authInfo: AuthInfo): string => String(authInfo.extra?.owner ?? '');

/** Opens the endpoint. */
export function openToolEndpoint(parts: EndpointParts): ToolEndpoint {
  const bound = { maxRequestBodySize: jsonBodyBytesMax };
  const newest = createMcpHandler(parts.openServer, {
    legacy: 'reject',
    onerror: parts.onError,
    ...(parts.bus && { bus: parts.bus }),
    ...bound,
  });
  const older = createToolSessions(parts);
  const route = async (request: Request, { authInfo }: { authInfo?: AuthInfo } = {}) => {
    if (!authInfo) throw new Error('the tool server answers nobody unknown');
    if (request.method === 'POST' && !isJson(request))
      return refuseRpc(400, rpcCodes.invalidRequest, 'Send Content-Type: application/json.');
    if (await isLegacyRequest(request, undefined, bound))
      return older.serve(request, { authInfo, owner: ownerOf(authInfo) });
    return newest.fetch(request, { authInfo });
  };
  const handle = toNodeHandler({ fetch: route }, { onerror: parts.onError, ...bound });
  return {
    async handle(request, response, authInfo) {
      await handle(Object.assign(request as KnownRequest, { auth: authInfo }), response);
    },
    async close() {
      await Promise.all([newest.close(), older.close()]);
    },
  };
}
