// Everything about one person is found, exported and deleted, and nothing of anyone else.
import { expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { endPipeline } from '../http/end-pipeline.ts';
import type { Desk, Json } from '../http/open-api-desk.ts';
import {
  bakerSecrets,
  findBytes,
  openPersonDesk,
  plantPerson,
  plantRemembered,
  secrets,
} from './person-desk.ts';

const value = 'zephyrine@engines.example';

const search = async (desk: Desk, json: object): Promise<Json> =>
  (await desk.app('POST', 'person-data/searches', { json })).data;
const remove = (desk: Desk, json: object) =>
  desk.app('POST', 'person-data/deletions', {
    json: { confirmed: true, suppress: false, ...json },
  });

const merges = 'Merges and duplicates';
const namesakes = 'Rows, titles and file names with only the name';

/** What is held about another person, without the rows that quote the subject. */
async function exportOther(desk: Desk, other: string): Promise<Json> {
  const { data } = await desk.app('POST', 'person-data/exports', { json: { value: other } });
  const quotes = ['Rows of uploads', 'Log of tool calls', merges, namesakes];
  const entries = data.entries.filter(({ place }: Json) => !quotes.includes(place));
  const places = data.places.filter(({ place }: Json) => ![merges, namesakes].includes(place));
  return { person: data.person, places, entries };
}

const moneyOf = (desk: Desk) =>
  desk.environment.database
    .prepare('SELECT id, kind, amount_units, at, key_id FROM ledger_entry ORDER BY id')
    .all();

test('a deleted person leaves no byte in any file, and others stay as they were', {
  tags: ['full'],
}, async () => {
  const desk = await openPersonDesk();
  const { folder, database } = desk.environment;
  const { jobId, monitorJobId, monitorUuid, pipelineId } = await plantPerson(desk);
  const others = ['bob@engines.example', 'z.baker@globex.example', 'Eve Remote | Served AG'];
  const before = await Promise.all(others.map((other) => exportOther(desk, other)));
  const money = moneyOf(desk);
  const { held } = await search(desk, { value });
  const exported = await desk.app('POST', 'person-data/exports', { json: { value } });
  for (const secret of secrets) expect(exported.text).toMatch(new RegExp(secret, 'i'));
  expect(exported.data.entries).toHaveLength(held.total);
  expect(exported.data.entries).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ record: `list ${monitorUuid} row 2` }),
      expect.objectContaining({
        place: 'Requests that asked for approval',
        values: { arguments: expect.anything(), idempotency_key: 'zq.other@private.example' },
      }),
    ]),
  );

  const receipt = await remove(desk, { value });
  expect(receipt.data).toMatchObject({ state: 'done', total: held.total, places: held.places });
  expect(findBytes(folder, secrets)).toEqual([]);
  expect(findBytes(folder, ['zephyrine'])).not.toEqual([]);
  expect(verifyLedger(database)).toEqual([]);
  expect(moneyOf(desk)).toEqual(money);
  expect(await Promise.all(others.map((other) => exportOther(desk, other)))).toEqual(before);
  const again = await search(desk, { value });
  expect(again.held.total).toBe(0);

  const pages = [
    await desk.call('GET', `result/${jobId}`),
    await desk.call('GET', `result/${jobId}?format=csv`),
    await desk.call('GET', `/api/v1/career-monitor/jobs/${monitorJobId}/result/`),
    await desk.call('GET', `/api/v1/pipeline/${pipelineId}/result/`),
    await desk.app('GET', `jobs/${jobId}/rows`),
    await desk.app('GET', `jobs/${jobId}/review`),
    await desk.app('GET', 'assistants/calls'),
    await desk.app('GET', 'directory/imports'),
    await desk.app('GET', 'monitors'),
    await desk.app('GET', 'assistants'),
  ];
  expect(pages.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  expect(pages[1]?.text).toContain('deleted on request');
  expect(pages[0]?.data.count).toBe(7);
  const shown = JSON.parse(pages.at(-1)?.data.approvals[0].arguments);
  expect(shown).toMatchObject({ title: 'deleted on request', rows: 1 });
});

