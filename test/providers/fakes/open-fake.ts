// Opens a fake service: a real HTTP server on loopback that plays the contract of a data service,
// fails as it is told, and keeps a ledger of what it charged.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  Account,
  Call,
  FakeApi,
  JsonRecord,
  LedgerEntry,
  PendingJob,
  Refusal,
  Reply,
  Route,
  RouteKind,
} from './fake-api.ts';
import { type Asked, describePerson, keyOf, outcomeInName, type PersonOutcome } from './people.ts';

/** The only key that the fakes accept. */
export const fakeKey = 'key-of-the-fake';

/**
 * A failure of one request. `text_error` is an error page of a proxy, in plain text. `truncated`
 * and `reset` process and charge the request, then break the connection in the answer or before it.
 */
export type Fault = Refusal | 'text_error' | 'truncated' | 'reset';

interface PlannedFault {
  readonly fault: Fault;
  readonly on: RouteKind;
}

export interface Fake extends AsyncDisposable {
  /** Such as `127.0.0.1:40123`. */
  readonly host: string;
  /** Every request that was accepted, in order, with the credits charged. */
  readonly ledger: readonly LedgerEntry[];
  spent(): number;
  /** The credits that are left. */
  balance(): number;
  /** Every request that arrived, such as `POST /v2/async`. */
  readonly arrivals: readonly string[];
  /** Requests whose method or path the service does not have. */
  readonly strays: readonly string[];
  /** The next requests of a kind fail, one fault each. */
  fail(...faults: readonly Fault[]): void;
  failPolls(...faults: readonly Fault[]): void;
  /** Polls, or repeats of a call, that are answered with "not ready" before each result. */
  pendingPolls: number;
  /** Decides the outcome of each person. By default their name does. */
  outcomeOf: (asked: Asked) => PersonOutcome;
}

interface State {
  readonly ledger: LedgerEntry[];
  readonly jobs: Map<string, PendingJob>;
  readonly paid: Set<string>;
  readonly early: Map<string, number>;
  readonly faults: PlannedFault[];
  readonly arrivals: string[];
  readonly strays: string[];
  readonly creditsAtStart: number;
}

const spentOf = ({ ledger }: State): number =>
  ledger.reduce((sum, { credits }) => sum + credits, 0);

function createAccount(service: FakeApi, state: State, fake: Fake): Account {
  return {
    balance: () => state.creditsAtStart - spentOf(state),
    find(asked) {
      const outcome = fake.outcomeOf(asked);
      if (outcome === 'legal') return 'legal';
      return outcome === 'miss' ? null : describePerson(asked, outcome);
    },
    accept(call, asked) {
      const entry: LedgerEntry = { route: call.path, asked, credits: 0, unpaidFrom: null };
      state.ledger.push(entry);
      return entry;
    },
    charge(entry, asked, credits) {
      const key = keyOf(asked);
      if (service.areRepeatsFree && state.paid.has(key)) return 0;
      state.paid.add(key);
      entry.credits += credits;
      return credits;
    },
    open(entry, body) {
      const job: PendingJob = {
        id: randomUUID(),
        body,
        asked: entry.asked,
        entry,
        pollsLeft: fake.pendingPolls,
      };
      state.jobs.set(job.id, job);
      return job;
    },
    poll(id) {
      const job = state.jobs.get(id);
      if (!job) return undefined;
      const isReady = job.pollsLeft === 0;
      if (!isReady) job.pollsLeft -= 1;
      return { job, isReady };
    },
    isEarly(call) {
      const key = JSON.stringify([call.path, call.query, call.body]);
      const seen = state.early.get(key) ?? 0;
      state.early.set(key, seen + 1);
      return seen < fake.pendingPolls;
    },
  };
}

