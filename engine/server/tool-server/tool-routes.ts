/**
 * /api/v1/mcp: lets a caller in and hands the raw request to the endpoint, which answers in
 * JSON-RPC whatever it is (specification, section C).
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, requireToolKey } from '../credentials.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { createSessionIds, readSessionSecret } from './session-ids.ts';
import { openToolEndpoint, type ToolEndpoint, type ToolParts } from './tool-endpoint.ts';

/** Puts what hooks have set on the raw answer, which Fastify no longer sends. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

/**
 * Sends the head of a stream at once, which would wait for the first event otherwise; and a body
 * that is too large is a bad request here, as everywhere.
 */
function adjustHead({ raw }: FastifyReply): void {
  const { writeHead } = raw;
  raw.writeHead = function write(this: typeof raw, status: number, headers: OutgoingHttpHeaders) {
    const response = writeHead.call(this, status === 413 ? 400 : status, headers);
    if (headers['content-type']?.toString().startsWith('text/event-stream')) this.flushHeaders();
    return response;
  } as typeof writeHead;
}

/** Opens the endpoint at its first use: before, a world's folder may not even exist. */
function openLate(context: ServerContext, parts: ToolParts) {
  let endpoint: ToolEndpoint | null = null;
  context.stopping.addEventListener('abort', () => void endpoint?.close(), { once: true });
  return (request: FastifyRequest): ToolEndpoint => {
    endpoint ??= openToolEndpoint({
      ids: createSessionIds(readSessionSecret(context.world.folder)),
      // Mostly what callers sent wrong, which is their own business.
      onError: (error) => request.log.debug(error, 'the tool server'),
      ...parts,
    });
    return endpoint;
  };
}

/** What the tools know of a request's caller; the token itself goes no further. */
function describeAuth(request: FastifyRequest) {
  const caller = callerOf(request);
  const clientId = caller.key?.id ?? 'app';
  return { token: '', clientId, scopes: [], extra: { caller, owner: caller.account.uuid } };
}

/**
 * Adds the endpoint of a world.
 * @param parts openServer makes the tools of a caller
 */
export function addToolRoutes(server: ApiServer, context: ServerContext, parts: ToolParts): void {
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToolKey(context));
    // The endpoint reads the body itself, and says in JSON-RPC what is wrong with it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const find = openLate(context, parts);
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/api/v1/mcp',
      async handler(request, reply) {
        const endpoint = find(request);
        const auth = describeAuth(request);
        keepHeaders(reply);
        reply.hijack();
        adjustHead(reply);
        await endpoint.handle(request.raw, reply.raw, auth);
      },
    });
  });
}
