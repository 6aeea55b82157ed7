/** The responses of operations in the OpenAPI document: successes, errors, headers, examples. */
import type { z } from 'zod';
import { EngineError, type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { OperationDocs } from '../../contract/operation-docs.ts';
import type { ErrorForm } from '../error-formats.ts';
import type { RouteSchemas } from './openapi-routes.ts';
import { type Json, type SchemaWriter, writeExample } from './openapi-schemas.ts';

/** How an area of the API authenticates callers and refuses requests. */
export interface Area {
  /** Prefix of its refusals among the components. */
  readonly name: string;
  readonly security: readonly Json[];
  readonly form: ErrorForm;
  /** A refusal's schema, narrowed to one status and its codes. */
  readonly narrow: (schema: Json, codes: readonly ErrorCode[], status: number) => Json;
  /** Error codes of every operation of the area. */
  readonly refusals: readonly ErrorCode[];
  /** Headers of its refusals that are specific to a status. */
  readonly headers: Readonly<Record<number, Json>>;
}

const header = (description: string, schema: Json) => ({ description, schema });
const count = { type: 'integer', minimum: 0 };

const rateHeaders = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
};

/** Headers of many responses. */
export const sharedHeaders: Json = {
  'RateLimit-Limit': header('Requests of a key in any 60 seconds.', count),
  'RateLimit-Remaining': header('Requests that may be made at once.', count),
  'RateLimit-Reset': header('Whole seconds until one more request is free.', count),
  'Retry-After': header('Whole seconds to wait.', count),
};

const challenge = header('How a key is to be sent.', { type: 'string', const: 'Token' });
const waiting = { ...rateHeaders, 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

/** The headers of refusals in areas with a key in a header. */
export const headersWithKey: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': challenge },
  403: {},
  429: waiting,
  503: waiting,
};
/** The headers of refusals in areas with a token in the query. */
export const headersWithToken: Readonly<Record<number, Json>> = {
  401: {},
  403: {},
  429: waiting,
  500: waiting,
};

/** Refusals by status, one component each, which operations with the same refusals share. */
export function describeRefusals(
  area: Area,
  codes: readonly ErrorCode[],
  schema: Json,
  responses: Json,
): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = area.form.statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const isKeyed = area.security.length > 0;
  const refer = ([status, found]: [number, ErrorCode[]]): [string, Json] => {
    const name = [area.name, status, ...found].join('.');
    responses[name] ??= {
      description: found.map((code) => `${code}: ${errorTable[code].sentence}`).join(' '),
      headers: isKeyed ? (area.headers[status] ?? rateHeaders) : {},
      content: {
        'application/json': {
          schema: area.narrow(schema, found, status),
          examples: Object.fromEntries(
            found.map((code) => [code, { value: area.form.write(new EngineError(code)) }]),
          ),
        },
      },
    };
    return [String(status), { $ref: `#/components/responses/${name}` }];
  };
  return Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(refer));
}

const csvHeaders = {
  'Content-Disposition': header('attachment, with the file’s name.', { type: 'string' }),
};

export function describeSuccesses(
  schemas: RouteSchemas,
  docs: OperationDocs,
  writer: SchemaWriter,
  headers: Json,
): Json {
  const statuses = Object.entries(schemas.response ?? {}).filter(([status]) =>
    /^2\d\d$/.test(status),
  );
  return Object.fromEntries(
    statuses.map(([status, schema]: [string, z.ZodType]) => {
      const json = writer.write(schema, 'output');
      const example = writeExample(json, writer.components);
      const { file } = docs;
      const description = docs.answers?.[Number(status)] ?? docs.summary;
      return [
        status,
        {
          description: file ? `${description}. ${file.when}` : description,
          headers: file ? { ...headers, ...csvHeaders } : headers,
          content: {
            'application/json': { schema: json, example },
            ...(file && {
              'text/csv': { schema: { type: 'string' }, example: file.example },
            }),
          },
        },
      ];
    }),
  );
}

/** The rate-limit headers of an area's successes; none if the area has no rate limit. */
export const headersOf = (area: Area): Json => (area.security.length > 0 ? { ...rateHeaders } : {});
