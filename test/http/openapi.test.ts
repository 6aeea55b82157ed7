// GET /openapi.json is valid, complete and generated from the validating schemas; and the check of
// every response against it detects violations.
import { Validator } from '@seriousme/openapi-schema-validator';
import fastify, { type FastifySchema } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../engine/app/start-server.ts';
import { errorTable, requestErrorCodes } from '../../engine/contract/errors.ts';
import { jsonRowsMax } from '../../engine/contract/limits/jobs.ts';
import { pageLimitDefault, pageLimitMax } from '../../engine/contract/limits/platform.ts';
import { gatherRoutes } from '../../engine/http/openapi/openapi-routes.ts';
import type { ApiServer } from '../../engine/http/route-deps.ts';
import { type Described, type DescribedApi, describedBy } from './described-api.ts';
import { sessionToken } from './open-api-desk.ts';
import { openEnvironment } from './open-environment.ts';

let url: string;
let api: DescribedApi;
let closeServer: () => Promise<void>;

// One server with both environments is enough, because no test changes it.
beforeAll(async () => {
  const environment = await openEnvironment();
  const sandbox = await openEnvironment();
  const opened = {
    name: 'staging' as const,
    isOpen: true,
    hasEnded: false,
    whenOpen: async () => undefined,
  };
  const config = { port: 0, socketPath: null, uiDir: null, sessionToken, version: '1.2.3' };
  const server = await startServer({ environment, staging: { ...sandbox, ...opened }, config });
  closeServer = async () => {
    await server.close();
    await environment.close();
    await sandbox.close();
  };
  url = server.url ?? '';
  api = await describedBy(url);
});
afterAll(() => closeServer());

/** METHOD path → operation. */
const listOperations = (document: Described): [string, Described][] =>
  Object.entries(document.paths as Record<string, Described>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Described] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

test('the description is valid OpenAPI 3.1', async () => {
  const { document } = api;
  expect(document.openapi).toMatch(/^3\.1\./);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect({ valid, errors }).toEqual({ valid: true });
});

/** The endpoints of docs/api.md. */
const promised = [
  'GET /api/v1/data-enrichment/layers/',
  'POST /api/v1/data-enrichment/estimate/',
  'POST /api/v1/data-enrichment/submit/',
  'GET /api/v1/data-enrichment/status/{job_id}/',
  'GET /api/v1/data-enrichment/result/{job_id}/',
  'POST /api/v1/data-enrichment/cancel/{job_id}/',
  'POST /api/v1/data-enrichment/retry/{job_id}/',
  'GET /api/v1/data-enrichment/jobs/',
  'POST /phone/enrichment/',
  'POST /email/enrichment/',
  'POST /api/v1/wallet/top-up/',
  'GET /healthz',
];

test.each(promised)('%s is described, as is its older path', async (name) => {
  const { document } = api;
  const found = Object.fromEntries(listOperations(document));
  expect(found[name]?.deprecated).toBeUndefined();
  expect(found[name]).toBeDefined();
  if (!name.includes('/data-enrichment/')) return;
  expect(found[name.replace('data-enrichment', 'enrichment')]?.deprecated).toBe(true);
});

test('every operation has a unique id, a summary and a described tag', async () => {
  const { document } = api;
  const ids = listOperations(document).map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map((tag: Described) => tag.name);
  for (const [name, operation] of listOperations(document)) {
    expect([name, operation.summary.length > 3]).toEqual([name, true]);
    expect(tags).toContain(operation.tags[0]);
  }
});

test.each(['', '/staging'])('a REST route under "%s" is refused without docs', (basePath) => {
  const server = fastify({ exposeHeadRoutes: false }) as unknown as ApiServer;
  gatherRoutes(server);
  const add =
    (path: string, schema: FastifySchema = {}) =>
    () =>
      server.get(`${basePath}${path}`, { schema }, async () => ({}));
  const docs = { id: 'getOne', tag: 'Engine', summary: 'One' } as const;
  expect(add('/api/v1/one')).toThrow('GET /api/v1/one/ has no docs in its schema');
  expect(add('/api/v1/one', { response: {} })).toThrow('has no docs');
  expect(add('/api/v1/two', { docs })).not.toThrow();
  expect(add('/app/v1/one')).not.toThrow();
});

test('routes of the app and the command line are not in the document', async () => {
  const { document } = api;
  const paths = Object.keys(document.paths);
  expect(paths.filter((path) => /^\/(app|staging|docs|openapi)/.test(path))).toEqual([]);
});

test('the document has the product’s version, and servers with the caller’s host name', async () => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  expect(document.info.version).toBe('1.2.3');
  const urls = (found: Described) => found.servers.map((server: Described) => server.url);
  expect(urls(document)).toEqual([url, `${url}/staging`]);
  const byName = url.replace('127.0.0.1', 'localhost');
  const answer = await fetch(`${byName}/openapi.json`);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(urls((await answer.json()) as Described)).toEqual([byName, `${byName}/staging`]);
});

