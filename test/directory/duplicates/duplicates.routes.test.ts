// Duplicates in the app: found, previewed, merged, undone, and what follows a merge elsewhere.
import { expect, test } from 'vitest';
import { type Desk, expectRefusal, openApiDesk } from '../../http/open-api-desk.ts';

const [annUuid, annaUuid, bobUuid] = [1, 2, 3].map(
  (digit) => `0000000${digit}-0000-4000-8000-000000000000`,
) as [string, string, string];

const people = [
  'id,first name,last name,company,title,email,mobile,profile url,city',
  `${annUuid},Ann,Abernathy,Engines,Chief,ann@engines.example,+41791000001,https://www.linkedin.com/in/ann,Bern`,
  `${annaUuid},Anna,Abernathy,Engines,Chief,,+41791000001,,Bern`,
  `${bobUuid},Bob,Quill,Engines,Clerk,bob@engines.example,+41791000002,,Rome`,
  '',
].join('\n');

const openDesk = () => openApiDesk({}, { people });

const search = (desk: Desk) => desk.app('POST', 'duplicate-searches?wait=1', { json: {} });

/** Finds the only pair and merges it; resolves with the merge. */
async function mergeFound(desk: Desk, json: object = { survivor: annUuid }) {
  await search(desk);
  const listed = await desk.app('GET', 'duplicates');
  const { id } = listed.data.duplicates[0];
  const merged = await desk.app('POST', `duplicates/${id}/merge`, { json });
  expect(merged.status).toBe(200);
  return merged.data;
}

const undo = (desk: Desk, id: number) => desk.app('POST', `duplicate-merges/${id}/undo`);

test('a search lists pairs with evidence, which are merged with a preview and undone', async () => {
  const desk = await openDesk();
  const empty = await desk.app('GET', 'duplicates');
  expect(empty.data).toMatchObject({ duplicates: [], total: 0, search: { status: 'never' } });
  expect((await search(desk)).data).toMatchObject({ status: 'completed', is_outdated: false });
  const listed = await desk.app('GET', 'duplicates');
  expect(listed.data).toMatchObject({
    total: 1,
    duplicates: [
      {
        kind: 'person',
        status: 'open',
        likelihood: 'almost_certain',
        agrees: expect.arrayContaining(['Last name', 'Phones', 'Employers', 'City']),
        differs: ['First name'],
      },
    ],
  });
  const { id } = listed.data.duplicates[0];
  const preview = await desk.app('GET', `duplicates/${id}?survivor=${annaUuid}`);
  expect(preview.data.records.map(({ name }: { name: string }) => name)).toEqual([
    'Anna Abernathy',
    'Ann Abernathy',
  ]);
  const fieldOf = (name: string) =>
    preview.data.fields.find(({ field }: { field: string }) => field === name);
  expect(fieldOf('profile_url')).toMatchObject({
    verdict: 'one_side',
    winner: 1,
    reason: 'only',
    values: [null, { value: expect.stringContaining('/in/ann'), witnesses: 1 }],
  });
  expect(fieldOf('phones')).toMatchObject({ verdict: 'agrees', winner: null, reason: 'all_kept' });
  const wrong = { json: { survivor: bobUuid } };
  expectRefusal(
    await desk.app('POST', `duplicates/${id}/merge`, wrong),
    'validation_error',
    /survivor/,
  );
  const unknown = { json: { choices: { shoe_size: annUuid } } };
  expectRefusal(
    await desk.app('POST', `duplicates/${id}/merge`, unknown),
    'validation_error',
    /shoe/,
  );
  const json = { survivor: annaUuid, choices: { first_name: annUuid } };
  const merged = await desk.app('POST', `duplicates/${id}/merge`, { json });
  expect(merged.data).toMatchObject({
    survivor: { id: annaUuid },
    other: { id: annUuid },
    merged_by: 'Local workspace',
    undone_at: null,
  });
  const found = await desk.app('POST', 'search', { json: { filters: { name: 'Abernathy' } } });
  expect(found.status).toBeLessThan(500);
  expect((await desk.app('GET', 'duplicates')).data.total).toBe(0);
  expectRefusal(await desk.app('GET', `duplicates/${id}`), 'not_found', /merged/);
  const undone = await undo(desk, merged.data.id);
  expect(undone.data).toMatchObject({ id: merged.data.id, undone_by: 'Local workspace' });
  expectRefusal(await undo(desk, merged.data.id), 'already_finished', /already been undone/);
  expect((await desk.app('GET', 'duplicates')).data.total).toBe(1);
  const merges = await desk.app('GET', 'duplicate-merges');
  expect(merges.data).toMatchObject({ merges: [{ id: merged.data.id }], next: null });
});

test('a dismissed pair is listed apart, and opened again', async () => {
  const desk = await openDesk();
  await search(desk);
  const { id } = (await desk.app('GET', 'duplicates')).data.duplicates[0];
  await desk.app('POST', `duplicates/${id}/dismiss`);
  await search(desk);
  expect((await desk.app('GET', 'duplicates')).data.total).toBe(0);
  expect((await desk.app('GET', 'duplicates?status=dismissed')).data.total).toBe(1);
  await desk.app('POST', `duplicates/${id}/reopen`);
  expect((await desk.app('GET', 'duplicates')).data.total).toBe(1);
});

test('a person merges companies of two legal forms only by confirming it', async () => {
  const desk = await openApiDesk({}, { people });
  const form = {
    companies: new Blob(['id,name\n1,Acme GmbH\n2,Acme Ltd\n']),
    source: 'companies',
  };
  await desk.app('POST', 'directory/imports?wait=1', { form });
  const ids = desk.environment.directoryDatabase
    .prepare("SELECT uuid FROM company WHERE name LIKE 'Acme%' ORDER BY name")
    .pluck()
    .all() as string[];
  const json = { kind: 'company', survivor: ids[0], other: ids[1] };
  const refused = await desk.app('POST', 'duplicate-merges', { json });
  expectRefusal(refused, 'validation_error', /legal forms/);
  const confirmed = { json: { ...json, across_legal_forms: true } };
  const merged = await desk.app('POST', 'duplicate-merges', confirmed);
  expect(merged.data).toMatchObject({
    survivor: { name: 'Acme GmbH' },
    other: { name: 'Acme Ltd' },
  });
});

test('a suppressed person is in no pair, and their merges show no names', async () => {
  const desk = await openDesk();
  const { id } = await mergeFound(desk);
  // The UUID of the record that was merged means the survivor.
  await desk.app('POST', 'suppression', { json: { values: [{ value: annaUuid }] } });
  const { merges } = (await desk.app('GET', 'duplicate-merges')).data;
  expect(merges).toMatchObject([{ id, survivor: { name: '' }, other: { name: '' } }]);
  const job = await desk.call('POST', 'submit/', {
    json: { selected_layers: ['L1'], rows: [{ email: 'ann@engines.example' }] },
  });
  await desk.environment.finish(job.data.job_id);
  const rows = await desk.call('GET', `result/${job.data.job_id}/`);
  expect(rows.data.results).toMatchObject([{ status: 'skipped', reason: 'suppressed' }]);
});
