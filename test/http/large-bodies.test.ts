// Large JSON bodies are read one at a time, off the thread that answers, with the same results as
// small ones.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  busyRetrySeconds,
  jsonBodyBytesMax,
  jsonInlineBytesMax,
  jsonValuesMax,
  largeBodiesMax,
  toolMessageValuesMax,
} from '../../engine/contract/limits/http.ts';
import { jsonRowsMax } from '../../engine/contract/limits/jobs.ts';
import { createLargeBodies } from '../../engine/http/bodies/large-bodies.ts';
import { readLargeBody } from '../../engine/http/bodies/read-large-body.ts';
import {
  type Answer,
  type Desk,
  expectRefusal,
  openApiDesk,
  shareApiDesk,
} from './open-api-desk.ts';

const openDesk = shareApiDesk();

const long = { tags: ['full'] };
const json = { 'content-type': 'application/json' };
const command = (path: string) => ({ path, plan: 'plain', tableDir: '' }) as const;
const read = { value: null, rows: null, fingerprint: null };

/** The same JSON, but too long for the HTTP thread. */
const enlarge = (text: string) => ' '.repeat(jsonInlineBytesMax + 1) + text;

/** Repeats a piece of JSON up to the size of a body. */
function fill(before: string, piece: string, behind: string, bytes = 8 * 1024 ** 2): string {
  const room = bytes - before.length - behind.length;
  return before + piece.repeat(Math.floor(room / piece.length)).slice(0, -1) + behind;
}

/** Records every text that this thread parses and that is too large. */
function watchParser(): number[] {
  const { parse } = JSON;
  const large: number[] = [];
  JSON.parse = (text: string, ...rest) => {
    if (text.length > jsonInlineBytesMax) large.push(text.length);
    return parse(text, ...rest);
  };
  onTestFinished(() => {
    JSON.parse = parse;
  });
  return large;
}

/** A reader that waits before each body until it is released. */
function holdReader() {
  const held: (() => void)[] = [];
  const readBody = async (asked: Parameters<typeof readLargeBody>[0]) => {
    await new Promise<void>((go) => held.push(go));
    return readLargeBody(asked);
  };
  return { held, readBody, letGo: () => held.shift()?.() };
}

test('bodies are read one at a time, in the order of their arrival', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const bodies = createLargeBodies(async ({ path }) => {
    begun.push(path);
    await new Promise<void>((end) => ends.push(end));
    return read;
  });
  const places = ['a', 'b', 'c'].map(() => bodies.enter());
  const reading = places.map((place, at) => place.read(command('abc'[at] ?? '')));
  for (const so_far of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await expect.poll(() => begun).toEqual(so_far);
    ends.shift()?.();
  }
  await Promise.all(reading);
});

test('after a failed body the next one is read', async () => {
  const bodies = createLargeBodies(async ({ path }) => {
    if (path === 'a') throw new Error('broken');
    return read;
  });
  const failing = bodies.enter().read(command('a'));
  const next = bodies.enter().read(command('b'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe(read);
});

test('the number of bodies is limited; a client that leaves frees a place', () => {
  const bodies = createLargeBodies(async () => read, { placesMax: 2, waitMaxMs: 1_000 });
  const first = bodies.enter();
  bodies.enter();
  expect(() => bodies.enter()).toThrow(expect.objectContaining({ code: 'busy' }));
  first.leave();
  first.leave();
  bodies.enter();
  expect(() => bodies.enter()).toThrow(expect.objectContaining({ code: 'busy' }));
});

test('a body that waits too long is refused as retryable', async () => {
  const ends: (() => void)[] = [];
  const bodies = createLargeBodies(() => new Promise((resolve) => ends.push(() => resolve(read))), {
    placesMax: 9,
    waitMaxMs: 20,
  });
  const end = async () => {
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
  };
  const first = bodies.enter().read(command('a'));
  await expect(bodies.enter().read(command('b'))).rejects.toMatchObject({ code: 'busy' });
  await end();
  expect(await first).toBe(read);
  const last = bodies.enter().read(command('c'));
  await end();
  expect(await last).toBe(read);
});

test('while a large body is read, small requests are answered, and other large ones wait', async () => {
  const { held, readBody, letGo } = holdReader();
  const desk = await openApiDesk({ readBody });
  const order: string[] = [];
  const note = async (what: string, asked: Promise<Answer>) => {
    const answer = await asked;
    order.push(what);
    return answer;
  };
  const rows = [{ email: 'a@b.example' }];
  const large = (title: string) => {
    const body = enlarge(JSON.stringify({ selected_layers: ['L1'], title, rows }));
    return note(title, desk.call('POST', 'submit/', { headers: json, body }));
  };
  const first = large('first');
  await expect.poll(() => held.length).toBe(1);
  const second = large('second');
  await note('health', desk.call('GET', '/healthz'));
  await note('small', desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } }));
  expect(held.length).toBe(1);
  letGo();
  expect((await first).status).toBe(202);
  await expect.poll(() => held.length).toBe(1);
  letGo();
  expect((await second).status).toBe(202);
  expect(order).toEqual(['health', 'small', 'first', 'second']);
  expect(desk.listLeftovers()).toEqual([]);
});

