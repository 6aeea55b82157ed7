// The description of a fake service: its routes, and how it words its refusals.
import type { Asked, Person } from './people.ts';

/** A JSON object of a request. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export interface Call {
  readonly path: string;
  /** The `:name` parts of the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonRecord;
}

/** An answer. A string body is sent as text/plain, anything else as JSON. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface LedgerEntry {
  readonly route: string;
  readonly asked: readonly Asked[];
  credits: number;
  /** The account had no credits left for the people from this position on; null: for all. */
  unpaidFrom: number | null;
}

/** A request that is answered later. */
export interface PendingJob {
  readonly id: string;
  readonly body: JsonRecord;
  readonly asked: readonly Asked[];
  readonly entry: LedgerEntry;
  /** Polls that are still answered with "not ready". */
  pollsLeft: number;
}

/** The user's account at the fake: its people, its credits and its pending jobs. */
export interface Account {
  /** The credits that are left. */
  balance(): number;
  /** The facts about a person; null for a miss; 'legal' if the person must not be processed. */
  find(asked: Asked): Person | 'legal' | null;
  accept(call: Call, asked: readonly Asked[]): LedgerEntry;
  /** Charges for one person; returns the credits charged, 0 for a repeat that is free. */
  charge(entry: LedgerEntry, asked: Asked, credits: number): number;
  /** Stores an accepted request that is answered by a later poll. */
  open(entry: LedgerEntry, body: JsonRecord): PendingJob;
  /** Counts a poll of a job; undefined for an unknown id. */
  poll(id: string): { job: PendingJob; isReady: boolean } | undefined;
  /** Whether the same call is still answered with "not ready"; counts it. */
  isEarly(call: Call): boolean;
}

/**
 * What a route does: `ask` is a request that may be paid for, `poll` reads the result of one, and
 * `free` is neither.
 */
export type RouteKind = 'ask' | 'poll' | 'free';

export interface Route {
  readonly kind: RouteKind;
  readonly answer: (call: Call, account: Account) => Reply;
  /** The answer for a refused key, if it differs from that of the service. */
  readonly refuseKey?: () => Reply;
}

/** The failures that a service words itself. */
export type Refusal = 'slow_down' | 'quota' | 'bad_key' | 'legal' | 'bad_input';

/** A service: everything that distinguishes one fake from another. */
export interface FakeApi {
  /** The id of its definition in resources/providers. */
  readonly id: string;
  readonly readKey: (call: Call) => string | undefined;
  /** Whether the service does not charge a second time for the same person. */
  readonly areRepeatsFree?: true;
  /** Method and path, such as `GET /v2/async/:id` → route. */
  readonly routes: Readonly<Record<string, Route>>;
  /** The answer of each failure. Absent: the service documents none. */
  readonly refusals: Readonly<Partial<Record<Refusal, (call: Call) => Reply>>>;
  /**
   * Whether an exhausted account is shown by the poll of an accepted request, not by the refusal of
   * the request.
   */
  readonly isQuotaOfPoll?: true;
}

/** An answer with a JSON body. */
export const json = (
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Reply => (headers ? { status, body, headers } : { status, body });

export const readRecords = (list: unknown): JsonRecord[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : [];

/** A text of a JSON object, or ''. */
export const readText = (record: JsonRecord, name: string): string => {
  const value = record[name];
  return typeof value === 'string' ? value : '';
};

/** The object at a key of a JSON object, or an empty one. */
export const readRecord = (record: JsonRecord, name: string): JsonRecord =>
  readRecords([record[name]])[0] ?? {};
