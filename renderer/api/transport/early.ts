// Requests that are sent before their screen is loaded. The first call takes the response.

/** A request: its path, and its JSON body if it is a search. */
export interface EarlyRequest {
  readonly path: string;
  readonly body?: unknown;
}

interface EarlyOptions {
  readonly method: 'GET' | 'POST';
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** A response that is not asked for within this time may be old, and is dropped. */
const usableMs = 10_000;

/** A request on its way, or its response; `stop` frees its connection. */
interface Early {
  readonly response: Promise<Response>;
  readonly stop: AbortController;
}
const sent = new Map<string, Early>();

function drop(key: string, early: Early): void {
  if (sent.get(key) !== early) return;
  sent.delete(key);
  early.stop.abort();
}

/** What distinguishes requests: also the headers that name the session and the account. */
const keyOf = (method: string, path: string, body: unknown, headers: object): string =>
  JSON.stringify([method, path, body ?? null, headers]);

/** Sends requests now. @param headers those of every request, with which `send` sends */
export function sendEarly(
  requests: readonly EarlyRequest[],
  headers: object,
  send: (path: string, options: EarlyOptions) => Promise<Response>,
): void {
  for (const { path, body } of requests) {
    const method = body === undefined ? 'GET' : 'POST';
    const key = keyOf(method, path, body, headers);
    const stop = new AbortController();
    const early = { response: send(path, { method, body, signal: stop.signal }), stop };
    // The call that takes the response reports a failure.
    early.response.catch(() => undefined);
    sent.set(key, early);
    setTimeout(() => drop(key, early), usableMs);
  }
}

/** Returns the response of a request that was sent early, once; undefined if there is none. */
export function takeEarly(
  method: string,
  path: string,
  body: unknown,
  headers: object,
): Promise<Response> | undefined {
  if (sent.size === 0) return undefined;
  const key = keyOf(method, path, body, headers);
  const early = sent.get(key);
  sent.delete(key);
  return early?.response;
}

/** Forgets all responses: something has changed since they were asked for. */
export function dropEarly(): void {
  for (const [key, early] of sent) drop(key, early);
}
