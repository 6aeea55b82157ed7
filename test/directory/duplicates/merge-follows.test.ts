// What points to a person who was merged leads to the survivor; what was answered stays.
import { expect, test } from 'vitest';
import { findPersonName } from '../../../engine/directory/read/find-contact.ts';
import { readContacts, readProfile } from '../../../engine/directory/read/read-person.ts';
import { type Desk, expectRefusal, openApiDesk } from '../../http/open-api-desk.ts';

const [annUuid, annaUuid] = [1, 2].map(
  (digit) => `0000000${digit}-0000-4000-8000-000000000000`,
) as [string, string];
const annUrl = 'https://www.linkedin.com/in/ann';
const annaUrl = 'https://www.linkedin.com/in/anna-abernathy';
const headers = 'id,first name,last name,company,email,mobile,profile url';
const anna = `${annaUuid},Anna,Abernathy,Engines,anna@engines.example,+41791000003,${annaUrl}`;
const people = [
  headers,
  `${annUuid},Ann,Abernathy,Engines,ann@engines.example,+41791000001,${annUrl}`,
  anna,
  '',
].join('\n');

async function runJob(desk: Desk, rows: readonly object[]) {
  const submitted = await desk.call('POST', 'submit/', {
    json: { selected_layers: ['L1'], rows },
  });
  const { job_id: jobId } = submitted.data;
  await desk.environment.finish(jobId);
  return jobId as string;
}

const resultsOf = async (desk: Desk, jobId: string) =>
  (await desk.call('GET', `result/${jobId}/`)).data.results;

const merge = async (desk: Desk) => {
  const json = { survivor: annUuid, other: annaUuid };
  const { data } = await desk.app('POST', 'duplicate-merges', { json });
  return data.id as number;
};

async function lookUp(desk: Desk, profileUrl: string): Promise<number> {
  const before = (await desk.app('GET', 'wallet')).data.available;
  const json = { profile_url: profileUrl };
  const path = `/email/enrichment/?token=${encodeURIComponent(desk.key)}`;
  expect((await desk.call('POST', path, { json, key: null })).status).toBe(200);
  return Number(before) - Number((await desk.app('GET', 'wallet')).data.available);
}

test('rows about either record are about one person, and stored results stay', async () => {
  const desk = await openApiDesk({}, { people });
  const [account] = (await desk.app('GET', 'accounts')).data;
  await desk.app('PATCH', `accounts/${account.id}`, { json: { free_repeat_days: 30 } });
  const rows = [{ email: 'ann@engines.example' }, { email: 'anna@engines.example' }];
  const before = await runJob(desk, [{ email: 'anna@engines.example' }]);
  await merge(desk);
  const after = await runJob(desk, rows);
  expect(await resultsOf(desk, after)).toMatchObject([
    { status: 'enriched', upstream_contact_uuid: annUuid, paid_before: [{ job_id: before }] },
    { status: 'enriched', upstream_contact_uuid: annUuid, duplicate_of: 0 },
  ]);
  expect(await resultsOf(desk, before)).toMatchObject([{ upstream_contact_uuid: annaUuid }]);
});

test('ids, imports and reads of the other record lead to the survivor until an undo', async () => {
  const desk = await openApiDesk({}, { people });
  const db = desk.environment.directoryDatabase;
  const mergeId = await merge(desk);
  expect(readContacts(db, [annaUuid]).get(annaUuid)).toMatchObject({ uuid: annUuid });
  expect(readProfile(db, annaUuid, 5)).toMatchObject({ profileUrl: annUrl });
  expect(findPersonName(db, annaUuid)).toBe('Ann Abernathy');
  // The same values from another source, whose row names the record that was merged.
  const form = {
    people: new Blob([`${headers}\n${anna}\n`]),
    source: 'later',
    observed: '2020-01-01',
  };
  const imported = await desk.app('POST', 'directory/imports?wait=1', { form });
  expect(imported.data).toMatchObject({ people_added: 0 });
  const refused = await desk.app('POST', `duplicate-merges/${mergeId}/undo`);
  expectRefusal(refused, 'already_finished', /Undo that import first/);
  await desk.app('POST', `directory/imports/${imported.data.import_id}/undo`);
  expect((await desk.app('POST', `duplicate-merges/${mergeId}/undo`)).status).toBe(200);
  expect(readContacts(db, [annaUuid]).get(annaUuid)).toMatchObject({ uuid: annaUuid });
});

test('what was paid for before a merge is free after it, and after its undo', async () => {
  const desk = await openApiDesk({}, { people });
  expect(await lookUp(desk, annaUrl)).toBeGreaterThan(0);
  const mergeId = await merge(desk);
  expect(await lookUp(desk, annUrl)).toBe(0);
  expect(await lookUp(desk, annaUrl)).toBe(0);
  await desk.app('POST', `duplicate-merges/${mergeId}/undo`);
  expect(await lookUp(desk, annaUrl)).toBe(0);
  expect(await lookUp(desk, annUrl)).toBeGreaterThan(0);
});
