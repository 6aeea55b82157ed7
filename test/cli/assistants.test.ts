// `desk assistants folders`, and the lists that an assistant of `desk mcp` may then name.

import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { pollUntil } from '../poll-until.ts';
import { makePlace, type Place } from './run-desk.ts';
import { connectStdio, mcpWords } from './stdio-desk.ts';

let place: Place;
let engine: EngineHere;
let lists: string;

beforeAll(async () => {
  place = makePlace();
  lists = join(realpathSync(place.dir), 'lists');
  symlinkSync(lists, join(place.dir, 'linked'));
  mkdirSync(join(place.dir, 'other'));
  engine = await startEngineHere(place.dataDir);
});
afterAll(async () => {
  await engine.stop();
  place.remove();
});

const folders = (...args: string[]) => place.here('assistants', 'folders', ...args);

test('folders are added, listed and removed, relative to the caller’s folder', async () => {
  expect((await folders('list')).last).toBe('No folder is allowed.');
  expect((await folders('list', '--json')).json).toEqual([]);
  const added = await folders('add', 'lists', '--json');
  expect(added.json).toMatchObject({ path: join(place.dir, 'lists'), real_path: lists });
  expect((await folders('add', 'linked')).last).toContain(`linked (${lists})`);
  expect((await folders('list')).stdout.trimEnd().split('\n')).toHaveLength(2);
  expect((await folders('remove', 'linked')).last).toMatch(/linked is no longer allowed/);
  const left = await folders('remove', 'lists', '--json');
  expect(left).toMatchObject({ code: 0, json: [] });
});

test.each([
  ['add', ['add', 'missing'], 1, /The folder .*missing does not exist/],
  ['add of a disk', ['add', '/'], 1, /the root of a disk/],
  ['add of the data folder', ['add', 'data'], 1, /the engine's own files/],
  ['remove', ['remove', 'other'], 1, /other is not among the folders.*folders list/],
  ['add without a folder', ['add'], 2, /argument is missing/],
])('an invalid %s is refused with its reason', async (_name, args, code, words) => {
  const run = await folders(...args);
  expect(run).toMatchObject({ code, stderr: expect.stringMatching(words) });
});

test('an assistant of desk mcp names lists in allowed folders, by absolute paths', async () => {
  const path = place.write('lists/people.csv', 'Email\nnobody@nowhere.example\n');
  const client = await connectStdio(mcpWords(place.dataDir), 'v2', 'reader');
  const enrich = (named: string) =>
    client.call('enrich_list', { path: named, selected_layers: ['L1'] });
  expect((await enrich(path)).said).toMatch(/not in an allowed folder.*forbidden/);
  await folders('add', 'lists');
  for (const named of ['people.csv', 'lists/people.csv'])
    expect((await enrich(named)).said).toMatch(/send an absolute path/);
  const { job_id } = (await enrich(path)).data;
  const checked = await pollUntil(
    async () => (await client.call('check_enrich_list', { job_id })).data,
    ({ ready }) => ready,
  );
  expect(checked).toMatchObject({ status: 'completed', total_rows: 1, skipped_rows: 1 });
  await folders('remove', 'lists');
  expect((await enrich(path)).said).toMatch(/not in an allowed folder/);
});