test('with all places taken, a further body is busy with a time to retry', async () => {
  const { held, readBody, letGo } = holdReader();
  const desk = await openApiDesk({ readBody });
  const body = enlarge(JSON.stringify({ selected_layers: ['L1'], row_count: 1 }));
  const spools = () => readdirSync(join(desk.environment.folder, 'uploads'));
  const ask = () => desk.call('POST', 'estimate/', { headers: json, body });
  const taken = Array.from({ length: largeBodiesMax }, ask);
  await expect.poll(() => spools().length).toBe(largeBodiesMax);
  const refused = await ask();
  expectRefusal(refused, 'busy', /then try again/);
  expect(refused.headers.get('retry-after')).toBe(String(busyRetrySeconds));
  const rpc = await desk.call('POST', '/api/v1/mcp', { headers: json, body });
  expect([rpc.status, rpc.body.error.data]).toEqual([503, { error: 'busy' }]);
  const path = `/phone/enrichment/?token=${desk.key}`;
  const lookup = await desk.call('POST', path, { key: null, headers: json, body });
  expect([lookup.status, lookup.body.code]).toEqual([500, 500]);
  for (let answered = 0; answered < largeBodiesMax; answered += 1) {
    await expect.poll(() => held.length).toBe(1);
    letGo();
  }
  for (const { status } of await Promise.all(taken)) expect(status).toBe(200);
  expect(spools()).toEqual([]);
});

