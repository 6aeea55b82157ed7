// `desk webhooks`: all webhook functions on the command line, with a real receiver.
import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openReceiver } from '../webhook-receiver.ts';
import { makePlace, type Place, type Run } from './run-desk.ts';
import { servePlace } from './serve-place.ts';

const served = servePlace();

/** Runs `desk webhooks …` in staging, which accepts a receiver on this machine. */
const desk = (...args: string[]): Promise<Run> => served.here('webhooks', ...args, '--staging');

/** Runs `desk` with --json; asserts the exit code. */
async function ask(exitCode: number, ...args: string[]): Promise<Run['json']> {
  const { code, json, stdout, stderr } = await desk(...args, '--json');
  expect({ args, code, stderr }).toMatchObject({ code: exitCode });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return json;
}

const both = 'pipeline.completed,pipeline.failed';
const unknown = '00000000-0000-4000-8000-000000000000';

async function add(url: string): Promise<{ id: string; secret: string }> {
  const made = await ask(0, 'add', url, '--events', both);
  return { id: String(made.id), secret: String(made.secret) };
}

test('a program on this machine receives events outside staging once its host is allowed', async () => {
  const receiver = await openReceiver({ certificate: null });
  const line = ['webhooks', 'add', receiver.url, '--events', 'job.completed', '--json'];
  const refused = await served.here(...line);
  expect(refused).toMatchObject({ code: 1, json: { error: 'validation_error' } });
  expect(refused.json.detail).toMatch(/--allow-host/);
  const { code, json } = await served.here(...line, '--allow-host');
  expect({ code, json }).toMatchObject({
    code: 0,
    json: { url: receiver.url, events: ['job.completed'] },
  });
  await served.here('webhooks', 'remove', String(json.id));
});

test('add shows the secret once, and list, pause, resume and remove work', async () => {
  const url = 'https://hooks.example.com/desk';
  const made = await ask(0, 'add', url, '--events', 'pipeline.failed, pipeline.completed');
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url,
    events: ['pipeline.failed', 'pipeline.completed'],
    created_at: expect.any(String),
    secret: expect.stringMatching(/^whsec_/),
  });
  const { id, secret, ...rest } = made;
  const shown = {
    id,
    ...rest,
    last_delivery: null,
    waiting: 0,
    rotated_until: null,
    problem: null,
  };
  expect(await ask(0, 'list')).toEqual([{ ...shown, state: 'active' }]);
  expect(await ask(0, 'pause', String(id))).toEqual({ ...shown, state: 'paused' });
  expect(await ask(1, 'test', String(id))).toMatchObject({ error: 'validation_error' });
  expect(await ask(0, 'resume', String(id))).toEqual({ ...shown, state: 'active' });
  expect((await desk('list')).stdout).toMatch(new RegExp(`${id}  ${url} .* active  0 waiting`));
  expect((await desk('list')).stdout).not.toContain(secret);
  expect(await ask(0, 'remove', String(id))).toEqual({ id, deleted: true });
  expect((await desk('list')).last).toBe('No webhook yet.');
});

test('without --json only the secret is on standard output, after add and after rotate', async () => {
  const made = await desk('add', 'https://hooks.example.com/', '--events', 'pipeline.failed');
  expect(made.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect(made.stderr).toMatch(/The webhook [0-9a-f-]{36} was registered\..*Keep its secret now/s);
  const id = /webhook ([0-9a-f-]{36})/.exec(made.stderr)?.[1] ?? '';
  const rotated = await desk('rotate', id);
  expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
  expect(rotated.stdout).not.toBe(made.stdout);
  expect(rotated.stderr).toMatch(/Until .* the old secret signs as well/);
  await desk('remove', id);
});

test('test reports the result: exit code 0 if it was delivered and signed, otherwise 1', async () => {
  const receiver = await openReceiver({ certificate: null });
  const { id, secret } = await add(receiver.url);
  const done = await ask(0, 'test', id);
  expect(done).toMatchObject({
    event: 'webhook.test',
    state: 'delivered',
    attempts: [{ number: 1, status: 200, error: null, excerpt: 'thank you' }],
  });
  const { headers, body } = await receiver.next();
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers['x-service-signature']).toBe(digest);
  receiver.answer = (response) => void response.writeHead(500).end(`no, ${secret}`);
  const failed = await desk('test', id);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/^Not delivered: 500 \(\d+ ms\): no, \[hidden\]\.\n$/);
  await receiver.close();
  const refused = await desk('test', id);
  expect(refused.stdout).toMatch(/^Not delivered: The receiver refused the connection\. \(/);
  await desk('remove', id);
});

