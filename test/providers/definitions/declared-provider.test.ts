// A provider by declaration over real HTTP: what is sent, what the answers mean, what is never
// repeated, and what it does not reveal.
import { afterAll, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../engine/contract/provider.ts';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import { isAllowedAddress } from '../../../engine/providers/definitions/allowed-hosts.ts';
import { openDeclaredProvider } from '../../../engine/providers/definitions/declared-provider.ts';
import {
  ann,
  ask,
  failureOf,
  key,
  openProvider,
  options,
  reader,
  verifyOperation,
} from './ask-provider.ts';
import { finderOperation, makeDefinition } from './make-definition.ts';
import { openUpstream } from './open-upstream.ts';
import { createVirtualClock } from './virtual-clock.ts';

afterAll(() => reader.stop());

const readSecret = async () => key;

test('a hit over HTTP has its value; the request has the key and the values of the row', async () => {
  await using service = await openUpstream({ status: 200, body: { email: 'ann@acme.example' } });
  const { provider } = openProvider(service.host);
  expect(await ask(provider)).toEqual({
    kind: 'answered',
    costCredits: null,
    rows: [
      {
        work_email: {
          kind: 'hit',
          values: { email: 'ann@acme.example' },
          observedOn: null,
          confidence: null,
        },
      },
    ],
  });
  const [arrived] = service.arrived;
  expect(arrived).toMatchObject({
    method: 'GET',
    target: '/v1/find/acme.example?first=Ann&last=Lee',
    headers: { 'x-key': key, accept: 'application/json' },
  });
});

test('a value that repeats the key does not have it', async () => {
  const body = { email: `${key}@acme.example` };
  await using service = await openUpstream({ status: 200, body });
  const answered = await ask(openProvider(service.host).provider);
  expect(JSON.stringify(answered)).toContain('…@acme.example');
  expect(JSON.stringify(answered)).not.toContain(key);
});

test('a provider describes its fields, needs and costs', async () => {
  const { provider } = openProvider('127.0.0.1:9', {
    ops: [
      { ...finderOperation, cost: { max: { row: 1, fields: { work_email: 0.5 } } } },
      { ...verifyOperation, cost: { max: { row: 0.25 } } },
    ],
    limits: { concurrency: 4 },
    keepDays: 90,
  });
  expect(provider.describe()).toEqual({
    id: 'finder',
    title: 'Finder',
    rowsMax: 1,
    requestsMax: 4,
    fields: {
      work_email: {
        needs: [['first_name', 'last_name', 'company_domain']],
        costMaxCredits: 1.5,
      },
      email_status: { needs: [['email']], costMaxCredits: 0.25 },
    },
    rowCostMaxCredits: 0,
    keepDays: 90,
  });
  const single = openProvider('127.0.0.1:9', {
    ops: [{ ...finderOperation, cost: { max: { row: 1, fields: { work_email: 2 } } } }],
  });
  expect(single.provider.describe()).toMatchObject({
    rowCostMaxCredits: 1,
    fields: { work_email: { costMaxCredits: 2 } },
  });
});

describe('one failed answer', () => {
  const rules = [
    { status: 401, means: 'auth' },
    { status: 402, means: 'quota' },
    { status: 400, means: 'bad_input' },
    { status: 451, means: 'legal' },
    { status: 202, means: 'retry', waitSec: 9 },
    { status: 429, means: 'slow' },
  ];
  test.each([
    [401, {}, 'bad_key', null],
    [402, {}, 'quota', null],
    [400, {}, 'bad_input', null],
    [451, {}, 'legal_refusal', null],
    [202, {}, 'unavailable', 9_000],
    [429, { 'retry-after': '3' }, 'slow_down', 3_000],
    [429, {}, 'slow_down', 10_000],
    [404, {}, 'source_error', null],
    [302, { location: 'http://127.0.0.1:9/' }, 'source_error', null],
    [500, {}, 'uncertain', null],
  ] as const)(
    'with status %i and %j is %s, and is sent once',
    async (status, headers, failure, ms) => {
      const body = { message: `No, ${key}` };
      await using service = await openUpstream({ status, headers: { ...headers }, body });
      const { provider } = openProvider(service.host, { rules });
      const error = await failureOf(ask(provider));
      expect([error.failure, error.retryAfterMs]).toEqual([failure, ms]);
      expect(error.message).toBe(`Finder: It answered ${status}: No, …`);
      expect(service.arrived).toHaveLength(1);
    },
  );

  const secret = 'Key"+/%&=-Zm9vYmFyYmF6cXV4';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.each([
    ['as it is', secret, '…'],
    ['cut off by the limit of the log', `${'x'.repeat(270)} ${secret}`, `${'x'.repeat(270)} …`],
    ['without its end', `${secret.slice(0, 11)} is unknown`, '… is unknown'],
    ['without its beginning', `${secret.slice(-9)} is unknown`, '… is unknown'],
    ['in base64', `<${base64(secret)}>`, '<…Q=>'],
    ['in base64 with a name', `<${base64(`me:${secret}`)}>`, '<bWU6…Q=>'],
    ['in hexadecimal', `<${Buffer.from(secret).toString('hex').toUpperCase()}>`, '<…>'],
    ['in a URL', `/?key=${encodeURIComponent(secret)}&x=1`, '/?key=…&x=1'],
    ['in JSON within JSON', JSON.stringify(JSON.stringify([secret])), '"[\\"…"]"'],
  ])('does not repeat the key %s', async (_how, said, shown) => {
    await using service = await openUpstream({ status: 400, body: { message: `No ${said}` } });
    const { provider } = openProvider(service.host, {}, secret);
    const { message } = await failureOf(ask(provider));
    expect(message).toBe(`Finder: It answered 400: No ${shown}`);
  });

  test.each<[string, RegExp, Parameters<typeof openUpstream>[0]]>([
    [
      'a reset after the request was read',
      /closed the connection before it answered\.$/,
      (response) => response.socket?.resetAndDestroy(),
    ],
    [
      'a closed connection',
      /closed the connection before it answered\.$/,
      (response) => response.socket?.destroy(),
    ],
    [
      'a body that is cut off',
      /ended its answer too early\.$/,
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"email":"ann@acme', () => response.destroy());
      },
    ],
    [
      'JSON that is cut off',
      /It answered 200, but the answer is not complete JSON\.$/,
      (response) => void response.writeHead(200).end('{"email":"ann@acme.example"'),
    ],
    [
      'a body of more than 2 MB',
      /2 MB/,
      (response) => void response.writeHead(200).end(JSON.stringify({ a: 'x'.repeat(2_200_000) })),
    ],
  ])('with %s is uncertain, and is sent once', async (_name, words, answer) => {
    await using service = await openUpstream(answer);
    const { provider } = openProvider(service.host);
    const error = await failureOf(ask(provider));
    expect(error).toMatchObject({ failure: 'uncertain', message: expect.stringMatching(words) });
    expect(service.arrived).toHaveLength(1);
  });

  test('that does not come in time is uncertain', async () => {
    await using service = await openUpstream(() => {});
    const { provider } = openProvider(service.host, { deadlineSec: 0.2 });
    const error = await failureOf(ask(provider));
    expect([error.failure, error.message]).toEqual([
      'uncertain',
      'The service did not answer in time.',
    ]);
  });
});

