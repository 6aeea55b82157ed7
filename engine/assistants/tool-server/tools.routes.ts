// Route /api/v1/mcp: authenticates the caller and passes the raw request to the endpoint, which
// answers everything in JSON-RPC (docs/api.md, "Protocol").
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../contract/errors.ts';
import { isUnreadable } from '../../http/bodies/read-json.ts';
import { readJsonBody } from '../../http/bodies/read-json-body.ts';
import { callerOf, requireToolKey } from '../../http/credentials.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import type { AssistantRouteDeps } from '../route-deps.ts';
import { createSessionIds, readSessionSecret } from './session-ids.ts';
import type { ToolEndpoint, ToolMessage, ToolParts } from './tool-endpoint.ts';

/** Copies the headers that hooks have set to the raw response, which Fastify does not send. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

/** Sends the headers of a stream at once instead of with the first event. */
function adjustHead({ raw }: FastifyReply): void {
  const { writeHead } = raw;
  raw.writeHead = function write(this: typeof raw, status: number, headers: OutgoingHttpHeaders) {
    const response = writeHead.call(this, status, headers);
    if (headers['content-type']?.toString().startsWith('text/event-stream')) this.flushHeaders();
    return response;
  } as typeof writeHead;
}

/**
 * Loads the SDK and creates the endpoint on first use. The SDK would take a tenth of the engine's
 * start, and an environment's folder may not exist before.
 */
function openLate(context: AssistantRouteDeps, loadParts: () => Promise<ToolParts>) {
  let endpoint: Promise<ToolEndpoint> | null = null;
  const open = async (request: FastifyRequest): Promise<ToolEndpoint> => {
    const [{ openToolEndpoint }, parts] = await Promise.all([
      import('./tool-endpoint.ts'),
      loadParts(),
    ]);
    return openToolEndpoint({
      ids: createSessionIds(readSessionSecret(context.environment.folder)),
      // Mostly invalid input of clients, so only logged at debug level.
      onError: (error) => request.log.debug(error, 'the tool server'),
      ...parts,
    });
  };
  const close = async () => (await endpoint)?.close();
  // An endpoint that could not be opened has nothing to close.
  const onStop = () => void close().catch(() => undefined);
  context.stopping.addEventListener('abort', onStop, { once: true });
  return (request: FastifyRequest): Promise<ToolEndpoint> => {
    endpoint ??= open(request).catch((error: unknown) => {
      endpoint = null;
      throw error;
    });
    return endpoint;
  };
}

function describeAuth(request: FastifyRequest) {
  const caller = callerOf(request);
  const clientId = caller.key?.id ?? 'app';
  return { token: '', clientId, scopes: [], extra: { caller, owner: caller.account.uuid } };
}

/** What is not JSON is left to the endpoint, because an unknown session is reported first. */
async function readMessage(
  context: AssistantRouteDeps,
  request: FastifyRequest,
): Promise<{ message: ToolMessage }> {
  try {
    const value = await readJsonBody(context, request);
    return { message: value === undefined ? null : { value } };
  } catch (error) {
    if (isUnreadable(error)) return { message: null };
    throw error;
  }
}

/** The message of a request. Throws `validation_error` for another content type. */
function messageOf({ method, body }: FastifyRequest): ToolMessage {
  if (method !== 'POST') return null;
  const read = body as { message: ToolMessage } | undefined;
  if (!read) throw invalid('Send Content-Type: application/json.');
  return read.message;
}

/** @param loadParts loads what creates the tools of a caller; called at the first request */
export function addToolRoutes(
  server: ApiServer,
  context: AssistantRouteDeps,
  loadParts: () => Promise<ToolParts>,
): void {
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToolKey(context));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (request: FastifyRequest) =>
      readMessage(context, request),
    );
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const find = openLate(context, loadParts);
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/api/v1/mcp',
      config: { bodyPlan: 'messages' },
      async handler(request, reply) {
        const endpoint = await find(request);
        const message = messageOf(request);
        const auth = describeAuth(request);
        keepHeaders(reply);
        reply.hijack();
        adjustHead(reply);
        await endpoint.handle(request.raw, reply.raw, auth, message);
      },
    });
  });
}
