/**
 * Requests that are sent before the screen that needs them is loaded. The first call for the same
 * data takes the response.
 */
import { accountHeaders } from './account.ts';
import { readSession } from './session.ts';

/** A request: its path, and its JSON body if it is a search. */
export interface EarlyRequest {
  readonly path: string;
  readonly body?: unknown;
}

/** A response that is not asked for within this time may be old, and is dropped. */
const usableMs = 5_000;

const responses = new Map<string, Promise<Response>>();

/** What distinguishes requests; those of another account or session never match. */
const keyOf = (method: string, path: string, body: unknown): string =>
  JSON.stringify([method, path, body ?? null, readSession(), accountHeaders()]);

/**
 * Sends requests now.
 * @param send as `fetch`, with the headers of every request
 */
export function sendEarly(
  requests: readonly EarlyRequest[],
  send: (path: string, method: 'GET' | 'POST', body: unknown) => Promise<Response>,
): void {
  for (const { path, body } of requests) {
    const method = body === undefined ? 'GET' : 'POST';
    const key = keyOf(method, path, body);
    const response = send(path, method, body);
    // Whoever takes the response is told of a failure.
    response.catch(() => undefined);
    responses.set(key, response);
    setTimeout(() => responses.delete(key), usableMs);
  }
}

/** Returns the response of a request that was sent early, once; undefined if there is none. */
export function takeEarly(
  method: string,
  path: string,
  body: unknown,
): Promise<Response> | undefined {
  if (responses.size === 0) return undefined;
  const key = keyOf(method, path, body);
  const response = responses.get(key);
  responses.delete(key);
  return response;
}
