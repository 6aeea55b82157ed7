// `desk pipeline`: start from a search or a file, follow, list, show, cancel, save.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { companies, contacts, people } from './lists.ts';
import { makePlace, type Person, runHere } from './run-desk.ts';

const place = makePlace();
let engine: EngineHere;
beforeAll(async () => {
  place.write('contacts.csv', contacts);
  place.write('people.csv', people);
  place.write('companies.csv', companies);
  vi.stubEnv('DESK_DNS_SERVERS', 'off');
  engine = await startEngineHere(place.dataDir);
  await place.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
}, 60_000);
afterAll(async () => {
  await engine.stop();
  vi.unstubAllEnvs();
  place.remove();
});

const start = (...args: string[]) => place.here('pipeline', 'start', ...args, '--json');
const ofFile = ['--contacts', 'contacts.csv', '--unlock', 'email,phone'];

/** A new account with credits; returns the option that selects it. */
async function openAccount(credits: string): Promise<string[]> {
  const { json } = await place.here('accounts', 'create', 'Other', '--json');
  const account = ['--account', String(json.id)];
  await place.here('accounts', 'set', String(json.id), '--budget', 'on');
  if (credits !== '0') await place.here('wallet', 'grant', credits, ...account);
  return account;
}

test('a file is unlocked, with its price before and its CSV afterwards', async () => {
  const account = await openAccount('20');
  const { code, json, stderr } = await start(...ofFile, '--title', 'Spring', '--yes', ...account);
  expect(stderr).toContain('columns not read: "Note". They stay');
  expect(stderr).toContain('Price: 4 contacts, at most 24 credits');
  expect(stderr).toContain('Values that the available credits do not cover stay locked');
  expect(stderr).toContain('2 with an email, 1 with a phone');
  expect(stderr).toContain('expected 7 credits');
  expect(stderr).toMatch(/Unlocking: /);
  expect(json).toMatchObject({
    title: 'Spring',
    status: 'completed',
    total: 4,
    matched: 2,
    unlocked: 2,
    locked: 0,
    credits_charged: '7.0000',
  });
  expect(code).toBe(0);

  const id = String(json.pipeline_id);
  const list = await place.here('pipeline', 'list', '--json', ...account);
  expect(list.json).toEqual({ count: 1, results: [json] });
  expect((await place.here('pipeline', 'show', id, '--json', ...account)).json).toEqual(json);
  expect((await place.here('pipeline', 'show', id, ...account)).last).toBe(
    'completed: 2 of 4 contacts known, 2 unlocked, 7 credits charged',
  );

  const out = join(place.dir, 'out.csv');
  const saved = await place.here(
    'pipeline',
    'result',
    id,
    '--out',
    'out.csv',
    '--json',
    ...account,
  );
  expect(saved.json).toEqual({ pipeline_id: id, rows: 4, out });
  const rows = parse(readFileSync(out), { columns: true }) as Record<string, string>[];
  expect(rows).toMatchObject(parse(contacts, { columns: true }) as object[]);
  expect(rows[0]).toMatchObject({ Email: 'ada@analytical.example', Phone: '+12563725000' });

  const late = await place.here('pipeline', 'cancel', id, '--json', ...account);
  expect(late.json).toMatchObject({ error: 'already_finished' });
  expect(late.code).toBe(1);
});

test('people of a directory search are unlocked, and their emails verified', async () => {
  const account = await openAccount('5');
  const filters = JSON.stringify({ job_title: 'programmer', limit: 10 });
  const args = ['--filters', filters, '--unlock', 'email', '--verify', '--yes'];
  const { json, stderr } = await start(...args, ...account);
  expect(stderr).toContain('Price: 1 contact, at most 1.1 credits');
  expect(json).toMatchObject({ status: 'completed', total: 1, unlocked: 1 });
  const plain = await place.here('pipeline', 'list', ...account);
  expect(plain.last).toBe('1 of 1 pipelines');
});

test('values beyond the credits stay locked; an empty wallet gives exit code 3', async () => {
  const account = await openAccount('1');
  const { json, code } = await start(...ofFile, '--yes', ...account);
  expect(json).toMatchObject({ status: 'completed', locked: 2, credits_charged: '1.0000' });
  expect(code).toBe(0);
  const empty = await start(...ofFile, '--yes', ...account);
  expect(empty.json).toMatchObject({ error: 'insufficient_credits' });
  expect(empty.json.detail).toMatch(/"desk wallet grant CREDITS .*--account/);
  expect(empty.code).toBe(3);
  // Owned values are free and need no credits.
  const owned = ['--filters', '{"job_title":"programmer"}', '--unlock', 'email', '--yes'];
  expect(await start(...owned, ...account)).toMatchObject({ code: 0 });
});

test('a person is asked to accept the price and may decline; no people is bad usage', async () => {
  const account = await openAccount('9');
  const asked: string[] = [];
  const person: Person = { answer: (question) => asked.push(question) < 0 };
  const args = ['pipeline', 'start', ...ofFile, '--json', ...account];
  const declined = await runHere(place, args, person);
  expect(asked).toEqual(['Unlock 4 contacts for at most 9 credits?']);
  expect(declined.json).toMatchObject({ error: 'declined' });
  const unasked = await start(...ofFile, ...account);
  expect(unasked.json.detail).toContain('Add --yes');
  expect(unasked.code).toBe(2);
  expect((await place.here('pipeline', 'list', '--json', ...account)).json).toMatchObject({
    count: 0,
  });
});

test('Ctrl+C leaves a pipeline running, or cancels it', async () => {
  // The sandbox takes a second for each of these rows.
  const slowOnes = [1, 2, 3].map((tag) => `slow+${tag}@sandbox.example`);
  place.write('slow.csv', `Email\n${slowOnes.join('\n')}\n`);
  const args = ['pipeline', 'start', '--contacts', 'slow.csv', '--unlock', 'email', '--yes'];
  const press = (answers: boolean) =>
    runHere(place, [...args, '--staging', '--json'], {
      answer: (question) => answers && question.startsWith('Cancel the pipeline'),
      hear: (said, interrupt) => said.includes('Looking up: ') && interrupt.abort(),
    });
  const left = await press(false);
  expect(left.json).toMatchObject({ status: 'running' });
  expect(left.code).toBe(1);
  const id = String(left.json.pipeline_id);
  const early = ['pipeline', 'result', id, '--out', 'early.csv', '--staging', '--json'];
  expect((await place.here(...early)).json).toMatchObject({ error: 'not_ready' });
  expect(existsSync(join(place.dir, 'early.csv'))).toBe(false);
  const stopped = await place.here('pipeline', 'cancel', id, '--staging', '--json');
  expect(stopped.json).toMatchObject({ pipeline_id: id, status: 'cancelled' });
  expect((await press(true)).json).toMatchObject({ status: 'cancelled', ready: true });
});
