/** Keeps the last requests of programs in memory: route, status, time and key, never a value. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { environmentPaths } from '../../contract/ids.ts';
import { loggedRequestsMax } from '../../contract/limits/http-server.ts';
import type { LoggedRequest } from '../../contract/requests/requests.ts';
import type { Caller } from '../credentials.ts';
import { pathOf, withoutEnvironment } from '../guards.ts';
import type { RouteDeps } from '../route-deps.ts';

type NewRequest = Omit<LoggedRequest, 'id'> & { readonly accountId: number | null };

/** A log of bounded size. */
export interface RequestLog {
  note(request: NewRequest): void;
  /** The newest requests of an account and those that were refused, newest first. */
  list(accountId: number, limit: number): LoggedRequest[];
}

/** Creates an empty log. The oldest request gives way to a new one once it is full. */
export function createRequestLog(requestsMax: number = loggedRequestsMax): RequestLog {
  const kept: (NewRequest & { readonly id: number })[] = [];
  let count = 0;
  return {
    note(request) {
      kept[count % requestsMax] = { ...request, id: count + 1 };
      count += 1;
    },
    list(accountId, limit) {
      const found: LoggedRequest[] = [];
      for (let nth = count - 1; nth >= Math.max(0, count - requestsMax); nth -= 1) {
        const one = kept[nth % requestsMax];
        if (found.length === limit) break;
        if (!one || (one.accountId !== null && one.accountId !== accountId)) continue;
        const { accountId: _account, ...shown } = one;
        found.push(shown);
      }
      return found;
    },
  };
}

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
