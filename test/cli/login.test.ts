// `desk login`: email and password of the page that authorizes assistants.
import { afterAll, expect, test } from 'vitest';
import { makePlace, runHere } from './run-desk.ts';

const place = makePlace();
afterAll(() => place.remove());

const set = (secret: string, email = 'Ann@Example.test') =>
  runHere(place, ['login', 'set', email, '--json'], { answer: () => false, secret });

test('login set reads the password from standard input; show and remove print the rest', async () => {
  const done = await set('correct horse\n');
  expect([done.code, done.json]).toEqual([
    0,
    { email: 'ann@example.test', set_at: expect.any(String) },
  ]);
  expect(done.stdout + done.stderr).not.toContain('correct horse');
  expect((await place.here('login', 'show')).last).toBe('Logs in as ann@example.test.');
  expect((await place.here('login', 'remove', '--json')).last).toBe('null');
  expect((await place.here('login', 'show')).last).toBe('No login is set.');
});

test.each([
  ['no password', '', undefined, 'Send the password on standard input'],
  ['a short one', 'short', undefined, 'A password has 8 to 200 characters.'],
  ['no email', 'correct horse', 'nobody', '"nobody" is not an email'],
])('login set with %s is bad usage', async (_what, secret, email, said) => {
  const refused = await set(secret, email);
  expect([refused.code, refused.json.detail]).toEqual([2, expect.stringContaining(said)]);
});
