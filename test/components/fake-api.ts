// Simulates the engine: answers the interface's requests from a table of functions.
// Requests and responses are parsed with the contract's schemas. Those that do not fit, or are not
// in the table, are listed in `faults` and fail the test that caused them.
import { z } from 'zod';
import { FailureSchema } from '../../engine/contract/envelope.ts';
import { type ErrorCode, errorTable } from '../../engine/contract/errors.ts';
import { type AppEvent, AppEventSchema } from '../../engine/contract/events.ts';
import { type AnswerOf, contract, type Exchange, type Route, type SentOf } from './api-contract.ts';
import { createFakeXhr, type Sent } from './fake-xhr.ts';

export interface Asked<Name extends Route = Route> {
  readonly route: Name;
  readonly environment: 'live' | 'staging';
  /** The selected account; null for the first. */
  readonly account: string | null;
  /** The path's parameters, by their names in the contract. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly sent: SentOf<Name>;
  readonly files: Readonly<Record<string, File>>;
}

class Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  constructor(code: ErrorCode, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

/** Refuses a request as the engine would; without a detail, with the sentence of the code. */
export const refuse = (code: ErrorCode, detail: string = errorTable[code].sentence): Refusal =>
  new Refusal(code, detail);

/** Breaks the connection before a response. */
export const unreachable = Symbol('unreachable');

type Given<Name extends Route> = AnswerOf<Name> | Refusal | typeof unreachable;
/** The response to each request. */
export type Answers = {
  readonly [Name in Route]?: (asked: Asked<Name>) => Given<Name> | Promise<Given<Name>>;
};

export interface FakeApi {
  /** All requests, oldest first. */
  readonly asked: readonly Asked[];
  /** One line for each value that did not fit the contract or the table. */
  readonly faults: readonly string[];
  /** The requests of one route, oldest first. */
  askedOf<Name extends Route>(route: Name): Asked<Name>[];
  answer(answers: Answers): void;
  /** Sends an event to every open stream. */
  tell(event: AppEvent): void;
  countStreams(): number;
  /** Ends the open event streams; the page connects again. */
  breakStreams(): void;
  /** Ends the open event streams, and opens no other. */
  refuseStreams(): void;
  /** Restores the page's fetch and XMLHttpRequest, and ends the streams. */
  close(): void;
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patterns = (Object.keys(contract) as Route[]).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  const parts = path
    .split(/(:\w+)/)
    .map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : escapePattern(part)));
  return { route, method, path: new RegExp(`^${parts.join('')}$`) };
});

const eventsPath = '/app/v1/events';
const stagingPrefix = '/staging';

/** Returns keys that a schema ignores: such a key is misspelled. */
const findStrangeKeys = (before: unknown, after: unknown): string[] => {
  if (typeof before !== 'object' || before === null || Array.isArray(before)) return [];
  const known = Object.keys(Object(after));
  return Object.keys(before).filter((key) => !known.includes(key));
};

function parse(schema: z.ZodType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(`${what}: ${z.prettifyError(parsed.error)}`);
  const strange = findStrangeKeys(value, parsed.data);
  if (strange.length > 0) throw new Error(`${what}: the contract has no ${strange.join(', ')}`);
  return parsed.data;
}

/** Parses a request's content. Throws an Error if it does not fit the contract. */
function readSent({ body, form }: Exchange, sent: Sent, what: string) {
  const files: Record<string, File> = {};
  if (form && sent.body instanceof FormData) {
    const fields: Record<string, string> = {};
    for (const [name, value] of sent.body)
      if (typeof value === 'string') fields[name] = value;
      else files[name] = value;
    return { sent: parse(form, fields, `the form of ${what}`), files };
  }
  const text = typeof sent.body === 'string' ? sent.body : null;
  if (body) return { sent: parse(body, JSON.parse(text ?? 'null'), `the body of ${what}`), files };
  if (sent.body !== null) throw new Error(`the body of ${what}: the contract has none`);
  return { sent: undefined, files };
}

