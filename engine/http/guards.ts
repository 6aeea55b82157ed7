// Guards of every request on loopback: only programs on this machine, the proxy of a public address
// and the product's own pages are allowed.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EngineError, invalid } from '../contract/errors.ts';
import { environmentPaths } from '../contract/ids.ts';
import type { RouteDeps } from './route-deps.ts';

export interface RequestOrigin {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

export const withoutEnvironment = (path: string): string =>
  path.startsWith(`${environmentPaths.staging}/`)
    ? path.slice(environmentPaths.staging.length)
    : path;

/** Whether a path belongs to an API rather than to the interface's page. */
export const isApiPath = (path: string) =>
  /^\/(api|app|staging|phone|email|oauth|\.well-known)(\/|$)/i.test(path);

/** Whether clients or identity providers send a person to this path. */
const isAuthorizePath = (path: string) =>
  /^\/oauth\/((server\/)?authorize|callback)\/?$/.test(withoutEnvironment(path));

const originOf = (host: string, publicUrl: URL | null): string =>
  host === publicUrl?.host ? publicUrl.origin : `http://${host}`;

/**
 * Why a request is refused, or null. The Host must be this machine and port, or that of the public
 * address, otherwise a name rebound to 127.0.0.1 would be served (DNS rebinding). An Origin must be
 * the product's own page. Pages of another site or port may only navigate to the interface.
 * @param port the port that the server listens on
 */
export function findRefusal(
  request: RequestOrigin,
  port: number,
  publicUrl: URL | null = null,
): string | null {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const authorities = publicUrl ? [...own, publicUrl.host] : own;
  const host = request.host?.toLowerCase();
  if (host === undefined || !authorities.includes(host))
    return `The Host header must be ${authorities.join(', ')}. Use one of these addresses.`;
  const { origin, fetchSite } = request;
  if (origin !== undefined && origin !== originOf(host, publicUrl) && origin !== 'app://desk')
    return 'Pages of another origin are refused. Call from a program or from the app.';
  // Anything else is foreign, such as a value of later browsers or a repeated header.
  const isForeign = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
  const isVisit =
    request.method === 'GET' &&
    request.fetchMode === 'navigate' &&
    (!isApiPath(request.path) || isAuthorizePath(request.path));
  if (isForeign && !isVisit)
    return 'Pages of another site are refused. Call from a program or from the app.';
  return null;
}

/** Headers of every answer. The interface's page has its own content security policy. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not no-referrer: with it, Chromium sends `Origin: null` for forms on the product's own page.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
} as const;

/**
 * The path of a request as the router compares it, without the query, which may hold secrets. The
 * router decodes `%61` before it compares, so what decides by the raw path can be circumvented.
 */
export function pathOf(request: FastifyRequest): string {
  const sent = request.url.split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(sent);
  } catch {
    return sent;
  }
}

/** The origins of requests at the public address, which the guard has checked. */
const publicOrigins = new WeakMap<IncomingMessage, string>();

/** The origin under which a caller reaches this server, by its Host, which the guard checked. */
export const baseUrlOf = (request: FastifyRequest): string =>
  publicOrigins.get(request.raw) ?? `http://${(request.headers.host ?? 'localhost').toLowerCase()}`;

const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;

/**
 * HTTP requirements that the parser does not check: one host, which only its header names. A second
 * one, or an absolute address, could be the host that a proxy has checked. Throws
 * `validation_error`.
 */
function requireSoundHead({ headers: { host, expect }, rawHeaders, url }: IncomingMessage): void {
  if (host === undefined) throw invalid('The Host header is missing. Send it, with this port.');
  if (countHosts(rawHeaders) > 1) throw invalid('The Host header is repeated. Send it once.');
  if (!url?.startsWith('/'))
    throw invalid(
      'The address of the request is not a path. Send the path alone, and the host in the header.',
    );
  if (expect !== undefined && !/^100-continue$/i.test(expect))
    throw invalid('Expect: only 100-continue is supported. Remove the header.');
}

/** Runs before all other hooks. Throws `validation_error` and `forbidden`, not on the socket. */
export function guardRequest(
  context: RouteDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    reply.headers(securityHeaders);
    if (context.isLocal(request.raw)) return;
    const { headers } = request;
    const { publicUrl } = context.address;
    requireSoundHead(request.raw);
    const header = (name: string) => headers[name]?.toString();
    const refusal = findRefusal(
      {
        method: request.method,
        path: pathOf(request),
        host: headers.host,
        origin: headers.origin,
        fetchSite: header('sec-fetch-site'),
        fetchMode: header('sec-fetch-mode'),
      },
      context.address.port ?? -1,
      publicUrl,
    );
    if (refusal) throw new EngineError('forbidden', refusal);
    if (publicUrl && headers.host?.toLowerCase() === publicUrl.host)
      publicOrigins.set(request.raw, publicUrl.origin);
  };
}
