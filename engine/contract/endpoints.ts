// The declaration of calls over HTTP. A capability declares its calls once, in a table:
//
//   export const webhooks = endpoints('webhooks', {
//     pause: { app: 'PATCH /app/v1/webhooks/:id', params, body, answer, docs },
//   });
//
// From the table derive
//   the server     serve(server, context, webhooks, { list: ({ accountId }) => … })  http/serve.ts
//   the writer     'webhooks.pause': a call without a handler on the HTTP thread is made there
//   the page       ask(webhooks.pause, { id, paused: true })                 renderer/api/client.ts
//   commands       engine.ask(webhooks.pause, { id, paused: true })       cli/kit/engine-client.ts
//   component tests and the OpenAPI document
import type { z } from 'zod';
import type { OperationDocs } from './operation-docs.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path; `:id` is a parameter. */
export type Address = `${Method} /${string}`;

export interface Endpoint {
  /** The address for the app and the command line, which have a session or the local socket. */
  readonly app?: Address;
  readonly api?: Address;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON. */
  readonly body?: z.ZodType;
  readonly form?: z.ZodType;
  /** Set if the handler reads the body: a form, or a body whose refusals have a fixed order. */
  readonly isReadByHandler?: true;
  /** The kind of list in the body, which may be long; it is read outside the HTTP thread. */
  readonly largeBody?: 'submission' | 'pipeline' | 'validation';
  /** The data of the answer, without its envelope. */
  readonly answer: z.ZodType;
  /** The answer has no envelope. */
  readonly isBare?: true;
  /** The statuses of success; 200 by default. A handler sets others than the first. */
  readonly statuses?: readonly [number, ...number[]];
  /**
   * A repeat, with the same Idempotency-Key, has the effect and the answer of one call. The command
   * line repeats such a call, and every GET, if the engine ends before it answers.
   */
  readonly isRepeatable?: true;
  /** The answer is a page of many rows, which is not validated when it is sent. */
  readonly isLong?: true;
  /** Required with an `api` address. */
  readonly docs?: OperationDocs;
}

/** A call of a table, with its name: `webhooks.pause`. */
export type Named<Call extends Endpoint = Endpoint, Name extends string = string> = Call & {
  readonly name: Name;
};

export type Endpoints = Readonly<Record<string, Named>>;

/**
 * Declares the calls of a capability. The OpenAPI document has them in this order.
 * @__NO_SIDE_EFFECTS__ the page leaves out the tables that it does not use
 */
export const endpoints = <
  const Capability extends string,
  const Table extends Readonly<Record<string, Endpoint>>,
>(
  capability: Capability,
  table: Table,
) =>
  Object.fromEntries(
    Object.entries(table).map(([key, call]) => [key, { ...call, name: `${capability}.${key}` }]),
  ) as { readonly [Key in keyof Table & string]: Named<Table[Key], `${Capability}.${Key}`> };

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown;
/** Parameters and queries travel as text; a caller gives the values that the text is read as. */
type AsText<Schema> = Schema extends z.ZodType
  ? { [Key in keyof z.input<Schema>]: z.output<Schema>[Key & keyof z.output<Schema>] }
  : unknown;

export type InputOf<Call extends Endpoint> = AsText<Call['params']> &
  AsText<Call['query']> &
  Sent<Call['body']>;

/** What a handler is given: the parsed parameters, query and body in one object. */
export type Given<Call extends Endpoint> = Parsed<Call['params']> &
  Parsed<Call['query']> &
  (Call extends { readonly isReadByHandler: true } ? unknown : Parsed<Call['body']>);

export type Answered<Call extends Endpoint> = z.input<Call['answer']>;

export type AnswerOf<Call extends Endpoint> = z.output<Call['answer']>;

/**
 * The form of a call on a thread that serves calls by their names, with the account that calls (the
 * number of its row). May reject with EngineError.
 */
export type Command<Call extends Endpoint> = (
  given: Given<Call> & { readonly accountId: number },
) => Promise<Answered<Call>>;

export type CommandsOf<Table extends Endpoints> = {
  readonly [Key in keyof Table as Table[Key]['name']]?: Command<Table[Key]>;
};

export type AppEndpoint = Endpoint & { readonly app: Address };

/** Arguments of a client: the input, which is left out if nothing is required, and options. */
export type Arguments<Call extends Endpoint, Options> =
  Partial<InputOf<Call>> extends InputOf<Call>
    ? [input?: InputOf<Call>, options?: Options]
    : [input: InputOf<Call>, options?: Options];

export interface WrittenRequest {
  readonly method: Method;
  /** With its query, without the prefix of an environment. */
  readonly path: string;
  /** Undefined for a call without a body. */
  readonly body: unknown;
}

/** Writes the request of a call: its parameters into the path, the rest as query or as body. */
export function writeRequest<Call extends AppEndpoint>(
  call: Call,
  input: InputOf<Call> | undefined,
): WrittenRequest {
  const [method, pattern = ''] = call.app.split(' ') as [Method, string];
  const rest: Record<string, unknown> = Object.assign({}, input);
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  const queryNames = Object.keys(call.query?.shape ?? {});
  for (const name of queryNames) {
    if (rest[name] !== undefined) query.set(name, String(rest[name]));
    delete rest[name];
  }
  const body = call.body ? rest : undefined;
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body };
}
