// Forwards the page's requests to the engine over loopback, with the session token.
import { type IncomingMessage, request as openRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Failure } from '../engine/contract/envelope.ts';
import { errorTable } from '../engine/contract/errors.ts';
import { appOrigin, isAppUrl } from './app-origin.ts';

export interface EngineAddress {
  url: string;
  token: string;
}

export const isEnginePath = (pathname: string): boolean =>
  /^(\/staging)?\/(api|app)\/v1\//.test(pathname) || pathname === '/openapi.json';

// Hop-by-hop headers, headers of the page's origin, and headers that only main may set.
const droppedFromRequest =
  /^(accept-encoding|connection|cookie|host|keep-alive|origin|referer|sec-.*|te|transfer-encoding|upgrade|user-agent|x-desk-session)$/;
const droppedFromResponse = /^(connection|keep-alive|set-cookie|transfer-encoding)$/;
const bodilessStatuses = new Set([204, 205, 304]);

/** From the page: another Origin or Referer is refused; both may be absent. */
export function isOwnRequest(headers: Headers): boolean {
  const origin = headers.get('origin');
  const referer = headers.get('referer');
  return (origin === null || origin === appOrigin) && (referer === null || isAppUrl(referer));
}

export function refuse(error: keyof typeof errorTable, detail?: string, status?: number): Response {
  const { sentence, status: usual } = errorTable[error];
  const body: Failure = { success: false, error, detail: detail ?? sentence };
  return Response.json(body, { status: status ?? usual });
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at]?.toLowerCase() ?? '';
    if (!droppedFromResponse.test(name)) headers.append(name, answer.rawHeaders[at + 1] ?? '');
  }
  const status = answer.statusCode ?? 502;
  if (bodilessStatuses.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  // Cancelling the page's stream destroys the response and closes the engine's connection.
  const body = Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}

/**
 * Forwards a request of the page to another server on this machine and returns its response. Both
 * bodies are streamed; redirects are returned, not followed.
 * @param own headers that are added to those of the page
 */
export function forwardRequest(
  request: Request,
  targetUrl: string,
  own: Readonly<Record<string, string>>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers: Record<string, string> = { ...own };
  for (const [name, value] of request.headers)
    if (!droppedFromRequest.test(name)) headers[name] = value;
  return new Promise((answer, reject) => {
    const outgoing = openRequest(
      new URL(pathname + search, targetUrl),
      // A new connection each: a kept-alive one might be closing while a request is written to it.
      { method: request.method, headers, agent: false },
      (incoming) => answer(toResponse(incoming)),
    );
    outgoing.once('error', reject);
    if (request.body === null) outgoing.end();
    else pipeline(Readable.fromWeb(request.body as NodeReadableStream), outgoing).catch(reject);
  });
}

/**
 * Forwards a request of the page to the engine when the engine is ready.
 * @param whenReady rejects with a sentence if the engine cannot be used
 */
export async function forwardToEngine(
  request: Request,
  whenReady: () => Promise<EngineAddress>,
): Promise<Response> {
  if (!isOwnRequest(request.headers)) return refuse('forbidden');
  try {
    const { url, token } = await whenReady();
    return await forwardRequest(request, url, { 'x-desk-session': token });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse('internal_error', `The engine does not respond: ${reason}`, 503);
  }
}
