// docs/webhooks.md compared with a real delivery: a pipeline of the sandbox ends.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Environments, startEnvironments } from '../http/open-environments.ts';
import { type Arrival, openReceiver } from '../webhook-receiver.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');

/** The page's program in a language. */
function readSnippet(language: string): string {
  const text = page.match(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm'))?.[1];
  if (!text) throw new Error(`the page shows nothing in ${language}`);
  return text;
}

const programs: Readonly<Record<string, [command: string, ...args: string[]]>> = {
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
  sh: ['sh', '-c'],
};

let environments: Environments;
let secret: string;
let arrivals: Arrival[];
let records: Record<string, unknown>[];

async function runPipeline(email: string): Promise<Record<string, unknown>> {
  const { call } = environments.staging;
  const json = { contacts: [{ email }], unlock: ['email'] };
  const started = await call('POST', 'api/v1/pipeline/', { json });
  expect(started.status).toBe(202);
  const path = `api/v1/pipeline/${started.data.pipeline_id}/`;
  await expect.poll(async () => (await call('GET', path)).data.ready).toBe(true);
  return (await call('GET', path)).data;
}

beforeAll(async () => {
  environments = await startEnvironments();
});
afterAll(() => environments?.remove());

test('each end of a pipeline arrives once, with the record of its status route', async () => {
  const receiver = await openReceiver({ certificate: null });
  const json = { url: receiver.url, events: ['pipeline.completed', 'pipeline.failed'] };
  const made = await environments.staging.call('POST', 'api/v1/webhooks/', { json });
  secret = made.data.secret;
  records = [
    await runPipeline('enriched@sandbox.example'),
    await runPipeline('upstream-credits@sandbox.example'),
  ];
  arrivals = [await receiver.next(), await receiver.next()];
  const events = arrivals.map(({ body }) => JSON.parse(body));
  expect(events.map(({ event, data }) => ({ event, data }))).toEqual([
    { event: 'pipeline.completed', data: records[0] },
    { event: 'pipeline.failed', data: records[1] },
  ]);
  expect(records[1]).toMatchObject({ error: 'upstream_insufficient_credits' });
  expect(events.map(({ id }) => id)).toEqual(arrivals.map(({ headers }) => headers['webhook-id']));
});

describe.each(Object.keys(programs))('the program in %s', (language) => {
  const run = (body: string, signature: string) => {
    const [command, ...args] = programs[language]!;
    const env = { ...process.env, SECRET: secret, SIGNATURE: signature };
    return spawnSync(command, [...args, readSnippet(language)], { input: body, env }).status;
  };

  test('accepts the raw body of a delivery, but no other body and no other signature', () => {
    const needed = [programs[language]![0], ...(language === 'sh' ? ['openssl'] : [])];
    const isThere = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
    if (!needed.every(isThere))
      return console.warn(`Not run: ${needed.join(' and ')} cannot be found here.`);
    const { body, headers } = arrivals[0]!;
    const signature = headers['x-service-signature']!;
    expect(run(body, signature)).toBe(0);
    expect(run(JSON.stringify(JSON.parse(body), null, 2), signature)).toBe(1);
    expect(run(body, arrivals[1]!.headers['x-service-signature']!)).toBe(1);
    expect(run(body, '')).toBe(1);
  });
});
