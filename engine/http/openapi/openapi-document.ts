// The OpenAPI 3.1 document of the routes and the schemas that validate and serialise messages.
import type { z } from 'zod';
import { FailureSchema } from '../../contract/envelope.ts';
import { EngineError, type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type OperationDocs, tags } from '../../contract/operation-docs.ts';
import { type ErrorForm, errorFormAt } from '../error-formats.ts';
import type { RestRoute, RouteSchemas } from './openapi-routes.ts';
import {
  createSchemaWriter,
  type Json,
  type SchemaWriter,
  writeExample,
} from './openapi-schemas.ts';

interface Area {
  /** Prefix of its refusals among the components. */
  readonly name: string;
  readonly security: readonly Json[];
  readonly form: ErrorForm;
  /** A refusal's schema, narrowed to one status and its codes. */
  readonly narrow: (schema: Json, codes: readonly ErrorCode[], status: number) => Json;
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

const sharedHeaders: Json = {
  'RateLimit-Limit': header('Requests of a key in any 60 seconds.', count),
  'RateLimit-Remaining': header('Requests that may be made at once.', count),
  'RateLimit-Reset': header('Whole seconds until one more request is free.', count),
  'Retry-After': header('Whole seconds to wait.', count),
};

const challenge = header('How a key is to be sent.', { type: 'string', const: 'Token' });
const waiting = { ...rateHeaders, 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

const headersWithKey: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': challenge },
  403: {},
  429: waiting,
  503: waiting,
};
const headersWithToken: Readonly<Record<number, Json>> = {
  401: {},
  403: {},
  429: waiting,
  500: waiting,
};

/** Refusals by status, one component each, which operations with the same refusals share. */
function describeRefusals(
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

function describeSuccesses(
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
const headersOf = (area: Area): Json => (area.security.length > 0 ? { ...rateHeaders } : {});

const everywhere: readonly ErrorCode[] = ['forbidden', 'not_found', 'internal_error'];
const ofSystem: readonly ErrorCode[] = [
  'read_only',
  'unavailable',
  'busy',
  'folder_not_private',
  'folder_unusable',
  'database_missing',
  'database_damaged',
];

const envelope = {
  form: errorFormAt('/api/v1/'),
  narrow: (schema: Json, codes: readonly ErrorCode[]) => ({
    allOf: [schema, { properties: { error: { enum: [...codes] } } }],
  }),
};

const keyed: Area = {
  ...envelope,
  name: 'Refusal',
  security: [{ ApiKey: [] }, { BearerKey: [] }],
  refusals: ['unauthorized', 'rate_limited', ...ofSystem, ...everywhere],
  headers: headersWithKey,
};
const lookup: Area = {
  name: 'LookupRefusal',
  security: [{ LookupToken: [] }],
  form: errorFormAt('/phone/'),
  narrow: (schema, _codes, status) => ({
    allOf: [schema, { properties: { code: { const: status } } }],
  }),
  refusals: ['unauthorized', 'rate_limited', 'insufficient_credits', ...ofSystem, ...everywhere],
  headers: headersWithToken,
};
const open: Area = {
  ...envelope,
  name: 'OpenRefusal',
  security: [],
  refusals: everywhere,
  headers: {},
};

const areas: readonly (readonly [RegExp, Area])[] = [
  [/^\/api\/v1\//, keyed],
  [/^\/(phone|email)\//, lookup],
  [/./, open],
];

const oldArea = '/api/v1/enrichment/';

/** The docs of a route. Under the older path they have a separate id and tag. */
function docsOf({ path, schemas: { docs } }: RestRoute): OperationDocs {
  if (!path.startsWith(oldArea)) return docs;
  return { ...docs, id: `${docs.id}Old`, tag: 'Data enrichment (older paths)' };
}

function describeParameters(route: RestRoute, docs: OperationDocs, writer: SchemaWriter): Json[] {
  const { params, querystring } = route.schemas;
  const places = [
    ['path', params],
    ['query', querystring],
  ] as const;
  const parameters = places.flatMap(([place, schema]) => {
    if (!schema) return [];
    const { properties = {}, required = [] } = writer.write(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    const shown = Object.entries(properties).filter(
      // The area's security scheme describes the token.
      ([name]) => !(place === 'query' && name === 'token'),
    );
    return shown.map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: property,
      example: writeExample(property, writer.components),
    }));
  });
  const headers = Object.entries(docs.headers ?? {}).map(([name, { description, maxLength }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength },
  }));
  return [...parameters, ...headers];
}

function describeBody(route: RestRoute, docs: OperationDocs, writer: SchemaWriter): Json {
  const { body } = route.schemas;
  if (!body) return {};
  const describe = (schema: typeof body) => {
    const json = writer.write(schema, 'input');
    return { schema: json, example: writeExample(json, writer.components) };
  };
  return {
    requestBody: {
      required: !docs.bodyOptional,
      content: {
        'application/json': describe(body),
        ...(docs.form && { 'multipart/form-data': describe(docs.form) }),
      },
    },
  };
}

function describeOperation(route: RestRoute, writer: SchemaWriter, responses: Json): Json {
  const docs = docsOf(route);
  const area = areas.find(([pattern]) => pattern.test(route.path))?.[1] ?? open;
  const { schemas } = route;
  const takesInput = schemas.querystring !== undefined || route.method !== 'GET';
  const codes = new Set<ErrorCode>([
    ...(takesInput ? (['validation_error'] as const) : []),
    ...(docs.refusals ?? []),
    ...area.refusals,
  ]);
  // In the order of the table, so that operations with the same refusals share a component.
  const ordered = (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
  const form = writer.write(schemas.response?.['4xx'] ?? FailureSchema, 'output');
  const isOld = route.path.startsWith(oldArea);
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description !== undefined && { description: docs.description }),
    ...(isOld && { deprecated: true }),
    ...(route.isStagingOnly && { servers: [{ url: '/staging' }] }),
    security: area.security,
    parameters: describeParameters(route, docs, writer),
    ...describeBody(route, docs, writer),
    responses: {
      ...describeSuccesses(schemas, docs, writer, headersOf(area)),
      ...describeRefusals(area, ordered, form, responses),
    },
  };
}

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Authorization: Token <API_KEY>`.',
  },
  LookupToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'An API key, for direct lookups.',
  },
  BearerKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`.' },
};

const description =
  'Batch contact enrichment on this machine. Success is `{success: true, data}`, a refusal ' +
  '`{success: false, error, detail}`. Every path is answered with and without its last slash. ' +
  '60 requests per key in any 60 seconds. Credits are decimal strings with four fraction digits.';

/** The servers of the API for a caller of `base`, an origin without a trailing slash. */
export const describeServers = (base: string): Json[] => [
  { url: base, description: 'Live.' },
  { url: `${base}/staging`, description: 'Staging: a separate environment with sandbox contacts.' },
];

/** Writes the document without its servers. @param version version of the product */
export function writeDocument(routes: readonly RestRoute[], version: string): Json {
  const writer = createSchemaWriter();
  const responses: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, writer, responses),
    };
  }
  const used = new Set(routes.map((route) => docsOf(route).tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Enrichment Desk',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as keyof typeof tags))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      headers: sharedHeaders,
      responses,
      schemas: writer.components,
    },
  };
}
