// A small data service on loopback for tests of the interpreter: each request is answered by a
// function, and is recorded.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Arrived {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How a request is answered: a status and JSON, or by hand. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse, arrived: Arrived) => void);

export interface Upstream extends AsyncDisposable {
  /** Such as 127.0.0.1:40123. */
  readonly host: string;
  readonly arrived: readonly Arrived[];
  /** The answers of the next requests. The last one is repeated. */
  answers: Answer[];
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

export async function openUpstream(...answers: Answer[]): Promise<Upstream> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const one: Arrived = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    arrived.push(one);
    const answer = service.answers.length > 1 ? service.answers.shift() : service.answers[0];
    if (typeof answer === 'function') return answer(response, one);
    const { status = 500, body, headers = {} } = answer ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await listen(server);
  const service: Upstream = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}