/** Every schema with an example, and its path. */
function listExamples(node: Described, steps: readonly string[] = []): [string[], unknown][] {
  if (node === null || typeof node !== 'object') return [];
  const own: [string[], unknown][] = [];
  if ('schema' in node) {
    const examples = Object.values((node.examples ?? {}) as Record<string, Described>);
    if ('example' in node) own.push([[...steps, 'schema'], node.example]);
    own.push(...examples.map(({ value }): [string[], unknown] => [[...steps, 'schema'], value]));
  }
  return own.concat(
    Object.entries(node).flatMap(([key, inner]) => listExamples(inner, [...steps, key])),
  );
}

test('every request and every response has an example that fits its schema', async () => {
  const { document, validate } = api;
  const examples = listExamples(document);
  const faults = examples.flatMap(([steps, value]) => {
    const fault = validate(steps, value);
    return fault === null ? [] : [`${steps.join(' ')}: ${fault}`];
  });
  expect(faults).toEqual([]);
  const shown = new Set(examples.map(([steps]) => steps.join(' ')));
  const bodies = listOperations(document).flatMap(([name, operation]) => {
    const [method = '', path = ''] = name.split(' ');
    const at = `paths ${path} ${method.toLowerCase()}`;
    const asked = Object.keys(operation.requestBody?.content ?? {});
    return [
      ...asked.map((type) => `${at} requestBody content ${type} schema`),
      ...Object.entries(operation.responses as Record<string, Described>)
        .filter(([, response]) => response.content)
        .flatMap(([status, { content }]) =>
          Object.keys(content).map((type) => `${at} responses ${status} content ${type} schema`),
        ),
    ];
  });
  expect(bodies.filter((at) => !shown.has(at))).toEqual([]);
});

test.each(requestErrorCodes)('the code %s has its status from the error table', async (code) => {
  const { document } = api;
  const { responses } = document.components as Record<string, Record<string, Described>>;
  const statuses = Object.entries(responses ?? {})
    .filter(([, response]) => code in response.content['application/json'].examples)
    .map(([name]) => Number(name.split('.')[1]));
  expect(statuses).toContain(errorTable[code].status);
});

test('the document has the bounds of the validating schemas', async () => {
  const { document } = api;
  const { get } = document.paths['/api/v1/data-enrichment/result/{job_id}/'];
  const parameters = Object.fromEntries(
    get.parameters.map((parameter: Described) => [parameter.name, parameter]),
  );
  expect(parameters.limit.schema).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: pageLimitMax,
    default: pageLimitDefault,
  });
  expect(parameters.format.schema.enum).toEqual(['json', 'csv']);
  expect(parameters.status.schema.enum).toEqual(['enriched', 'skipped', 'failed']);
  expect(document.components.schemas.SubmitBody.properties.rows.maxItems).toBe(jsonRowsMax);
});

test('keys are in a header, the token of lookups is in the query, and health needs neither', async () => {
  const { findOperation } = api;
  const keyed = [{ ApiKey: [] }, { BearerKey: [] }];
  expect(findOperation('GET', '/api/v1/data-enrichment/jobs/')?.security).toEqual(keyed);
  expect(findOperation('POST', '/phone/enrichment/')?.security).toEqual([{ LookupToken: [] }]);
  expect(findOperation('GET', '/healthz')?.security).toEqual([]);
});

const page = { count: 0, next: null, previous: null, results: [] };
const jobs = {
  method: 'GET',
  path: '/api/v1/data-enrichment/jobs/?limit=1',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  text: JSON.stringify({ success: true, data: page }),
};

test.each([
  ['a status', { status: 418 }, /418, which is not described/],
  ['a content type', { contentType: 'text/plain' }, /text\/plain, which is not described/],
  ['a form', { text: '{"success":true,"data":{}}' }, /against its schema: .*count/],
  ['a field', { text: JSON.stringify({ success: true, data: { ...page, x: 1 } }) }, /additional/],
  [
    'a code under another status',
    { status: 404, text: '{"success":false,"error":"not_ready","detail":"x"}' },
    /against its schema: .*error/,
  ],
  ['an address', { path: '/api/v1/nothing/' }, /answers 200, and is not described/],
  ['a method', { method: 'PUT' }, /answers 200, and is not described/],
  [
    'the other area’s form of refusal',
    { path: '/phone/x/', status: 404, text: '{"success":false,"error":"not_found","detail":"x"}' },
    /not in its area's form/,
  ],
  [
    'a body that was accepted',
    { method: 'POST', path: '/api/v1/data-enrichment/cancel/x/', json: 5 },
    /./,
  ],
])('an undescribed %s is detected', async (_what, change, offence) => {
  const { findOffence } = api;
  expect(findOffence(jobs)).toBeNull();
  expect(findOffence({ ...jobs, ...change })).toMatch(offence);
});
