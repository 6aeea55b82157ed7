// Hostile requests, generated from the routes of a server; and the rules for every response to
// them.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { runsOf } from '../property-runs.ts';

export interface Route {
  readonly method: string;
  readonly url: string;
}

/** Runs `build`; returns its result and every route that its servers registered. */
export async function watchRoutes<Made>(build: () => Promise<Made>): Promise<[Made, Route[]]> {
  const routes: Route[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((one) => ({ method: one, url })));
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return [await build(), routes];
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

export interface HostileRequest {
  readonly method: string;
  /** Path and query, percent-encoded or not. */
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

export interface HostileAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '\udfff',
    '__proto__',
    'constructor',
    "'; DROP TABLE job; --",
    '../../x',
    '-1',
    '1e999',
    '9007199254740993',
    'NaN',
    'null',
    '[]',
    '{}',
    '%',
    '{{7*7}}',
    '$(x)',
    '\r\nX: y',
  ),
  fc.constant('x'.repeat(5_000)),
);
// A path of this machine would be read or written, as the owner's own session may.
const harmless = strings.map((text) => text.replace(/^([/\\]|[a-z]:)+/i, '.'));
const deep = fc.integer({ min: 50, max: 3_000 }).map((levels) => {
  const [open, close] = levels % 2 ? ['[', ']'] : ['{"a":', '}'];
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
});

const values: fc.Arbitrary<unknown> = fc.oneof(
  harmless,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, [], {}),
  fc.array(harmless, { maxLength: 3 }),
  fc.dictionary(harmless, harmless, { maxKeys: 3 }),
);
const fields = fc.constantFrom(
  'selected_layers',
  'rows',
  'title',
  'row_count',
  'profile_url',
  'meta',
  'mapping',
  'file',
  'upload_id',
  'label',
  'name',
  'status',
  'limit',
  'offset',
  'format',
  'code',
  'price',
  'path',
  'charge_policy',
  'people_path',
  'source',
  'trust',
  '__proto__',
  'constructor',
  'toString',
);
// Built as text: an object literal cannot have __proto__ as its own key.
const objects = fc
  .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: fields }, harmless), values), { maxLength: 5 })
  .map(
    (pairs) =>
      `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`,
  );

const almostValid = fc
  .tuple(values, values, values)
  .map(([layers, rows, title]) =>
    JSON.stringify({ selected_layers: layers, rows: [{ email: rows }, rows], title }),
  );

const boundary = 'b';
const part = fc.tuple(fields, harmless).map(([name, value]) => {
  const file = name === 'file' ? '; filename="x.csv"' : '';
  const disposition = `Content-Disposition: form-data; name="${name}"${file}`;
  return `--${boundary}\r\n${disposition}\r\n\r\n${value}\r\n`;
});
const forms = fc
  .tuple(
    fc.array(part, { maxLength: 4 }),
    fc.constantFrom(`--${boundary}--\r\n`, '', '--b\r\nCont', '--b-'),
  )
  .map(([parts, end]) => parts.join('') + end);

const types = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  `multipart/form-data; boundary=${boundary}`,
  'multipart/form-data',
  'text/csv',
  'application/x-www-form-urlencoded',
  'application/xml',
  'x',
);
const body = fc.oneof(
  { weight: 3, arbitrary: objects.map((text) => ['application/json', text] as const) },
  { weight: 2, arbitrary: almostValid.map((text) => ['application/json', text] as const) },
  {
    weight: 2,
    arbitrary: forms.map((text) => [`multipart/form-data; boundary=${boundary}`, text] as const),
  },
  { weight: 1, arbitrary: deep.map((text) => ['application/json', text] as const) },
  { weight: 2, arbitrary: fc.tuple(types, harmless) },
  { weight: 1, arbitrary: fc.tuple(types, fc.uint8Array({ maxLength: 64 })) },
);

