// `desk login provider`: the identity provider of people who may authorize assistants.
import { expect, test } from 'vitest';
import { openIdentityProvider } from '../oauth/identity-provider.ts';
import { runHere } from './run-desk.ts';
import { servePlace } from './serve-place.ts';

let port: string;
const place = servePlace(async (engine) => {
  port = new URL(engine.url).port;
});

const issuer = 'https://accounts.example.com';
const named = ['--client-id', 'desk', '--allow', 'ann@example.test, Bob@example.test'];

test('login provider set, show and remove never print the secret', async () => {
  const words = ['login', 'provider', 'set', issuer, ...named, '--client-secret-stdin', '--json'];
  const set = await runHere(place, words, { answer: () => false, secret: 'hush\n' });
  expect([set.code, set.json]).toEqual([
    0,
    {
      provider: {
        issuer,
        client_id: 'desk',
        has_secret: true,
        emails: ['ann@example.test', 'bob@example.test'],
        subjects: [],
        set_at: expect.any(String),
      },
      redirect_uris: [
        `http://127.0.0.1:${port}/oauth/callback`,
        `http://localhost:${port}/oauth/callback`,
      ],
    },
  ]);
  expect(set.stdout + set.stderr).not.toContain('hush');
  const shown = await place.here('login', 'provider', 'show');
  expect(shown.stdout).toContain('Client: desk (with a secret)');
  expect(shown.stdout).toContain(`  http://localhost:${port}/oauth/callback`);
  expect(shown.last).toBe('May authorize apps: ann@example.test, bob@example.test');
  const kept = await place.here('login', 'provider', 'set', issuer, ...named);
  expect(kept.stdout).toContain('(with a secret)');
  const without = await place.here(
    'login',
    'provider',
    'set',
    issuer,
    ...named,
    '--no-client-secret',
  );
  expect(without.stdout).toContain('(without a secret)');
  expect((await place.here('login', 'provider', 'remove')).last).toBe(
    'No identity provider is set.',
  );
});

test('login provider check asks the issuer', async () => {
  const provider = await openIdentityProvider(['http://127.0.0.1/oauth/callback']);
  const people = ['--allow-subject', 'ann,bob'];
  await place.here('login', 'provider', 'set', provider.issuer, '--client-id', 'desk', ...people);
  const { host } = new URL(provider.issuer);
  const found = await place.here('login', 'provider', 'check');
  expect([found.code, found.last]).toEqual([0, `${host} responds as expected.`]);
  provider.close();
  const lost = await place.here('login', 'provider', 'check', '--json');
  expect([lost.code, lost.json]).toEqual([
    1,
    { ok: false, detail: expect.stringContaining('could not be reached') },
  ]);
});

test.each([
  [['login', 'provider'], '"desk login provider" needs one more word'],
  [['login', 'provider', 'sett'], 'Did you mean "desk login provider set"?'],
  [['login', 'provider', 'set'], 'An argument is missing'],
  [['login', 'provider', 'set', issuer, '--allow', 'a@b.example'], '--client-id is missing'],
  [['login', 'provider', 'set', issuer, '--client-id', 'desk'], '--allow is missing'],
  [
    ['login', 'provider', 'set', issuer, ...named, '--client-secret-stdin'],
    'Send the secret on standard input',
  ],
])('%j is bad usage', async (words, said) => {
  const refused = await place.here(...words, '--json');
  expect([refused.code, refused.json.detail]).toEqual([2, expect.stringContaining(said)]);
});

test('the help of the group lists its commands', async () => {
  const { stdout } = await place.here('login', 'provider', '--help');
  for (const verb of ['set', 'show', 'check', 'remove'])
    expect(stdout).toContain(`login provider ${verb}`);
});