test('the log is listed by page and by state; an entry is sent again', async () => {
  const receiver = await openReceiver({ certificate: null });
  receiver.answer = (response) => void response.writeHead(503).end('later');
  const { id } = await add(receiver.url);
  const sent = [];
  for (let made = 0; made < 3; made += 1) sent.unshift(await ask(1, 'test', id));
  const first = await ask(0, 'deliveries', id, '--limit', '2');
  expect(first).toEqual({ results: sent.slice(0, 2), next_before: sent[1]!.id });
  const rest = await ask(0, 'deliveries', id, '--before', String(first.next_before));
  expect(rest).toEqual({ results: sent.slice(2), next_before: null });
  const shown = await desk('deliveries', id, '--limit', '2');
  expect(shown.last).toBe(`Deliveries: 2; older ones with --before ${first.next_before}`);
  expect(shown.stdout).toMatch(/webhook\.test .* failed {2}1 attempt {2}503 \(\d+ ms\): later/);
  const again = await desk('send-again', id, String(sent[0]!.id));
  expect([again.code, again.last]).toEqual([1, expect.stringMatching(/^Not delivered: 503/)]);
  receiver.answer = (response) => void response.end('now');
  const done = await ask(0, 'send-again', id, String(sent[1]!.id));
  expect(done).toMatchObject({
    state: 'delivered',
    event_id: sent[1]!.event_id,
    attempts: [{ status: 503 }, { number: 2, status: 200, excerpt: 'now' }],
  });
  const delivered = await ask(0, 'deliveries', id, '--state', 'delivered');
  expect(delivered.results).toEqual([done]);
  await desk('remove', id);
});

test.each([
  [['remove', unknown], 'not_found'],
  [['rotate', 'nonsense'], 'not_found'],
  [['send-again', unknown, '1'], 'not_found'],
  [['add', 'http://hooks.example.com/', '--events', both], 'validation_error'],
  [['add', 'https://me:secret@hooks.example.com/', '--events', both], 'validation_error'],
])('desk webhooks %j is refused by the engine with exit code 1', async (args, error) => {
  expect(await ask(1, ...args)).toMatchObject({ error, detail: expect.any(String) });
});

test.each<[string[], string]>([
  [[], '"desk webhooks" needs one more word'],
  [['add'], 'Usage: desk webhooks add URL --events E[,E]'],
  [['add', 'https://x.example/'], '--events is missing: name one or more of pipeline.completed'],
  [['add', 'https://x.example/', '--events', 'pipeline.done'], 'no event "pipeline.done"'],
  [['add', 'https://x.example/', '--events', 'pipeline.failed,'], 'There is no event ""'],
  [['rotat', unknown], 'Did you mean "desk webhooks rotate"?'],
  [['send-again', unknown], 'Usage: desk webhooks send-again ID DELIVERY'],
  [['send-again', unknown, 'evt_1'], 'DELIVERY evt_1 is not a delivery'],
  [['deliveries', unknown, '--limit', '0'], 'Give 1 to 1000'],
  [['deliveries', unknown, '--state', 'sent'], 'one of waiting, delivered, failed'],
  [['deliveries', unknown, '--before', '0'], '--before 0 is not a delivery'],
])('desk webhooks %j is bad usage', async (args, sentence) => {
  const { code, stderr } = await desk(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

/** Adds a webhook with the command's own engine. */
async function addAlone(place: Place, url: string): Promise<string> {
  const made = await place.here('webhooks', 'add', url, '--events', both, '--staging', '--json');
  return String(made.json.id);
}

test('without a running engine a command delivers with its own, before it ends', async () => {
  const alone = makePlace();
  onTestFinished(() => alone.remove());
  const receiver = await openReceiver({ certificate: null });
  const id = await addAlone(alone, receiver.url);
  const { code, last } = await alone.here('webhooks', 'test', id, '--staging');
  expect([code, last]).toEqual([
    0,
    expect.stringMatching(/^Delivered: 200 \(\d+ ms\): thank you\.$/),
  ]);
  expect(receiver.arrivals).toHaveLength(1);
});