const row = { email: 'a@b.example' };
const layers = { selected_layers: ['L1'] };
const longTitle = 'x'.repeat(201);
const lots = Array.from({ length: jsonRowsMax + 1 }, () => ({}));
/** Valid and invalid bodies of every kind: route, and text. */
const bodies: readonly (readonly [path: string, texts: readonly string[]])[] = [
  [
    'submit/',
    [
      '',
      '{',
      '[]',
      '"x"',
      '5',
      'null',
      '{"__proto__":{}}',
      '{"a":1,}',
      '{"rows":[{]}',
      ...[
        {},
        { rows: [row] },
        { selected_layers: [], rows: [row] },
        { selected_layers: 5 },
        { ...layers, rows: [] },
        { ...layers, rows: null },
        { ...layers, rows: ' ' },
        { ...layers, title: longTitle },
        { selected_layers: 5, rows: [row] },
        { selected_layers: { a: 1 }, rows: [row] },
        { selected_layers: ['L1', 2], rows: [row] },
        { selected_layers: ['L9', 'L9'], rows: [row] },
        { selected_layers: ['L9'], title: longTitle, rows: [5] },
        { ...layers, title: longTitle, rows: [5] },
        { ...layers, title: ['a'], rows: [row] },
        { ...layers, rows: row },
        { ...layers, rows: 'x' },
        { ...layers, rows: [row, 'x'] },
        { ...layers, rows: [[row]] },
        { ...layers, rows: [row, { email: 5 }] },
        { ...layers, rows: [{ 'My team': {} }] },
        { ...layers, rows: [{ email: 'a\0b' }] },
        { ...layers, rows: lots },
        { rows: lots },
        { ...layers, rows: [row], junk: lots },
        { ...layers, rows: [{}] },
      ].map((body) => JSON.stringify(body)),
      `{"rows":5,"selected_layers":["L1"],"rows":[{"email":"a@b.example"}]}`,
    ],
  ],
  [
    'estimate/',
    [
      { ...layers },
      { ...layers, row_count: 0 },
      { ...layers, row_count: [1] },
      { ...layers, row_count: 7 },
    ].map((body) => JSON.stringify(body)),
  ],
  [
    '/api/v1/career-monitor/jobs/',
    [{}, { rows: [] }, { rows: [5] }, { title: longTitle, rows: [row] }, { rows: lots }].map(
      (body) => JSON.stringify(body),
    ),
  ],
  [
    '/api/v1/pipeline/',
    [
      {},
      { unlock: ['email'] },
      { unlock: ['fax'], contacts: [row] },
      { unlock: ['email'], contacts: [] },
      { unlock: ['email'], contacts: [row], more: 1 },
      { unlock: ['email'], contacts: [row], uuids: [] },
      { unlock: ['email'], uuids: ['x'] },
      { unlock: ['email'], filters: { limit: 0 } },
    ].map((body) => JSON.stringify(body)),
  ],
  [
    '/app/v1/email-validations/estimate',
    ['{}', '{"emails":[]}', '{"emails":[5]}', '{"emails":[" a@b.c "]}'],
  ],
  ['/app/v1/wallet/grants', ['{}', '{"credits":" 5"}', '[]', '{']],
  ['/phone/enrichment/?token=', ['{}', '{"profile_url":5}', '{', '[]']],
];

test.each(bodies)(
  '%s: a large body has the same response as a small one with the same JSON',
  async (path, texts) => {
    const desk = await openDesk();
    const parsed = watchParser();
    const { key } = await desk.environment.writer.createKey({
      accountId: desk.accountId,
      label: 'many',
      requestsPerMinute: 6_000,
    });
    const ask = (body: string) => {
      const options = { headers: json, body, key };
      if (path.startsWith('/app/v1/')) return desk.app('POST', path.slice(8), options);
      if (path.endsWith('token=')) return desk.call('POST', path + key, { ...options, key: null });
      return desk.call('POST', path, options);
    };
    // Ids and times differ between two jobs.
    const tell = ({ status, text }: Answer) => [status, text.replaceAll(/"[\w:.-]{20,36}"/g, '…')];
    for (const text of texts) {
      if (text.length <= jsonInlineBytesMax)
        expect([text, ...tell(await ask(enlarge(text)))]).toEqual([text, ...tell(await ask(text))]);
    }
    expect(parsed).toEqual([]);
    expect(desk.listLeftovers()).toEqual([]);
  },
);

/** The id that a request started; its status may have changed since. */
const readId = ({ body }: Answer): unknown =>
  body.job_id ?? body.data.job_id ?? body.data.pipeline_id;

test('a large repeat of a small request under one key is the same job', async () => {
  const desk = await openDesk();
  const texts = [
    ['submit/', { ...layers, rows: [{ Own: 'x', email: 'found@a.example' }, { title: 'y' }] }],
    ['/api/v1/pipeline/', { unlock: ['email'], contacts: [{ Own: 'x', email: 'a@a.example' }] }],
    ['/api/v1/career-monitor/jobs/', { rows: [{ Own: 'x', email: 'a@a.example' }] }],
  ] as const;
  for (const [path, body] of texts) {
    const headers = { ...json, 'idempotency-key': path };
    const small = await desk.call('POST', path, { headers, body: JSON.stringify(body) });
    const large = await desk.call('POST', path, { headers, body: enlarge(JSON.stringify(body)) });
    expect([small.status, large.status]).toEqual([202, 200]);
    expect(readId(large)).toBe(readId(small));
    const other = enlarge(JSON.stringify(body).replace('"x"', '"z"'));
    expectRefusal(await desk.call('POST', path, { headers, body: other }), 'idempotency_conflict');
  }
});