function createStreams() {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const end = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (open.delete(controller)) controller.close();
  };
  let isRefused = false;
  const close = () => {
    for (const controller of [...open]) end(controller);
  };
  return {
    open(signal: AbortSignal | null): Response {
      if (isRefused) throw new TypeError('Failed to fetch');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open.add(controller);
          signal?.addEventListener('abort', () => end(controller), { once: true });
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    tell(event: AppEvent) {
      const data = JSON.stringify(parse(AppEventSchema, event, `the event ${event.type}`));
      const bytes = new TextEncoder().encode(`data: ${data}\n\n`);
      for (const controller of open) controller.enqueue(bytes);
    },
    count: () => open.size,
    close,
    refuse() {
      isRefused = true;
      close();
    },
  };
}

const jsonOf = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/** Wraps a test's response into its envelope. Throws an Error if it does not fit the contract. */
function encloseAnswer(schema: z.ZodType, given: unknown, what: string): Response {
  if (!(given instanceof Refusal)) {
    parse(schema, given, `the answer of ${what}`);
    return jsonOf(200, { success: true, data: given ?? null });
  }
  const failure = { success: false, error: given.code, detail: given.detail };
  parse(FailureSchema, failure, `the refusal of ${what}`);
  return jsonOf(errorTable[given.code].status, failure);
}

/** Replaces the engine until it is closed. */
export function openFakeApi(first: Answers): FakeApi {
  const asked: Asked[] = [];
  const faults: string[] = [];
  const streams = createStreams();
  let answers = first;

  /** Null without a response. */
  const answerAsked = async (sent: Sent): Promise<Response | null> => {
    const url = new URL(sent.url, location.origin);
    const isStaging = url.pathname.startsWith(`${stagingPrefix}/`);
    const path = isStaging ? url.pathname.slice(stagingPrefix.length) : url.pathname;
    const what = `${sent.method} ${path}`;
    const found = patterns.find((one) => one.method === sent.method && one.path.test(path));
    if (!found) throw new Error(`${what}: not in the contract of the component tests`);
    const exchange: Exchange = contract[found.route];
    const one = {
      route: found.route,
      environment: isStaging ? ('staging' as const) : ('live' as const),
      account: sent.headers.get('x-desk-account'),
      params: { ...found.path.exec(path)?.groups },
      query: url.searchParams,
      ...readSent(exchange, sent, what),
    } as Asked;
    asked.push(one);
    const answer = answers[found.route] as ((asked: Asked) => unknown) | undefined;
    if (!answer) throw new Error(`${what}: the test has no answer`);
    const given = await answer(one);
    return given === unreachable ? null : encloseAnswer(exchange.answer, given, what);
  };
  const respond = async (sent: Sent): Promise<Response> => {
    const response = await answerAsked(sent).catch((error: unknown) => {
      faults.push(String(error));
      return null;
    });
    if (response === null) throw new TypeError('Failed to fetch');
    return response;
  };

  const real = { fetch: globalThis.fetch, XMLHttpRequest: globalThis.XMLHttpRequest };
  const isOfEngine = (path: string) => /^\/(staging\/)?(app|api)\/v1\//.test(path);
  globalThis.fetch = async (input, init = {}) => {
    const url = String(input);
    if (!isOfEngine(url)) return real.fetch(input, init);
    const { method = 'GET', body = null, signal = null } = init;
    if (url === eventsPath) return streams.open(signal);
    const sent = { method, url, headers: new Headers(init.headers), body };
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([respond(sent), aborted]);
  };
  globalThis.XMLHttpRequest = createFakeXhr(respond);

  return {
    asked,
    faults,
    askedOf: (route) => asked.filter((one) => one.route === route) as never,
    answer: (changed) => {
      answers = { ...answers, ...changed };
    },
    tell: streams.tell,
    countStreams: streams.count,
    breakStreams: streams.close,
    refuseStreams: streams.refuse,
    close() {
      Object.assign(globalThis, real);
      streams.close();
    },
  };
}
