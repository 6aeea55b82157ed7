// A whole task with the official clients: an assistant finds a person, imports a list, enriches
// another one, passes on the decisions of its review, saves the result, and reports job changes.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, onTestFinished, test } from 'vitest';
import { errorTable } from '../../engine/contract/errors.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import type { Json } from '../http/open-api-desk.ts';
import { shared } from '../lookup/lookup-desk.ts';
import { shareToolDesk } from './open-tool-desk.ts';
import { clientKinds, connectClient } from './tool-client.ts';

const openDesk = shareToolDesk();

/** A desk with a folder that assistants may use, and an official client. */
async function openFolderDesk(kind: (typeof clientKinds)[number] = 'v2') {
  const desk = await openDesk();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'desk-task-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'lists'));
  const folder = join(dir, 'lists');
  await desk.app('POST', 'assistants/folders', { json: { path: folder } });
  const client = await connectClient(`${desk.url}/api/v1/mcp`, desk.key, kind);
  return {
    ...desk,
    dir,
    call: client.call,
    pathOf: (name: string) => join(folder, name),
    write(name: string, text: string) {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
  };
}

const event = `Full name,Profile URL,Badge,Note
Tim Twin,${shared},A1,secret words
Finn Found,https://people.example/finn,A2,more of them
`;

test.each(clientKinds)('the client %s does a whole list', async (kind) => {
  const desk = await openFolderDesk(kind);
  const { call } = desk;
  const who = await call('search_contacts', { name: 'lovelace' });
  expect(who.data).toMatchObject({ total: 1, results: [{ first_name: 'Ada' }] });
  const crm = desk.write(
    'hubspot.csv',
    'Record ID,First name,Last name,Company,Email,Profile URL\n' +
      '900,Finn,Found,Acme,finn@acme.example,https://people.example/finn\n',
  );
  const imported = await call('import_list', { path: crm });
  expect(imported.data).toMatchObject({ status: 'completed', rows_read: 1, rows_refused: 0 });
  const started = await call('enrich_list', {
    path: desk.write('event.csv', event),
    mapping: { profile_url: 'Profile URL', client_reference_id: 'Note' },
    selected_layers: ['L1'],
    title: `Event ${kind}`,
  });
  const { job_id } = started.data;
  await desk.environment.finish(job_id);
  const jobs = await call('list_jobs', { search: `event ${kind}` });
  expect(jobs.data.jobs).toMatchObject([
    { job_id, file_name: 'event.csv', status: 'completed', total_rows: 2 },
  ]);

  const review = await call('review_list', { job_id });
  expect(review.data).toMatchObject({ price_per_row: '1.0000', waiting: 1, next_after: null });
  const [row] = review.data.rows;
  expect(row).toMatchObject({ row_index: 0, reason: 'ambiguous' });
  // The assistant chose the columns, and must not see their cells.
  expect(JSON.stringify(review)).not.toMatch(/secret words|badge/i);
  expect(row.candidates[0].evidence[0]).toMatchObject({ given: '' });
  const tim = row.candidates.find(({ name }: Json) => name === 'Tim Twin');
  const decided = await call('decide_review', {
    job_id,
    picks: [{ row_index: 0, contact_uuid: tim.upstream_contact_uuid }],
  });
  expect(decided.data).toMatchObject({ applied: 1, remaining: 0, credits_charged: '1.0000' });

  const path = desk.pathOf('event-done.csv');
  const saved = await call('export_list', { job_id, path });
  expect(saved.data).toEqual({ path, rows: 2 });
  const updates = await call('export_list', { job_id, path: desk.pathOf('a.csv'), crm: 'hubspot' });
  expect(updates.data.outcome).toBe('2 rows: 1 record to update, 1 new record.');
  expect(updates.said).toContain('2 rows: 1 record to update, 1 new record.');
  const others = await call('export_list', {
    job_id,
    path: desk.pathOf('b.csv'),
    crm: 'pipedrive',
  });
  expect(others.data.outcome).toMatch(
    /^2 rows: 2 new records\. Neither this .* \(import_list\), and/,
  );
  expect(readFileSync(path, 'utf8')).toMatch(/Tim Twin.*secret words/);
  expect(verifyLedger(desk.environment.database)).toEqual([]);
});

test('a review shows the cells of rows that came in the call', async () => {
  const desk = await openFolderDesk();
  const rows = [{ profile_url: shared }];
  const { data } = await desk.call('enrich_list', { rows, selected_layers: ['L1'] });
  await desk.environment.finish(data.job_id);
  const review = await desk.call('review_list', { job_id: data.job_id });
  expect(review.data.rows[0].candidates[0].evidence).toMatchObject([{ given: shared }]);
});

test('a file is saved only as a new file of an allowed folder, in a known format', async () => {
  const desk = await openFolderDesk();
  const rows = [{ email: 'found@a.example' }];
  const { data } = await desk.call('enrich_list', { rows, selected_layers: ['L1'] });
  await desk.environment.finish(data.job_id);
  const taken = desk.write('taken.csv', 'mine');
  mkdirSync(join(desk.dir, 'secret'));
  symlinkSync(join(desk.dir, 'secret'), desk.pathOf('link'));
  symlinkSync(join(desk.dir, 'secret/a.csv'), desk.pathOf('link.csv'));
  const refusals: [string, RegExp][] = [
    [taken, /taken\.csv already exists\. Send the path of a new file\. \(validation_error\)/],
    [desk.pathOf('link.csv'), /already exists/],
    [desk.pathOf('result.exe'), /must end in \.csv, \.xlsx/],
    [desk.pathOf('link/a.csv'), /not in an allowed folder/],
    [desk.pathOf('missing/a.csv'), /not in an allowed folder/],
    [desk.pathOf('../secret/a.csv'), /not in an allowed folder/],
    [join(desk.environment.folder, 'a.csv'), /not in an allowed folder/],
    ['a.csv', /send an absolute path/],
  ];
  for (const [path, words] of refusals) {
    const answer = await desk.call('export_list', { job_id: data.job_id, path });
    expect([path, answer.isError, answer.said]).toEqual([path, true, expect.stringMatching(words)]);
  }
  expect(readFileSync(taken, 'utf8')).toBe('mine');
  expect(existsSync(join(desk.dir, 'secret/a.csv'))).toBe(false);
});

test('a list outside of the allowed folders is not imported', async () => {
  const desk = await openFolderDesk();
  writeFileSync(join(desk.dir, 'people.csv'), 'Email\na@b.example\n');
  const answer = await desk.call('import_list', { path: join(desk.dir, 'people.csv') });
  expect(answer).toMatchObject({ isError: true, said: expect.stringMatching(/forbidden/) });
});

test('monitors and the findings of their last run can be read', async () => {
  const desk = await openFolderDesk();
  const rows = [{ email: 'found@a.example', company_name: 'Elsewhere' }];
  const { data } = await desk.call('enrich_list', { rows, selected_layers: ['L1'] });
  await desk.environment.finish(data.job_id);
  const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };
  const json = { title: 'Customers', schedule, job_id: data.job_id, run_now: true };
  await desk.app('POST', 'monitors', { json });
  const readLast = async () => (await desk.call('list_monitors')).data.monitors[0].last_run;
  await desk.environment.finishMonitorJob((await readLast()).job_id);
  const last = await readLast();
  expect(last.status).toBe('Completed');
  const [status] = Object.keys(last.counts).filter((name) => last.counts[name] > 0);
  const changes = await desk.call('list_job_changes', { job_id: last.job_id, status });
  expect(changes.data).toMatchObject({ total: 1, results: [{ row_index: 0, status }] });
});

test('the skill of the plugin is served by the Skills extension, and its digest is checked', async () => {
  const desk = await openDesk();
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${desk.url}/api/v1/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${desk.key}` } },
    }),
  );
  onTestFinished(() => client.close());
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  expect(entries.map(({ uri }) => uri)).toEqual(['skill://enrich-a-list/SKILL.md']);
  const { body } = await skills.read(entries[0]!);
  const { tools } = await client.listTools();
  const named = [...(body ?? '').matchAll(/`([a-z]+_[a-z]+(?:_[a-z]+)*)`/g)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(8);
  const known = JSON.stringify([tools, errorTable]);
  for (const name of named) expect(known).toContain(`"${name}"`);
});