test('10,000 rows of many fields are accepted, and their cells are kept', async () => {
  const desk = await openDesk();
  const parsed = watchParser();
  const rows = Array.from({ length: jsonRowsMax }, (_, at) => ({
    email: `found${at}@a.example`,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`Own ${field}`, `${at}`])),
  }));
  const answer = await desk.call('POST', 'submit/', {
    headers: json,
    body: JSON.stringify({ ...layers, rows }),
  });
  expect([answer.status, answer.data.total_rows]).toEqual([202, jsonRowsMax]);
  expect(parsed).toEqual([]);
  expect(desk.listLeftovers()).toEqual([]);
});

const tooManyRows = /^rows: \d{7,8} rows are more than the 10000 allowed in JSON\. .*CSV/;
const tooManyValues = /^The body has more than \d+ values\./;
/** Millions of small values, and their member of the body. */
const hostile: readonly (readonly [what: string, text: string, submitted: RegExp | 'bad_rows'])[] =
  [
    ['rows of []', fill('{"selected_layers":["L1"],"rows":[', '[],', ']}'), tooManyRows],
    ['rows of {}', fill('{"selected_layers":["L1"],"rows":[', '{},', ']}'), tooManyRows],
    ['a row of []', fill('{"selected_layers":["L1"],"rows":[[', '[],', ']]}'), tooManyValues],
    ['junk of []', fill('{"selected_layers":["L1"],"x":[', '[],', ']}'), 'bad_rows'],
    ['many keys', fill('{"selected_layers":["L1"],"x":{', '"k":1,', '}}'), 'bad_rows'],
    [
      'deep arrays',
      `{"selected_layers":["L1"],"x":${'['.repeat(4e6)}${']'.repeat(4e6)}}`,
      'bad_rows',
    ],
  ];

async function takeHostile(desk: Desk, text: string, submitted: RegExp | 'bad_rows') {
  const body = Buffer.from(text);
  const answer = await desk.call('POST', 'submit/', { headers: json, body });
  if (submitted === 'bad_rows') expectRefusal(answer, 'bad_rows');
  else expectRefusal(answer, 'validation_error', submitted);
  for (const path of ['/api/v1/pipeline/', '/api/v1/webhooks/'])
    expectRefusal(
      await desk.call('POST', path, { headers: json, body }),
      'validation_error',
      tooManyValues,
    );
  for (const path of ['keys', 'email-validations'])
    expectRefusal(
      await desk.app('POST', path, { headers: json, body }),
      'validation_error',
      tooManyValues,
    );
  const rpc = await desk.call('POST', '/api/v1/mcp', { headers: json, body });
  expect([rpc.status, rpc.body.error.code]).toEqual([400, -32600]);
  expect(rpc.body.error.message).toContain(`more than ${toolMessageValuesMax} values`);
  const path = `/email/enrichment/?token=${desk.key}`;
  const lookup = await desk.call('POST', path, { key: null, headers: json, body });
  expect([lookup.status, lookup.body.message]).toEqual([
    400,
    expect.stringContaining(`more than ${jsonValuesMax} values`),
  ]);
}

async function refuseHostile(text: string, submitted: RegExp | 'bad_rows'): Promise<void> {
  const desk = await openDesk();
  const parsed = watchParser();
  await takeHostile(desk, text, submitted);
  expect(parsed).toEqual([]);
  expect(desk.listLeftovers()).toEqual([]);
}

const refusedEverywhere =
  'millions of values as %s are refused everywhere, and never parsed by the HTTP thread';
const refuseOne = (_what: string, text: string, submitted: RegExp | 'bad_rows') =>
  refuseHostile(text, submitted);
const isShort = ([what]: (typeof hostile)[number]) => /^(rows of \[\]|deep arrays)$/.test(what);
test.each(hostile.filter(isShort))(refusedEverywhere, refuseOne);
test.each(hostile.filter((one) => !isShort(one)))(refusedEverywhere, { tags: ['full'] }, refuseOne);

test('a body of the largest size with millions of rows is refused everywhere', long, () =>
  refuseHostile(
    fill('{"selected_layers":["L1"],"rows":[', '[],', ']}', jsonBodyBytesMax),
    tooManyRows,
  ),
);
