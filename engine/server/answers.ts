/**
 * How answers look: the envelope, the schemas that requests and answers are held against,
 * refusals.
 */
import { randomUUID } from 'node:crypto';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from 'fastify';
import type { z } from 'zod';
import { type Failure, FailureSchema, successOf } from '../contract/envelope.ts';
import { EngineError, errorTable } from '../contract/errors.ts';

/** {success: true, data}. */
export const success = <Data>(data: Data) => ({ success: true as const, data });

const writtenAsIs = new WeakSet<z.ZodType>();

/**
 * The `response` of a route's schema: what it answers, by status, and how it refuses.
 * @param data schema of the envelope's data
 * @param statuses those of success
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

/** As `answersOf`, for pages of a thousand rows: written without being held against the schema. */
export function longAnswersOf<Data extends z.ZodType>(data: Data) {
  const answers = answersOf(data);
  writtenAsIs.add(answers[200]);
  return answers;
}

/** Where a value is wrong, as a JSON path, and how: `rows[3].email: …`. */
function describeIssue(error: z.ZodError, root = ''): string {
  const issue = error.issues[0];
  if (!issue) return 'The request is not valid.';
  const path = issue.path.reduce<string>(
    (text, step) =>
      typeof step === 'number'
        ? `${text}[${step}]`
        : text
          ? `${text}.${String(step)}`
          : `${String(step)}`,
    root,
  );
  return path ? `${path}: ${issue.message}.` : `${issue.message}.`;
}

/**
 * Reads a value by its schema. Throws `validation_error` with the JSON path of the first offence.
 */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root = '',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EngineError('validation_error', describeIssue(parsed.error, root));
}

/** Holds params, query and body against their Zod schemas; a malformed id is a `not_found`. */
export const checkInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (value: unknown) => {
    const parsed = schema.safeParse(httpPart === 'body' ? (value ?? {}) : value);
    if (parsed.success) return { value: parsed.data };
    return {
      error:
        httpPart === 'params'
          ? new EngineError('not_found')
          : new EngineError('validation_error', describeIssue(parsed.error)),
    };
  };

/** Writes answers. One that breaks its schema is a bug, and must not leave unnoticed. */
export const writeAnswer: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  if (writtenAsIs.has(schema)) return (data) => JSON.stringify(data);
  return (data) => {
    const parsed = schema.safeParse(data);
    if (!parsed.success)
      throw new Error(
        `${method} ${url} answered against its schema: ${describeIssue(parsed.error)}`,
      );
    return JSON.stringify(parsed.data);
  };
};

const sentencesOfFastify: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE:
    'The body is larger than 32 MiB. Send a longer list as a CSV file in multipart/form-data.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'This Content-Type is not read here. Send application/json, or a form (multipart/form-data).',
  FST_INVALID_JSON_FIELD_ERROR: 'A part of type application/json holds no valid JSON.',
};

const diskCodes = /^(SQLITE_(FULL|READONLY|CANTOPEN|IOERR)|ENOSPC|EDQUOT|EROFS)/;

/** What a caller is told of anything that was thrown; null where it is a bug of ours. */
function findRefusal(error: unknown): EngineError | null {
  if (error instanceof EngineError) return error;
  const { code, statusCode, message } = error as Partial<
    Error & { code: string; statusCode: number }
  >;
  if (code && diskCodes.test(code)) return new EngineError('read_only');
  // A 403 is only ever that of a file outside the interface's folder.
  if (statusCode === 404 || statusCode === 403) return new EngineError('not_found');
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return null;
  return new EngineError('validation_error', sentencesOfFastify[code ?? ''] ?? message);
}

/** {success: false, error, detail}. */
export const failure = (error: EngineError): Failure => ({
  success: false,
  error: error.code,
  detail: error.detail,
});

/**
 * Answers anything that was thrown. A bug is logged with an id; the caller is told the id alone.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  let refusal = findRefusal(error);
  if (!refusal) {
    const id = randomUUID();
    request.log.error({ id, err: error }, 'an answer failed');
    refusal = new EngineError(
      'internal_error',
      `Something went wrong here. Try again; if it stays, look for ${id} in the engine's log.`,
    );
  }
  return reply
    .code(errorTable[refusal.code].status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failure(refusal));
}
