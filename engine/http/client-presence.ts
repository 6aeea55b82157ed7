// Detects whether the client of a request is still connected.
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type EngineError, invalid } from '../contract/errors.ts';
import type { ApiServer } from './route-deps.ts';

/** The client cannot read this, but a refusal is not logged as a bug. */
const refuseAbsent = (): EngineError =>
  invalid('The client left before its file was read. Send it again.');

export function watchClients(server: ApiServer): void {
  server.decorateRequest('response', null);
  server.addHook('onRequest', async (request, reply) => {
    request.setDecorator('response', reply.raw);
  });
}

/**
 * A signal that is aborted when the client disconnects, or when the answer is sent. Fastify's
 * `request.signal` is not suitable: Node closes a request as soon as its body is read.
 */
export function whenClientLeaves(request: FastifyRequest): AbortSignal {
  const response = request.getDecorator<ServerResponse>('response');
  const gone = new AbortController();
  const leave = () => gone.abort(refuseAbsent());
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}
