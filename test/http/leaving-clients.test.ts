// When a client disconnects while its file is read, the work stops and leaves nothing behind.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvUploadBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { connectClient } from '../assistants/tool-client.ts';
import { packWorkbook, wrapRows } from '../spreadsheet/make-workbook.ts';
import { sessionToken } from './open-api-desk.ts';
import { type Environments, startEnvironments } from './open-environments.ts';

const dir = mkdtempSync(join(tmpdir(), 'desk-leaving-'));
const lists = join(dir, 'lists');
const csvPath = join(lists, 'long.csv');
const workbookPath = join(lists, 'long.xlsx');
const outPath = join(dir, 'out.csv');
let environments: Environments;
let key = '';

beforeAll(async () => {
  mkdirSync(lists);
  const line = 'Ada,Lovelace,ada@engines.example,Analytical Engines\n';
  const header = 'First Name,Last Name,Email,Company\n';
  writeFileSync(csvPath, header + line.repeat(csvUploadBytesMax / line.length / 2));
  const cell = '<c t="inlineStr"><is><t>Email</t></is></c>';
  const rows = Array.from({ length: 900_000 }, (_, at) => `<row><c><v>${at}</v></c></row>`);
  const sheet = wrapRows(`<row>${cell}</row>${rows.join('')}`);
  writeFileSync(workbookPath, packWorkbook([sheet]));
  environments = await startEnvironments();
  key = await environments.live.makeKey();
  const grant = { json: { credits: '5000000' } };
  await environments.live.call('POST', 'app/v1/wallet/grants', grant);
}, 120_000);
afterAll(async () => {
  await environments.remove();
  rmSync(dir, { recursive: true });
});

/**
 * Folders and files of work on a file in the data folder: uploads, and folders of imports and
 * matches.
 */
function listWork(): string[] {
  const uploads = join(environments.dataDir, 'uploads');
  const passing = readdirSync(environments.dataDir).filter((name) => /^(import|match)-/.test(name));
  return [...(existsSync(uploads) ? readdirSync(uploads) : []), ...passing];
}

/** Whether rows of a table are being written to disk. */
function isReading(): boolean {
  const names = readdirSync(environments.dataDir, { recursive: true }).map(String);
  return names.some((name) => name.endsWith('input.csv.partial'));
}

const session = { 'x-desk-session': sessionToken };
const app = (path: string, json: unknown) => ({
  path: `/app/v1/${path}`,
  init: {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  },
});

async function formOf(path: string, fields: Record<string, string>): Promise<FormData> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'long.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const leavings = [
  [
    'an upload of a form',
    async () => ({
      path: '/app/v1/uploads',
      init: { method: 'POST', headers: session, body: await formOf(csvPath, {}) },
    }),
  ],
  ['an upload of a CSV by its path', () => app('uploads', { path: csvPath })],
  ['an upload of a workbook by its path', () => app('uploads', { path: workbookPath })],
  [
    'a submission of a form',
    async () => ({
      path: '/api/v1/data-enrichment/submit/',
      init: {
        method: 'POST',
        headers: { authorization: `Token ${key}` },
        body: await formOf(csvPath, { selected_layers: '["L1"]' }),
      },
    }),
  ],
  [
    'an import that is waited for',
    () => app('directory/imports?wait=1', { people_path: workbookPath }),
  ],
  [
    'a list of companies to be matched',
    () => app('directory/match-companies', { path: csvPath, out_path: outPath }),
  ],
] as const;
type Leaving = (typeof leavings)[number];

async function leave(_what: Leaving[0], makeRequest: Leaving[1]): Promise<void> {
  const { path, init } = await makeRequest();
  const leaving = new AbortController();
  const request = fetch(environments.url + path, { ...init, signal: leaving.signal });
  const outcome = request.then(
    ({ status }) => status,
    (error: Error) => error.name,
  );
  await expect.poll(isReading, { interval: 5 }).toBe(true);
  leaving.abort();
  expect(await outcome).toBe('AbortError');
  await expect.poll(listWork).toEqual([]);
  // Completed work would have left one of these.
  const jobs = await environments.live.call('GET', 'app/v1/jobs');
  expect(jobs.data.results).toEqual([]);
  const directory = await environments.live.call('GET', 'app/v1/directory');
  expect(directory.data.people).toBe(0);
  expect(existsSync(outPath)).toBe(false);
}
const stopsWork = '%s stops when its client disconnects';
const isShort = ([what]: Leaving) =>
  /^an upload of a form|CSV by its path|companies to be matched$/.test(what);
test.each(leavings.filter(isShort))(stopsWork, leave);
test.each(leavings.filter((one) => !isShort(one)))(stopsWork, { tags: ['full'] }, leave);

test('a list that an assistant named by its path is no longer read once the call is cancelled', async () => {
  await environments.live.call('POST', 'app/v1/assistants/folders', { json: { path: lists } });
  const client = await connectClient(`${environments.url}/api/v1/mcp`, key);
  const leaving = new AbortController();
  const call = client.call(
    'enrich_list',
    { path: csvPath, selected_layers: ['L1'] },
    { signal: leaving.signal },
  );
  const outcome = call.then(
    () => 'answered',
    () => 'cancelled',
  );
  await expect.poll(isReading, { interval: 5 }).toBe(true);
  leaving.abort();
  expect(await outcome).toBe('cancelled');
  await expect.poll(listWork).toEqual([]);
  expect((await environments.live.call('GET', 'app/v1/jobs')).data.results).toEqual([]);
});

test('an engine that closes leaves nothing of a file except what it has answered', async () => {
  const { path, init } = app('uploads', { path: csvPath });
  const request = fetch(environments.url + path, init).then(
    async (answer) => [((await answer.json()) as { data: { upload_id: string } }).data.upload_id],
    () => [],
  );
  await expect.poll(isReading, { interval: 5 }).toBe(true);
  let left: string[] = [];
  environments = await environments.restart(() => {
    left = listWork();
  });
  // A machine that reads the file before the close completes keeps the upload for its client.
  expect(left).toEqual(await request);
});
