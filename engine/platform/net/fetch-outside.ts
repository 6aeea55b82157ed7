/**
 * Fetches as `fetch` does, but through the proxies of this process and with the authorities of the
 * system. A redirect is returned, not followed.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type FindRoutes, ProxyUnusable } from './proxy-routes.ts';
import { startRequest } from './start-request.ts';
import { connectTrusted, isUntrusted } from './system-authorities.ts';
import { findOwnRoutes } from './system-proxy.ts';

/** A request, as far as it is supported. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | null;
  readonly redirect?: 'manual';
  readonly signal: AbortSignal;
}

async function writeBody(init: FetchInit): Promise<Buffer | null> {
  const { body = null } = init;
  return body === null ? null : Buffer.from(await new Response(body).arrayBuffer());
}

const statusesWithoutBody = new Set([204, 205, 304]);

function readAnswer(response: IncomingMessage): Response {
  const status = response.statusCode ?? 0;
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = !statusesWithoutBody.has(status);
  const body = hasBody ? (Readable.toWeb(response) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, headers });
}

async function fetchOwn(url: URL, init: FetchInit, findRoutes: FindRoutes): Promise<Response> {
  const body = await writeBody(init);
  const headers = { ...init.headers, ...(body && { 'content-length': String(body.length) }) };
  const outgoing = { url, method: init.method ?? 'GET', headers };
  return connectTrusted(
    async (secureContext) => {
      const ways = { isAllowed: () => true, findRoutes };
      const request = await startRequest(outgoing, ways, { signal: init.signal, secureContext });
      return new Promise<Response>((resolve, reject) => {
        request.on('response', (response) => resolve(readAnswer(response))).on('error', reject);
        request.end(body ?? undefined);
      });
    },
    () => false,
  );
}

/**
 * Fetches. Rejects with ProxyUnusable, or as `fetch` does.
 * @param findRoutes the proxies; those of this process by default
 */
export async function fetchOutside(
  url: string,
  init: FetchInit,
  findRoutes: FindRoutes = findOwnRoutes,
): Promise<Response> {
  const target = new URL(url);
  const routes = target.protocol === 'https:' ? await findRoutes(target) : [];
  const isDirect = routes.every(({ kind }) => kind === 'direct');
  if (!isDirect) return fetchOwn(target, init, async () => routes);
  try {
    return await fetch(url, init as RequestInit);
  } catch (error) {
    if (error instanceof ProxyUnusable || !isUntrusted(error)) throw error;
    return fetchOwn(target, init, async () => routes);
  }
}