const segment = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%c0%af',
    '%ff',
    '..%2f..',
    '%2e%2e',
    ';a=b',
    '*',
    '__proto__',
  ),
  fc.constantFrom(
    '00000000-0000-4000-8000-000000000000',
    '1',
    '-1',
    '9'.repeat(400),
    'x'.repeat(4_000),
  ),
  harmless.map((text) => encodeURIComponent(text.toWellFormed())),
);
const query = fc
  .array(
    fc.tuple(
      fields,
      fc.oneof(segment, fc.constantFrom('1', '1000', '0', 'json', 'csv', 'enriched')),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const oddHeaders: fc.Arbitrary<Record<string, string | string[]>> = fc.constantFrom<
  Record<string, string | string[]>
>(
  {},
  {},
  {},
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': ['a', 'b'] },
  { 'x-desk-account': '__proto__' },
  { 'x-desk-account': ['a', 'b'] },
  { accept: 'text/html', 'accept-encoding': 'gzip' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b', forwarded: 'for=1.2.3.4', 'x-forwarded-host': 'evil.example' },
  { range: 'bytes=0-1', 'if-none-match': '*' },
  { authorization: ['Token a', 'Token b'] },
  { authorization: `Token ${'x'.repeat(3_000)}` },
);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];

/** Requests to the given routes: most with the right method, a few with any. */
export function hostileRequests(routes: readonly Route[]): fc.Arbitrary<HostileRequest> {
  const anyMethod = fc.constantFrom(...methods);
  return fc
    .record({
      route: fc.constantFrom(...routes),
      other: fc.option(anyMethod, { freq: 8 }),
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      tail: fc.constantFrom('', '/', '/', '//', '/%', '/x'),
      query,
      body,
      headers: oddHeaders,
    })
    .map(({ route, other, segments, tail, query, body: [type, content], headers }) => {
      const method = other ?? route.method;
      let at = 0;
      const path = route.url.replace(/:\w+|\*/g, () => segments[at++ % segments.length] ?? 'x');
      const isBare = method === 'GET' || method === 'HEAD';
      const bytes = isBare ? Buffer.alloc(0) : Buffer.from(content as string);
      return {
        method,
        path: path.replace(/\/+$/, '') + tail + (query && `?${query}`),
        headers: isBare ? headers : { 'content-type': type, ...headers },
        body: bytes,
      };
    });
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request to its end. Rejects if there is no response within ten seconds. */
export const sendHostile = (
  origin: string,
  { method, path, headers, body }: HostileRequest,
  own: Record<string, string>,
): Promise<HostileAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const signal = AbortSignal.timeout(30_000);
    const all = { ...own, ...headers, 'content-length': body.length };
    request({ hostname, port, method, path, headers: all, agent, signal }, (answer) => {
      const contentType = answer.headers['content-type'] ?? null;
      const pieces: Buffer[] = [];
      const finish = () =>
        resolve({
          status: answer.statusCode ?? 0,
          contentType,
          text: Buffer.concat(pieces).toString(),
        });
      // An event stream never ends by itself.
      if (contentType?.startsWith('text/event-stream')) {
        finish();
        answer.destroy();
        return;
      }
      answer.on('data', (piece: Buffer) => pieces.push(piece)).on('end', finish);
      answer.on('error', reject);
    })
      .on('error', (error: NodeJS.ErrnoException) => {
        // Oversized headers are refused with a body, even for HEAD.
        const isHead = method === 'HEAD' && error.code === 'HPE_CLOSED_CONNECTION';
        if (isHead) resolve({ status: 400, contentType: null, text: '' });
        else reject(error);
      })
      .end(body);
  });

const internals =
  /node_modules|node:internal|\.ts:\d|\.js:\d|\n\s+at |SQLITE|SqliteError|\bSELECT \b|\bINSERT INTO\b|ZodError|"issues"|invalid_type|desk-environment-|FST_ERR|\bstack\b/;

/** How a response violates the rules; null if it does not. */
export function findBreach({ status, contentType, text }: HostileAnswer): string | null {
  // Two requests for a search at once: the second one is refused as it should be.
  if (status === 503 && text.includes('A search for duplicates is already running')) return null;
  if (status >= 500) return `answers ${status}: ${text}`;
  if (status < 400) return null;
  const found = internals.exec(text);
  if (found) return `tells internals (${found[0]}): ${text.slice(0, 300)}`;
  if (text !== '' && !contentType?.startsWith('application/json'))
    return `refuses as ${contentType}`;
  return null;
}

/** Reads the length of a run from the environment, and its seed, which is printed. */
export function planRuns(usual: number): { numRuns: number; seed: number } {
  const numRuns = Number(process.env.DESK_HOSTILE_RUNS ?? runsOf(usual));
  const seed = Number(process.env.DESK_HOSTILE_SEED ?? 20_261_120);
  console.info(`hostile input: ${numRuns} runs with seed ${seed} (DESK_HOSTILE_RUNS, _SEED)`);
  return { numRuns, seed };
}
