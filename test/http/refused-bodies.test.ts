// Every client receives the reason of a refused body: clients that send all before they read, that
// close after each request, and in other languages.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { jsonBodyBytesMax } from '../../engine/contract/limits/http.ts';
import { type Desk, shareApiDesk } from './open-api-desk.ts';

const openDesk = shareApiDesk();

const bodyBytes = jsonBodyBytesMax + 1024 * 1024;
const submitPath = '/api/v1/data-enrichment/submit/';

/** How other programs send the same body several times; each line has a status and a response. */
const clients = {
  curl: [
    'sh',
    `for n in $(seq "$4"); do curl -sS -o answer -w '%{http_code} ' -H "Authorization: Token $2" \\
      -H 'Content-Type: application/json' -H "$5" --data-binary @"$3" "$1" \\
        && cat answer; echo; done`,
  ],
  python3: [
    'python3',
    `import http.client, sys, urllib.parse
url, key, path, times, extra = sys.argv[2:7]
at = urllib.parse.urlsplit(url)
body = open(path, 'rb').read()
name, value = extra.split(': ')
for n in range(int(times)):
    c = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    c.request('POST', at.path + '?' + at.query, body,
      {'Authorization': 'Token ' + key, 'Content-Type': 'application/json', name: value})
    a = c.getresponse()
    print(a.status, a.read().decode())`,
  ],
} as const;
type Client = keyof typeof clients;

const isMissing = (program: string) => spawnSync(program, ['--version']).status !== 0;

let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desk-bodies-'));
  file = join(folder, 'large.json');
  await writeFile(file, `{"rows":"${'x'.repeat(bodyBytes)}"}`);
  return () => rm(folder, { recursive: true });
});

/**
 * Sends the large body with a client and returns its lines; null if the client is not installed.
 */
async function send(
  client: Client,
  times: number,
  url: string,
  key: string,
  extra = 'X-Nothing: 1',
): Promise<string[] | null> {
  if (isMissing(client)) {
    console.info(`${client} is not installed: what it hears was not looked at`);
    return null;
  }
  const [program, script] = clients[client];
  const child = spawn(program, ['-c', script, client, url, key, file, String(times), extra], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(problems).toBe('');
  return out.trim().split('\n');
}

/** Sends a body over the limit `times` times, on a kept connection and then on new ones. */
const expectRefusalEachTime = (times: number) => async (client: Client) => {
  const desk = await openDesk();
  for (const connection of ['Connection: keep-alive', 'Connection: close']) {
    const lines = await send(client, times, desk.url + submitPath, desk.key, connection);
    if (lines === null) return;
    expect(lines).toHaveLength(times);
    for (const line of lines) {
      expect(line).toMatch(/^400 \{"success":false,"error":"validation_error"/);
      expect(line).toContain('The body is larger than 32 MiB.');
    }
  }
};
const programs = ['curl', 'python3'] as const;

test('curl receives the refusal of a body over 32 MiB every time', () =>
  expectRefusalEachTime(4)('curl'));

test.each(programs)(
  '%s receives the refusal of a body over 32 MiB each of many times',
  { tags: ['full'] },
  expectRefusalEachTime(24),
);

/** Requests that are refused before their body is read. */
const refusals: readonly (readonly [
  what: string,
  status: number,
  asked: { path: string; headers?: Record<string, string>; key?: string },
  says: RegExp,
])[] = [
  ['an unknown path', 404, { path: '/api/v1/nothing' }, /not_found/],
  ['no key', 401, { path: submitPath, key: 'wrong' }, /unauthorized/],
  ['a wrong Host', 403, { path: submitPath, headers: { host: 'evil.example' } }, /forbidden/],
  [
    'an unsupported content type',
    400,
    { path: submitPath, headers: { 'content-type': 'text/csv' } },
    /validation_error/,
  ],
  ['no key at the tool server', 401, { path: '/api/v1/mcp', key: 'wrong' }, /error/],
  ['too much at the tool server', 400, { path: '/api/v1/mcp' }, /32 MiB/],
  ['too much at the authorization server', 400, { path: '/oauth/register' }, /error/],
  [
    'too much at the lookups',
    400,
    { path: '/email/enrichment/', key: 'query' },
    /larger than 32 MiB\. Send only a profile_url/,
  ],
];

/** Sends the whole body before it reads, as many clients do. */
async function sendFirst(
  desk: Desk,
  asked: { path: string; headers?: Record<string, string>; key?: string },
  body: Buffer,
): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(desk.url);
  const inQuery = asked.key === 'query';
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    connection: 'close',
    ...(inQuery ? {} : { authorization: `Token ${asked.key ?? desk.key}` }),
    ...asked.headers,
  };
  const path = asked.path + (inQuery ? `?token=${desk.key}` : '');
  const sent = request({ hostname, port, method: 'POST', path, headers, agent: false });
  let early: Error | null = null;
  sent.on('error', (error) => {
    early ??= error;
  });
  const answered = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    sent.on('response', async (answer) => {
      // A client that reads only after sending receives nothing if sending fails.
      if (early) reject(early);
      else resolve({ status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) });
    });
    sent.on('close', () => reject(early ?? new Error('no answer')));
  });
  await new Promise<void>((done, fail) => {
    sent.write(body, (error) => (error ? fail(error) : done()));
  });
  sent.end();
  return answered;
}

test.each(refusals)(
  'a client receives the refusal of a large body with %s',
  async (_what, status, asked, says) => {
    const desk = await openDesk();
    const body = Buffer.alloc(bodyBytes, ' ');
    const answer = await sendFirst(desk, asked, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toMatch(says);
  },
);

test('a client receives the refusal of a large body over the rate limit', async () => {
  const desk = await openDesk();
  const { key } = await desk.environment.writer.createKey({
    accountId: desk.accountId,
    label: 'once',
    requestsPerMinute: 1,
  });
  const body = Buffer.alloc(bodyBytes, ' ');
  const ask = () => sendFirst(desk, { path: submitPath, key }, body);
  expect((await ask()).status).toBe(400);
  expect(await ask()).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
});