test('of several people with a name, only the picked one is deleted', async () => {
  const desk = await openPersonDesk();
  const name = 'Zephyrine Quixworth';
  const { candidates, held } = await search(desk, { value: name });
  expect(held).toBeNull();
  expect(candidates.map(({ employer }: Json) => employer)).toEqual(['Engines', 'Globex']);
  const refused = await remove(desk, { value: name });
  expect(refused).toMatchObject({ status: 400, body: { error: 'validation_error' } });
  await remove(desk, { value: name, pick: candidates[1].pick });
  const left = await search(desk, { value: name });
  expect(left.candidates.map(({ employer }: Json) => employer)).toEqual(['Engines']);
  expect(left.held.total).toBe(3);
});

test('charges, picks and candidates lose the person, and keep amounts and the others', async () => {
  const desk = await openPersonDesk();
  const { database } = desk.environment;
  const json = { profile_url: 'https://www.linkedin.com/in/zquixworth' };
  await desk.call('POST', `/email/enrichment/?token=${desk.key}`, { key: null, json });
  const rows = [
    { first_name: 'Zephyrine', last_name: 'Quixworth', country: 'CH' },
    { first_name: 'Zephyrine', last_name: 'Quixworth' },
  ];
  const order = { selected_layers: ['L1'], rows };
  const jobId = (await desk.call('POST', 'submit/', { json: order })).data.job_id;
  await desk.environment.finish(jobId);
  const { candidates } = await search(desk, { value });
  const picks = [{ row_index: 0, contact_uuid: candidates[0].pick }];
  await desk.app('POST', `jobs/${jobId}/review`, { json: { picks } });
  const money = moneyOf(desk);
  const removed = await remove(desk, { value });
  expect(removed.data.places.map(({ place }: Json) => place).slice(3)).toEqual([
    'Rows of lists',
    namesakes,
    'Results of jobs',
    'Candidates of other rows',
    'Values that were paid for',
    'Charges of the ledger',
    'Decisions of reviews',
  ]);
  expect(verifyLedger(database)).toEqual([]);
  expect(moneyOf(desk)).toEqual(money);
  expect(findBytes(desk.environment.folder, [candidates[0].pick])).toEqual([]);
  const offered = database.prepare('SELECT candidates FROM result ORDER BY id').pluck().all();
  expect(offered).toEqual([null, expect.stringMatching(/^\[\["[^"]+","Zephyrine.*"Globex"/)]);
});

test('a merged person is found by either record, and deleted with both', async () => {
  const desk = await openPersonDesk();
  const { folder, database, directoryDatabase } = desk.environment;
  const { candidates } = await search(desk, { value: 'Zephyrine Quixworth' });
  const [survivor, other]: string[] = candidates.map(({ pick }: Json) => pick);
  const runJob = async (...emails: string[]) => {
    const rows = emails.map((email) => ({ email }));
    const json = { selected_layers: ['L1'], rows };
    await desk.environment.finish((await desk.call('POST', 'submit/', { json })).data.job_id);
  };
  await runJob(value, 'z.baker@globex.example', 'bob@engines.example');
  for (const page of ['zquixworth', 'zbaker']) {
    const json = { profile_url: `https://www.linkedin.com/in/${page}` };
    await desk.call('POST', `/email/enrichment/?token=${desk.key}`, { key: null, json });
  }
  const bob = (await search(desk, { value: 'bob@engines.example' })).candidates[0].pick;
  const merge = async (json: object) =>
    (await desk.app('POST', 'duplicate-merges', { json })).data.id;
  await desk.app('POST', `duplicate-merges/${await merge({ survivor, other: bob })}/undo`);
  await merge({ survivor, other });
  await runJob('z.baker@globex.example');
  plantRemembered(desk, [other ?? '', bob]);
  const before = await exportOther(desk, 'bob@engines.example');
  const money = moneyOf(desk);

  const found = await Promise.all(
    [value, 'z.baker@globex.example', survivor, other].map((one) => search(desk, { value: one })),
  );
  for (const { held } of found) expect(held).toEqual(found[0].held);
  expect(found[0].held.person.ids.sort()).toEqual([survivor, other].sort());
  const counts = Object.fromEntries(
    found[0].held.places.map(({ place, entries }: Json) => [place, entries]),
  );
  // Two merges, the id of the other record in both databases, and one pair with Bob.
  expect(counts).toMatchObject({
    'People of the directory': 1,
    'Results of jobs': 3,
    'Values that were paid for': 2,
    'Charges of the ledger': 2,
    [merges]: 5,
    'Payments of deleted jobs': 1,
  });
  const exported = await desk.app('POST', 'person-data/exports', { json: { value: other } });
  const mergedSecrets = [...secrets.slice(0, 6), ...bakerSecrets];
  for (const secret of mergedSecrets) expect(exported.text).toMatch(new RegExp(secret, 'i'));
  expect(exported.text).not.toMatch(/bob@engines|791000002/);

  const receipt = await remove(desk, { value: 'z.baker@globex.example' });
  expect(receipt.data).toMatchObject({ state: 'done', total: found[0].held.total });
  const names = ['zephyrine', 'quixworth', survivor ?? '', other ?? ''];
  expect(findBytes(folder, [...mergedSecrets, ...names])).toEqual([]);
  expect(await exportOther(desk, 'bob@engines.example')).toEqual(before);
  expect(verifyLedger(database)).toEqual([]);
  expect(moneyOf(desk)).toEqual(money);
  expect(directoryDatabase.prepare('SELECT count(*) FROM record_merge').pluck().get()).toBe(0);
  expect(database.prepare('SELECT count(*) FROM paid_person').pluck().get()).toBe(1);
  for (const one of [value, 'z.baker@globex.example', other])
    expect((await search(desk, { value: one })).held.total).toBe(0);
});

test('a person that only a data service knows is found and deleted by the answer', async () => {
  const desk = await openPersonDesk();
  const { folder } = desk.environment;
  const rows = [{ first_name: 'Eve', last_name: 'Remote', company_name: 'Served AG' }];
  const json = { selected_layers: ['L1', 'MPA'], rows };
  const jobId = (await desk.call('POST', 'submit/', { json })).data.job_id;
  await desk.environment.finish(jobId);
  const texts = ['eve@remote', '791119999', 'remote'];
  expect(findBytes(folder, texts)).not.toEqual([]);
  const { held } = await search(desk, { value: 'EVE@remote.example' });
  const places = held.places.map(({ place }: Json) => place);
  expect(places).toEqual(['Rows of lists', 'Results of jobs', 'Answers of data services']);
  await remove(desk, { value: 'eve@remote.example' });
  expect(findBytes(folder, texts)).toEqual([]);
});

test('a deletion is refused while a job runs, and a confirmation is required', async () => {
  const desk = await openPersonDesk();
  const rows = [{ email: value }];
  const json = { selected_layers: ['L1'], rows };
  const { key } = (await desk.app('POST', 'keys', { json: { label: value } })).data;
  const jobId = (await desk.call('POST', 'submit/', { key, json })).data.job_id;
  const refused = await remove(desk, { value });
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toMatch(/1 job\. Wait until it has ended/);
  await desk.environment.finish(jobId);
  expect(await remove(desk, { value, confirmed: false })).toMatchObject({ status: 400 });
  const { total, places } = (await remove(desk, { value })).data;
  expect(total).toBeGreaterThan(3);
  // The label of the key: in Settings, and in the entries about the key and its job.
  const kept = places.filter(({ treatment }: Json) => treatment === 'kept');
  expect(kept.map(({ place, entries }: Json) => [place, entries])).toEqual([
    ['Names and logins of users of this desk', 1],
    ['Audit log', 2],
  ]);
});

test('a suppressed person is not brought back, and receipts have no value', async () => {
  const desk = await openPersonDesk();
  const receipt = await remove(desk, { value, suppress: true });
  expect(receipt.data).toMatchObject({ suppressed: true, author: 'Local workspace' });
  expect(receipt.text).not.toMatch(/zephyrine|quixworth|791112233/i);
  const { entries } = (await desk.app('GET', 'suppression')).data;
  expect(entries.map(({ kind }: Json) => kind).sort()).toEqual(['email', 'phone', 'profile_url']);
  const held = (await search(desk, { value })).held;
  expect(held).toMatchObject({ total: 0, places: [{ treatment: 'kept', entries: 1 }] });
  const list = async (json: object) =>
    (await desk.app('POST', 'person-data/receipts', { json })).data.length;
  expect(await list({})).toBe(1);
  expect(await list({ value: '+41 79 111 22 33' })).toBe(1);
  expect(await list({ value: 'bob@engines.example' })).toBe(0);
});

test('what is not a person is refused', async () => {
  const desk = await openPersonDesk();
  const refusals: readonly (readonly [value: string, status: number, detail: RegExp])[] = [
    ['', 400, /value/],
    ['engines.example', 400, /A domain is not a person/],
    ['079 111 22 33', 400, /country code/],
    ['a | b | c', 400, /Ada Lovelace \| Acme/],
    ['Nobody Here', 404, /No person in the directory/],
  ];
  for (const [given, status, detail] of refusals) {
    const answer = await remove(desk, { value: given });
    expect(answer.status, given).toBe(status);
    expect(answer.text).toMatch(detail);
  }
});

test('titles, file names, webhooks and rows with the bare name are named as kept', async () => {
  const desk = await openPersonDesk();
  const order = { selected_layers: ['L1'], title: 'For Zephyrine Quixworth' };
  const rows = [
    { first_name: 'Zephyrine', last_name: 'Quixworth', company_name: 'Nowhere Ltd' },
    { first_name: 'Bob', last_name: 'Quill', company_name: 'Engines', note: 'boss: Z. Quixworth' },
    { company_name: 'Engines', note: 'Quixworth, Zephyrine (left)' },
  ];
  const jobId = (await desk.call('POST', 'submit/', { json: { ...order, rows } })).data.job_id;
  await desk.environment.finish(jobId);
  const monitor = { title: 'Zephyrine Quixworth watch', rows: [{ email: 'a@x.example' }] };
  const watched = await desk.call('POST', '/api/v1/career-monitor/jobs/', { json: monitor });
  await desk.environment.finishMonitorJob(watched.body.job_id as number);
  const contacts = [{ email: 'bob@engines.example' }];
  const pipeline = { contacts, unlock: ['email'], title: 'QUIXWORTH Zephyrine' };
  const started = await desk.call('POST', '/api/v1/pipeline/', { json: pipeline });
  await endPipeline(desk, started.data.pipeline_id);
  const form = new FormData();
  form.append('file', new Blob(['email\na@x.example\n']), 'zephyrine_quixworth.csv');
  await desk.app('POST', 'uploads', { body: form });
  for (const path of ['zephyrine%40engines.example', '?to=zephyrine-quixworth'])
    await desk.call('POST', '/api/v1/webhooks/', {
      json: { url: `https://hooks.example/${path}`, events: ['pipeline.completed'] },
    });

  const receipt = (await remove(desk, { value })).data;
  const kept = receipt.places.filter(({ treatment }: Json) => treatment === 'kept');
  expect(kept.map(({ place, entries }: Json) => [place, entries])).toEqual([
    // Two rows; the titles of a job, of the job of a monitor, and of a pipeline; a file name.
    [namesakes, 6],
    ['Addresses of webhooks', 2],
  ]);
  for (const { advice } of kept) expect(advice).toMatch(/^Kept, because/);
  const exported = await desk.app('POST', 'person-data/exports', { json: { value } });
  expect(exported.text).not.toContain('Nowhere');
});

test('a row is deleted in whichever spelling it has an identifier of the person', async () => {
  const desk = await openPersonDesk();
  const spelled = [
    'zephyrine\u200b@engines.example',
    '"zephyrine"@ｅngines.example',
    'zephyrine%40engines.example',
  ];
  const rows = spelled.flatMap((text, at) => [
    { first_name: 'Row', last_name: `Number${at}`, email: text },
    { first_name: 'Row', last_name: `Note${at}`, note: `zyx ${text}` },
  ]);
  const json = { selected_layers: ['L1'], rows };
  await desk.environment.finish((await desk.call('POST', 'submit/', { json })).data.job_id);
  await remove(desk, { value });
  expect(findBytes(desk.environment.folder, ['number0', 'number1', 'number2', 'zyx '])).toEqual([]);
});