describe('nothing is sent', () => {
  test('without a key', async () => {
    await using service = await openUpstream({ status: 200, body: {} });
    const { provider } = openProvider(service.host, {}, null);
    expect((await failureOf(ask(provider))).failure).toBe('bad_key');
    expect(service.arrived).toEqual([]);
  });
  test('to a service that refuses the connection, which is unavailable', async () => {
    let sends = 0;
    const service = await openUpstream({ status: 200 });
    await service[Symbol.asyncDispose]();
    const { provider } = openProvider(service.host);
    const onSend = () => {
      sends += 1;
    };
    const work = ask(provider, ['work_email'], ann, { onSend });
    expect((await failureOf(work)).failure).toBe('unavailable');
    expect(sends).toBe(0);
  });
  test.each(['10.0.0.1', '192.168.1.1', '169.254.169.254', '[::1]', '127.0.0.1'])(
    'to the private address %s of a definition that does not say "dev"',
    async (host) => {
      const definition = JSON.parse(
        JSON.stringify(makeDefinition({ hosts: [host] })).replaceAll('api.finder.example', host),
      );
      const deps = { clock: createVirtualClock(), reader, readSecret, findRoutes: goDirectly };
      const error = await failureOf(ask(openDeclaredProvider(definition, deps)));
      expect([error.failure, error.message]).toEqual([
        'unavailable',
        expect.stringContaining('private network'),
      ]);
    },
  );
  test('to this machine or its link, also of a definition that says "local"', () => {
    const definition = makeDefinition({ local: true });
    const allowed = ['10.0.0.1', 'fd00::1', '127.0.0.1', '::1', '169.254.169.254'].filter((one) =>
      isAllowedAddress(definition, one),
    );
    expect(allowed).toEqual(['10.0.0.1', 'fd00::1']);
    expect(isAllowedAddress(makeDefinition(), '10.0.0.1')).toBe(false);
  });
  test('to a name that has a private address', async () => {
    const definition = JSON.parse(
      JSON.stringify(makeDefinition({})).replaceAll('api.finder.example', 'localhost:9'),
    );
    const deps = { clock: createVirtualClock(), reader, readSecret, findRoutes: goDirectly };
    const error = await failureOf(ask(openDeclaredProvider(definition, deps)));
    expect(error.message).toContain('private network');
  });
  test('if onSend refuses, and its error is thrown', async () => {
    await using service = await openUpstream({ status: 200, body: {} });
    const { provider } = openProvider(service.host);
    const refuse = () => {
      throw new Error('cancelled');
    };
    await expect(ask(provider, ['work_email'], ann, { onSend: refuse })).rejects.toThrow(
      'cancelled',
    );
    expect(service.arrived).toEqual([]);
  });
  test('if the signal is aborted before', async () => {
    await using service = await openUpstream({ status: 200, body: {} });
    const { provider } = openProvider(service.host);
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(ask(provider, ['work_email'], ann, { signal })).rejects.toThrow('stopped');
    expect(service.arrived).toEqual([]);
  });
});

