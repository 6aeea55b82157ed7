// Serves the calls of a table (contract/endpoints.ts).
import type { FastifyReply, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify';
import type { Answered, Command, Endpoint, Endpoints, Given } from '../contract/endpoints.ts';
import { type Caller, callerOf, requireKey, requireSession } from './credentials.ts';
import { answersOf, bareAnswersOf, checkInput, longAnswersOf, success } from './responses.ts';
import type { ApiServer, RouteDeps, RouteDepsWith } from './route-deps.ts';

export interface Call {
  readonly accountId: number;
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a call on the HTTP thread, or sends the answer. May throw an EngineError. */
export type Handler<One extends Endpoint> = (
  given: Given<One>,
  call: Call,
) => Answered<One> | FastifyReply | Promise<Answered<One> | FastifyReply>;

export type Handlers<Table extends Endpoints> = {
  readonly [Key in keyof Table]: Handler<Table[Key]>;
};

/** The calls of the writer thread that answer those without a handler. */
type Forwarded<Table extends Endpoints, Key extends keyof Table> = {
  readonly [One in Key as Table[One]['name']]: Command<Table[One]>;
};

/**
 * Adds every address of a table, each for its callers: the app's session, or an API key.
 * @param handlers the calls that the HTTP thread answers; the writer thread answers the others
 */
export function serve<Table extends Endpoints, Own extends Partial<Handlers<Table>>>(
  server: ApiServer,
  context: RouteDepsWith<Forwarded<Table, Exclude<keyof Table, keyof Own>>>,
  table: Table,
  handlers: Own,
): void {
  const own = handlers as Readonly<Record<string, Handler<Endpoint>>>;
  for (const [key, endpoint] of Object.entries(table)) {
    const forward: Handler<Endpoint> = (given, { accountId }) => {
      const calls = context.environment.writer as Readonly<Record<string, Command<Endpoint>>>;
      const command = calls[endpoint.name];
      if (!command) throw new Error(`no thread answers ${endpoint.name}`);
      return command(Object.assign({}, given, { accountId }));
    };
    addCall(server, context, endpoint, own[key] ?? forward);
  }
}

/** Checks everything but the body. */
const checkAround: FastifySchemaCompiler<FastifySchema> = (part) =>
  part.httpPart === 'body' ? (value: unknown) => ({ value }) : checkInput(part as never);

function addCall(
  server: ApiServer,
  context: RouteDeps,
  {
    app,
    api,
    docs,
    params,
    query: querystring,
    body,
    answer,
    statuses = [200],
    isLong,
    isBare,
    isReadByHandler,
    largeBody,
  }: Endpoint,
  answerCall: Handler<Endpoint>,
): void {
  const inEnvelope = isLong ? longAnswersOf(answer) : answersOf(answer, ...statuses);
  const response = isBare ? bareAnswersOf(answer, ...statuses) : inEnvelope;
  const config = { bodyPlan: largeBody ?? 'plain' } as const;
  // Fastify warns of a schema that is named and missing.
  const schema: FastifySchema = {
    response,
    ...(docs && { docs }),
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(body && { body }),
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    const sentBody = isReadByHandler ? {} : request.body;
    const given = Object.assign({}, request.params, request.query, sentBody);
    reply.code(statuses[0]);
    const call = { accountId: caller.account.id, caller, request, reply };
    const data = await answerCall(given, call);
    // No answer is undefined, but an awaited reply is, also one that is not sent to its end.
    if (data === undefined) return reply;
    return isBare ? data : success(data);
  };
  const add = (address: string, onRequest: ReturnType<typeof requireKey>) => {
    const [method = '', url = ''] = address.split(' ');
    const route = { method, url, schema, config, onRequest, handler };
    server.route(isReadByHandler ? { ...route, validatorCompiler: checkAround } : route);
  };
  if (api) add(api, requireKey(context));
  if (app) add(app, requireSession(context));
}
