// Answers of the API: the envelope, validation of requests and answers by schema, and errors.
import { randomUUID } from 'node:crypto';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from 'fastify';
import type { z } from 'zod';
import { FailureSchema, successOf } from '../contract/envelope.ts';
import { EngineError, type ErrorCode, findEngineError, invalid } from '../contract/errors.ts';
import { busyRetrySeconds } from '../contract/limits/http.ts';
import { unavailableRetrySeconds } from '../contract/limits/platform.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { explainIssue } from './bodies/explain-issue.ts';
import { describeIssues } from './bodies/parse-with.ts';
import { isChecked } from './bodies/received-body.ts';
import { errorFormOf } from './error-formats.ts';

/** {success: true, data}. */
export const success = <Data>(data: Data) => ({ success: true as const, data });

const writtenAsIs = new WeakSet<z.ZodType>();

/**
 * The `response` of a route's schema: its answers by status, and its errors.
 * @param data schema of the envelope's data
 * @param statuses statuses of success
 */
export function answersOf<Data extends z.ZodType, Status extends number = 200>(
  data: Data,
  ...statuses: Status[]
) {
  const schema = successOf(data);
  const codes = statuses.length ? statuses : [200 as Status];
  const answers = Object.fromEntries(codes.map((code) => [code, schema])) as Record<
    Status,
    typeof schema
  >;
  return { ...answers, '4xx': FailureSchema, '5xx': FailureSchema };
}

/**
 * The `response` of a route without the envelope, such as those of Career Monitor, by status.
 * Errors have the envelope. Pages may be long and are not validated against the schema when sent.
 */
export function bareAnswersOf<Data extends z.ZodType, Status extends number>(
  data: Data,
  ...statuses: Status[]
) {
  writtenAsIs.add(data);
  const answers = Object.fromEntries(statuses.map((status) => [status, data])) as Record<
    Status,
    Data
  >;
  return { ...answers, '4xx': FailureSchema, '5xx': FailureSchema };
}

/** Like `answersOf`, for pages of a thousand rows, which are not validated when sent. */
export function longAnswersOf<Data extends z.ZodType>(data: Data) {
  const answers = answersOf(data);
  writtenAsIs.add(answers[200]);
  return answers;
}

/**
 * Sends {success: true, data}, where data ends with `results`: entries that are already JSON. For
 * long pages whose entries are stored as JSON; tests check their form. Sends bytes, because one
 * long string per page would cause noticeable garbage-collection pauses.
 */
export function sendTexts(reply: FastifyReply, head: object, results: readonly string[]) {
  const members = JSON.stringify(head).slice(1, -1);
  const texts = [`{"success":true,"data":{${members},"results":[`];
  for (const [at, result] of results.entries()) texts.push(at === 0 ? result : `,${result}`);
  texts.push(']}}');
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return reply.type('application/json; charset=utf-8').send(bytes as never);
}

/** Validates params, query and body against their Zod schemas. A malformed id is `not_found`. */
export const checkInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (value: unknown) => {
    if (httpPart === 'body' && isChecked(value)) return { value };
    const input = httpPart === 'body' ? (value ?? {}) : value;
    const parsed = schema.safeParse(input, { error: explainIssue });
    if (parsed.success) return { value: parsed.data };
    return {
      error:
        httpPart === 'params'
          ? new EngineError('not_found')
          : invalid(describeIssues(parsed.error)),
    };
  };

/** Serializes answers. An answer that does not match its schema is a bug and throws. */
export const writeAnswer: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  if (writtenAsIs.has(schema)) return (data) => JSON.stringify(data);
  return (data) => {
    const parsed = schema.safeParse(data);
    if (!parsed.success)
      throw new Error(
        `${method} ${url} answered against its schema: ${describeIssues(parsed.error)}`,
      );
    return JSON.stringify(parsed.data);
  };
};

/** Retry-After of temporary refusals, in seconds. */
const retrySeconds: Partial<Record<ErrorCode, number>> = {
  busy: busyRetrySeconds,
  unavailable: unavailableRetrySeconds,
};

/** The refusal for what was thrown; null for a bug. @param sentences by Fastify's code */
function findRefusal(
  error: unknown,
  sentences: Readonly<Record<string, string>>,
): EngineError | null {
  const refusal = findEngineError(error) ?? findSystemRefusal(error);
  if (refusal) return refusal;
  const { code, statusCode, message } = error as Partial<
    Error & { code: string; statusCode: number }
  >;
  // A 403 can only come from a file outside the interface's folder.
  if (statusCode === 404 || statusCode === 403) return new EngineError('not_found');
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return null;
  return invalid(sentences[code ?? ''] ?? message);
}

/** In the error form of the area. A bug is logged with an id, which alone is answered. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const form = errorFormOf(request);
  let refusal = findRefusal(error, form.sentences);
  if (!refusal) {
    const id = randomUUID();
    request.log.error({ id, err: error }, 'an answer failed');
    refusal = new EngineError(
      'internal_error',
      `Internal error. Try again. If it happens again, search for ${id} in the engine's log.`,
    );
  }
  const waitSeconds = retrySeconds[refusal.code];
  if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
  return reply
    .code(form.statusOf(refusal.code))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(form.write(refusal));
}