test('without its key a provider is skipped, and a poll is repeated; nothing is sent', async () => {
  await using service = await openUpstream({ status: 202, body: { id: 't-1' } });
  const later = {
    ...finderOperation,
    async: { ticket: 'id', poll: finderOperation.request, everySec: 1, deadlineSec: 60 },
  };
  const rules = [{ status: 202, means: 'pending' }];
  const changes = { ops: [later], rules };
  const pending = await ask(openProvider(service.host, changes).provider);
  if (pending.kind !== 'pending') throw new Error('the service answers later');
  const locked = new ProviderError('unavailable', 'The keychain is locked. Unlock it.');
  const definition = openProvider(service.host, changes).definition;
  const readLocked = () => Promise.reject(locked);
  const deps = {
    clock: createVirtualClock(),
    reader,
    findRoutes: goDirectly,
    readSecret: readLocked,
  };
  const provider = openDeclaredProvider(definition, deps);
  const asked = await failureOf(ask(provider));
  const request = { id: 'r-1', rows: [{ row: ann, fields: ['work_email' as const] }] };
  const polled = await failureOf(provider.poll!(pending.ticket, request, options().signal));
  expect([asked.failure, polled.failure]).toEqual(['bad_key', 'unavailable']);
  expect(asked.message).toBe('Finder: The keychain is locked. Unlock it.');
  expect(service.arrived).toHaveLength(1);
});

