// `desk providers`: the list, the check of a file, and the test with the user's key.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { definitionFile } from '../providers/definitions/make-definition.ts';
import { openUpstream, type Upstream } from '../providers/definitions/open-upstream.ts';
import { makePlace, runHere } from './run-desk.ts';

const place = makePlace();
afterAll(() => place.remove());

const format = (changes: object) => JSON.stringify(definitionFile(changes), null, 2);

function writeOwn(name: string, text: string): string {
  mkdirSync(join(place.dataDir, 'providers'), { recursive: true });
  const path = join(place.dataDir, 'providers', name);
  writeFileSync(path, text);
  return path;
}

test('providers list shows the own definitions, their fields, and each fault with its line', async () => {
  writeOwn('finder.json', format({}));
  const path = writeOwn('broken.json', '{\n  "id": "broken"\n}');
  writeOwn('notes.txt', 'not a definition');
  const { code, json } = await place.here('providers', 'list', '--json');
  const listed = json as unknown as Record<string, unknown>[];
  expect(code).toBe(0);
  expect(listed).toContainEqual({
    id: 'finder',
    origin: 'own',
    path: join(place.dataDir, 'providers', 'finder.json'),
    title: 'Finder',
    fields: ['work_email'],
    faults: [],
  });
  expect(listed).toContainEqual(
    expect.objectContaining({
      id: 'broken',
      title: null,
      faults: expect.arrayContaining([{ line: 1, what: 'title: is missing' }]),
    }),
  );
  const shown = await place.here('providers', 'list');
  expect(shown.stdout).toMatch(/^finder +own +Finder +work_email$/m);
  expect(shown.stdout).toContain(`${path}:1: title: is missing`);
  expect(shown.last).toMatch(/^\d+ definitions$/);
});

test('providers check says that a complete file is complete', async () => {
  place.write('finder.json', format({}));
  const { code, last } = await place.here('providers', 'check', 'finder.json');
  expect([code, last]).toEqual([0, 'finder.json is a complete definition of Finder.']);
});
test('providers check shows each fault as FILE:LINE and fails', async () => {
  place.write('finder.json', format({ title: '', hosts: ['other.example'] }));
  const { code, stdout } = await place.here('providers', 'check', 'finder.json');
  expect([code, stdout.trim()]).toEqual([
    1,
    'finder.json:3: title: Too small: expected string to have >=1 characters',
  ]);
  const { json } = await place.here('providers', 'check', 'finder.json', '--json');
  expect(json).toMatchObject({ id: null, faults: [{ line: 3 }] });
});
test('providers check refuses a file that does not exist', async () => {
  const { code, stderr } = await place.here('providers', 'check', 'none.json');
  expect([code, stderr]).toEqual([2, expect.stringContaining('There is no file')]);
});
const key = 'key-0123456789';
const health = {
  request: { method: 'GET', url: 'https://api.finder.example/v1/account' },
  balance: 'credits',
  assumptions: [{ says: 'The plan is in the answer.', match: 'plan' }],
};
const sandbox = [
  {
    op: 'find-email',
    row: { first_name: 'Test', last_name: 'Person', company_domain: 'test.example' },
    expect: { email: 'test@test.example' },
  },
];
let service: Upstream;
beforeEach(async () => {
  service = await openUpstream({ status: 200, body: { credits: 12, plan: 'free' } });
  const changes = { dev: true, hosts: [service.host], health, sandbox };
  const rules = [{ status: 401, means: 'auth' }];
  writeOwn(
    'finder.json',
    format({ ...changes, rules }).replaceAll(
      'https://api.finder.example',
      `http://${service.host}`,
    ),
  );
});
afterEach(() => service[Symbol.asyncDispose]());
const run = (...words: string[]) =>
  runHere(place, ['providers', 'test', 'finder', ...words], {
    answer: () => false,
    secret: `${key}\n`,
  });

test('providers test passes if the answers are as declared, and never shows the key', async () => {
  service.answers.push({ status: 200, body: { email: 'test@test.example' } });
  const { code, stdout, stderr, last } = await run();
  expect([code, last]).toEqual([0, 'All 4 checks passed.']);
  expect(stdout).toContain('ok  The answer has the balance. 12 credits are left.');
  expect(stdout + stderr).not.toContain(key);
  expect(service.arrived.map(({ headers }) => headers['x-key'])).toEqual([key, key]);
});
test('providers test says which assumption does not hold', async () => {
  service.answers = [
    { status: 200, body: {} },
    { status: 200, body: { email: 'other@test.example' } },
  ];
  const { code, json } = await run('--json');
  expect([code, json]).toEqual([
    1,
    {
      id: 'finder',
      checks: [
        { assumption: 'The service accepts the key.', isOk: true, detail: '' },
        {
          assumption: 'The answer has the balance.',
          isOk: false,
          detail: 'It has no number there.',
        },
        { assumption: 'The plan is in the answer.', isOk: false, detail: '' },
        {
          assumption: 'The sandbox call of find-email answers as expected.',
          isOk: false,
          detail: 'email is other@test.example, not test@test.example.',
        },
      ],
    },
  ]);
});
test('providers test says in words that a private address is refused', async () => {
  const file = format({ hosts: ['10.0.0.1'], health, sandbox });
  writeOwn('finder.json', file.replaceAll('api.finder.example', '10.0.0.1'));
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toContain(
    'finder.json:6: hosts[0]: 10.0.0.1 is in a private network; only a definition with ' +
      '"local": true may use it',
  );
});
test('providers test ends at a refused key', async () => {
  service.answers = [{ status: 401, body: { message: `unknown key ${key}` } }];
  const { code, stdout, last } = await run();
  expect([code, last]).toEqual([1, '0 of 1 check passed.']);
  expect(stdout).toContain('Finder: It answered 401: unknown key …');
  expect(service.arrived).toHaveLength(1);
});
test('providers test says that a definition has nothing to test', async () => {
  writeOwn('bare.json', format({ id: 'bare' }));
  const { code, last } = await runHere(place, ['providers', 'test', 'bare'], {
    answer: () => false,
    secret: key,
  });
  expect([code, last]).toEqual([0, 'Finder has no free request to test it with.']);
});
test('providers test refuses an unknown name, a faulty definition, and an empty key', async () => {
  const test = (name: string, secret: string) =>
    runHere(place, ['providers', 'test', name], { answer: () => false, secret });
  expect(await test('nobody', key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no provider nobody.'),
  });
  writeOwn('broken.json', '{}');
  expect(await test('broken', key)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('broken.json:1: id: is missing'),
  });
  expect(await test('finder', '')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Send the key on standard input'),
  });
});
