// Data services on loopback that charge what they read, in the process of the test.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** A request body: rows by number, with the wanted fields. */
export interface PaidRequest {
  readonly id: string;
  readonly rows: readonly { readonly number: number; readonly fields: readonly string[] }[];
}

/** What a service answers about each row: values by field; a missing one is not found. */
export interface PaidAnswer {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly credits: number;
}

interface Behaviour {
  /** Whether it answers 202 with a ticket. */
  readonly isAsync: boolean;
  /** Share of requests that it refuses before it reads them. */
  readonly busyShare: number;
  /** Share of requests that it charges, and whose connection it then resets. */
  readonly resetShare: number;
  /** Whether it knows a row. */
  knows(number: number): boolean;
}

/** A service, with its own account of what it charged. */
export interface PaidApi {
  readonly url: string;
  /** Credits of each request id; the same id twice throws. */
  readonly ledger: ReadonlyMap<string, number>;
  /** `number field` of every value that was paid for, in order. */
  readonly sold: readonly string[];
  close(): void;
}

/** Starts a service. `random` decides about delays and failures. */
export async function startPaidApi(
  id: string,
  random: () => number,
  behaviour: Behaviour,
): Promise<PaidApi> {
  const ledger = new Map<string, number>();
  const sold: string[] = [];
  const results = new Map<string, { answer: PaidAnswer; polls: number }>();
  const charge = ({ id: requestId, rows }: PaidRequest): PaidAnswer => {
    if (ledger.has(requestId)) throw new Error(`${id} received ${requestId} twice`);
    const answers = rows.map(({ number, fields }) => {
      const found = behaviour.knows(number) ? fields : [];
      sold.push(...found.map((field) => `${number} ${field}`));
      return Object.fromEntries(found.map((field) => [field, `${id}${number}`]));
    });
    const credits = answers.reduce((sum, row) => sum + Object.keys(row).length, 0);
    ledger.set(requestId, credits);
    return { rows: answers, credits };
  };
  const send = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status).end(JSON.stringify(body));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      const open = results.get(new URL(request.url ?? '', 'http://x').searchParams.get('id') ?? '');
      if (!open) return send(response, 404, {});
      open.polls += 1;
      return open.polls < 3 ? send(response, 202, {}) : send(response, 200, open.answer);
    }
    if (random() < behaviour.busyShare) return send(response, 503, {});
    const body = (await json(request)) as PaidRequest;
    const answer = charge(body);
    // The delay is the latency of a service: kills fall into it.
    await wait(random() * 40);
    if (random() < behaviour.resetShare) return response.socket?.resetAndDestroy();
    if (!behaviour.isAsync) return send(response, 200, answer);
    results.set(body.id, { answer, polls: 0 });
    return send(response, 202, { ticket: body.id });
  };
  const server = createServer((request, response) => {
    // A killed client ends its requests; what it sent is charged all the same.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    sold,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