test('a request that was sent before an abort is uncertain if no answer comes for five seconds', async () => {
  const stop = new AbortController();
  await using service = await openUpstream(() => stop.abort(new Error('stopped')));
  const { clock, provider } = openProvider(service.host);
  const startedAt = clock.now();
  const asked = failureOf(ask(provider, ['work_email'], ann, { signal: stop.signal }));
  await expect.poll(() => stop.signal.aborted).toBe(true);
  expect((await clock.run(asked)).failure).toBe('uncertain');
  expect(clock.now() - startedAt).toBe(5_000);
});

test('an answer that comes after an abort is kept', async () => {
  const stop = new AbortController();
  await using service = await openUpstream((response) => {
    stop.abort(new Error('stopped'));
    response.writeHead(200).end('{"email":"ann@acme.example"}');
  });
  const { provider } = openProvider(service.host);
  const found = await ask(provider, ['work_email'], ann, { signal: stop.signal });
  expect(found).toMatchObject({ rows: [{ work_email: { kind: 'hit' } }] });
});

describe('limits', () => {
  test('an answer that asks for a wait holds up the next request, which is not sent', async () => {
    await using service = await openUpstream({ status: 429, headers: { 'retry-after': '60' } });
    const { clock, provider } = openProvider(service.host, {
      rules: [{ status: 429, means: 'slow' }],
    });
    await failureOf(ask(provider));
    const error = await failureOf(ask(provider));
    expect([error.failure, error.retryAfterMs]).toEqual(['slow_down', 60_000]);
    expect(service.arrived).toHaveLength(1);
    clock.skip(60_000);
    await failureOf(ask(provider));
    expect(service.arrived).toHaveLength(2);
  });
  test('after five failures in a row nothing is sent until one may try again', async () => {
    await using service = await openUpstream({ status: 500 });
    const { clock, provider } = openProvider(service.host);
    for (let at = 0; at < 5; at += 1) await failureOf(ask(provider));
    const error = await failureOf(ask(provider));
    expect([error.failure, error.retryAfterMs]).toEqual(['unavailable', 30_000]);
    expect(provider.readBreaker().state).toBe('open');
    expect(service.arrived).toHaveLength(5);
    clock.skip(30_000);
    expect(provider.readBreaker().state).toBe('half_open');
    service.answers = [{ status: 200, body: { email: 'ann@acme.example' } }];
    await ask(provider);
    expect(provider.readBreaker().state).toBe('closed');
  });
});

describe('the balance', () => {
  const health = {
    request: { method: 'GET', url: 'https://api.finder.example/v1/account' },
    balance: 'credits',
  };
  test('is read by a free request', async () => {
    await using service = await openUpstream({ status: 200, body: { credits: 41.5 } });
    const { provider } = openProvider(service.host, { health });
    expect(await provider.readBalance?.(new AbortController().signal)).toBe(41.5);
    expect(service.arrived[0]).toMatchObject({ target: '/v1/account', headers: { 'x-key': key } });
  });
  test('is null if the definition or the answer has none', async () => {
    await using service = await openUpstream({ status: 200, body: {} });
    const { signal } = new AbortController();
    expect(await openProvider(service.host).provider.readBalance?.(signal)).toBeNull();
    expect(await openProvider(service.host, { health }).provider.readBalance?.(signal)).toBeNull();
  });
  test.each([1e308, -1e308, 1e10, '1e400'])('is null if the answer has %j', async (credits) => {
    await using service = await openUpstream({ status: 200, body: { credits } });
    const { provider } = openProvider(service.host, { health });
    expect(await provider.readBalance?.(new AbortController().signal)).toBeNull();
  });
  test('fails with the refusal of the key', async () => {
    await using service = await openUpstream({ status: 401, body: {} });
    const rules = [{ status: 401, means: 'auth' }];
    const { provider } = openProvider(service.host, { health, rules });
    const work = provider.readBalance?.(new AbortController().signal) ?? Promise.resolve();
    expect((await failureOf(work)).failure).toBe('bad_key');
  });
});
