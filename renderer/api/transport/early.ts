/**
 * Requests that are sent before the screen that needs them is loaded. The first call for the same
 * data takes the response.
 */
/** A request: its path, and its JSON body if it is a search. */
export interface EarlyRequest {
  readonly path: string;
  readonly body?: unknown;
}

/** A response that is not asked for within this time may be old, and is dropped. */
const usableMs = 3_000;

const responses = new Map<string, Promise<Response>>();

/** What distinguishes requests: also the headers that name the session and the account. */
const keyOf = (method: string, path: string, body: unknown, headers: object): string =>
  JSON.stringify([method, path, body ?? null, headers]);

/**
 * Sends requests now.
 * @param headers those of every request, with which `send` sends
 */
export function sendEarly(
  requests: readonly EarlyRequest[],
  headers: object,
  send: (path: string, method: 'GET' | 'POST', body: unknown) => Promise<Response>,
): void {
  for (const { path, body } of requests) {
    const method = body === undefined ? 'GET' : 'POST';
    const key = keyOf(method, path, body, headers);
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
  headers: object,
): Promise<Response> | undefined {
  if (responses.size === 0) return undefined;
  const key = keyOf(method, path, body, headers);
  const response = responses.get(key);
  responses.delete(key);
  return response;
}

/** Forgets all responses: something has changed since they were asked for. */
export const dropEarly = (): void => responses.clear();