function findRoute(
  service: FakeApi,
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  const parts = `${method} ${path}`.split('/');
  for (const [pattern, route] of Object.entries(service.routes)) {
    const names = pattern.split('/');
    if (names.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = names.every((name, at) => {
      if (!name.startsWith(':')) return name === parts[at];
      params[name.slice(1)] = decodeURIComponent(parts[at] ?? '');
      return true;
    });
    if (fits) return { route, params };
  }
  return undefined;
}

function parseBody(body: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
  } catch {
    return {};
  }
}

const proxyError: Reply = { status: 502, body: 'Bad Gateway' };
const unknownPath: Reply = { status: 404, body: 'Not Found' };

/** Answers a call as the service does, with the failure that was planned for it. */
function answerCall(
  service: FakeApi,
  state: State,
  account: Account,
  route: Route,
  call: Call,
): { reply: Reply; broken?: 'truncated' | 'reset' } {
  const refuse = (refusal: Refusal): Reply =>
    service.refusals[refusal]?.(call) ?? { status: 451, body: { message: refusal } };
  if (service.readKey(call) !== fakeKey) return { reply: route.refuseKey?.() ?? refuse('bad_key') };
  const at = state.faults.findIndex(({ on }) => on === route.kind);
  const due = at < 0 ? undefined : state.faults.splice(at, 1)[0]?.fault;
  const isSpent = route.kind === 'ask' && account.balance() <= 0;
  const planned = due ?? (isSpent ? 'quota' : undefined);
  switch (planned) {
    case undefined:
      return { reply: route.answer(call, account) };
    case 'truncated':
    case 'reset':
      return { reply: route.answer(call, account), broken: planned };
    case 'text_error':
      return { reply: proxyError };
    case 'quota': {
      if (!service.isQuotaOfPoll) return { reply: refuse('quota') };
      const reply = route.answer(call, account);
      const job = [...state.jobs.values()].at(-1);
      if (job) job.entry.unpaidFrom = 0;
      return { reply };
    }
    default:
      return { reply: refuse(planned) };
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply, isCut: boolean): void {
  const isText = typeof body === 'string';
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': isText ? 'text/plain' : 'application/json',
    'content-length': bytes.length,
    ...headers,
  });
  if (!isCut) response.end(bytes);
  else response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

async function readCall(request: IncomingMessage): Promise<Call & { method: string }> {
  const body = await text(request);
  const url = new URL(request.url ?? '/', 'http://fake');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    params: {},
    query: Object.fromEntries(url.searchParams),
    headers: request.headers as Record<string, string | undefined>,
    body: parseBody(body),
  };
}

/** Opens a fake with this many credits. Dispose it to close it. */
export async function openFake(service: FakeApi, credits = 1_000): Promise<Fake> {
  const state: State = {
    ledger: [],
    jobs: new Map(),
    paid: new Set(),
    early: new Map(),
    faults: [],
    arrivals: [],
    strays: [],
    creditsAtStart: credits,
  };
  const server = createServer(async (request, response) => {
    const { method, ...call } = await readCall(request);
    state.arrivals.push(`${method} ${call.path}`);
    const found = findRoute(service, method, call.path);
    if (!found) {
      state.strays.push(`${method} ${call.path}`);
      send(response, unknownPath, false);
      return;
    }
    const { reply, broken } = answerCall(service, state, account, found.route, {
      ...call,
      params: found.params,
    });
    if (broken === 'reset') request.socket.resetAndDestroy();
    else send(response, reply, broken === 'truncated');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const plan = (on: RouteKind, faults: readonly Fault[]) =>
    void state.faults.push(...faults.map((fault) => ({ fault, on })));
  const fake: Fake = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger: state.ledger,
    spent: () => spentOf(state),
    balance: () => state.creditsAtStart - spentOf(state),
    arrivals: state.arrivals,
    strays: state.strays,
    fail: (...faults) => plan('ask', faults),
    failPolls: (...faults) => plan('poll', faults),
    pendingPolls: 0,
    outcomeOf: outcomeInName,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const account = createAccount(service, state, fake);
  return fake;
}
