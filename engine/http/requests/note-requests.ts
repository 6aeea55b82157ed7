// Notes the requests of programs as they are answered.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { environmentPaths } from '../../contract/ids.ts';
import type { LoggedRequest } from '../../contract/requests/requests.ts';
import type { Caller } from '../credentials.ts';
import { pathOf, withoutEnvironment } from '../guards.ts';
import type { RouteDeps } from '../route-deps.ts';

/** Paths of programs. The app's own requests, several a second, would hide them. */
const isOfPrograms = (path: string): boolean => /^\/(api|phone|email|oauth)(\/|$)/.test(path);

/** `{id}` for `:id`, as in the API reference. */
const writeRoute = (url: string): string => url.replace(/:(\w+)/g, '{$1}');

/**
 * A hook that notes each answered request of a program in the log of its environment. The path is
 * that of the route, because a path that was sent can have ids, and its query a token.
 */
export const noteRequests =
  (contexts: readonly RouteDeps[]) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathOf(request);
    if (!isOfPrograms(withoutEnvironment(path))) return;
    const isStaging = path.startsWith(`${environmentPaths.staging}/`);
    const context = contexts.find(
      ({ environment }) => environment.name === (isStaging ? 'staging' : 'live'),
    );
    const caller = request.getDecorator<Caller | null>('caller');
    const { url } = request.routeOptions;
    context?.requestLog.note({
      at: new Date(context.now()).toISOString(),
      method: request.method,
      route: request.is404 || url === undefined ? null : writeRoute(url),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      key_id: caller?.key?.id ?? null,
      key_label: caller?.key?.label ?? null,
      caller: describeCaller(caller, context.isLocal(request.raw)),
      accountId: caller?.account.id ?? null,
    });
  };

function describeCaller(caller: Caller | null, isLocal: boolean): LoggedRequest['caller'] {
  if (!caller) return 'none';
  if (caller.key) return 'key';
  return isLocal ? 'command_line' : 'app';
}
