// One person or company in the app: values with sources, jobs, duplicates, hidden values.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Desk, expectRefusal, openApiDesk } from '../http/open-api-desk.ts';

const [annUuid, bobUuid] = [1, 2].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`) as [
  string,
  string,
];
const profileUrl = 'https://www.linkedin.com/in/ann';
const people = [
  'id,first name,last name,company,company domain,title,email,mobile,profile url,city,' +
    'current,start date',
  `${annUuid},Ann,Abernathy,Engines,engines.example,Chief,ann@engines.example,+41791000001,` +
    `${profileUrl},Bern,yes,2020-05`,
  `${annUuid},Ann,Abernathy,Globex,globex.example,Clerk,ann@globex.example,,,,no,2011`,
  `${bobUuid},Bob,Quill,Engines,engines.example,Clerk,,,,Rome,yes,`,
  '',
].join('\n');

const openDesk = () => openApiDesk({}, { people });
const read = (desk: Desk, kind: 'people' | 'companies', id: string) =>
  desk.app('GET', `directory/${kind}/${id}`);
type Value = { field: string; value: string | null };
const findValue = (answer: Awaited<ReturnType<typeof read>>, field: string) =>
  answer.data.values.find((one: Value) => one.field === field);

async function importAlso(desk: Desk, text: string, source: string, observed: string) {
  const dir = mkdtempSync(join(tmpdir(), 'desk-records-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'more.csv');
  writeFileSync(path, text);
  const json = { people_path: path, source, observed, trust: 0.5 };
  const { data } = await desk.app('POST', 'directory/imports?wait=1', { json });
  expect(data.status).toBe('completed');
}

test('a person has every value with its source, and all jobs', async () => {
  const desk = await openDesk();
  await importAlso(
    desk,
    `id,first name,last name,city\n${annUuid},Ann,Abernathy,Zug\n`,
    'Fair',
    '2030-01-01',
  );
  const answer = await read(desk, 'people', annUuid.toUpperCase());
  expect(answer.data).toMatchObject({
    id: annUuid,
    name: 'Ann Abernathy',
    title: 'Chief',
    company_name: 'Engines',
    has_left: false,
    other_names: [],
    duplicates: [],
    jobs: [
      { company_name: 'Engines', is_current: true, start_on: '2020-05', has_email: true },
      { company_name: 'Globex', is_current: false, start_on: '2011', has_email: true },
    ],
  });
  expect(findValue(answer, 'city')).toMatchObject({
    value: 'Zug',
    source: 'Fair',
    observed_on: '2030-01-01',
    trust: 0.5,
    others: [{ value: 'Bern' }],
  });
  expect(findValue(answer, 'last_name')).toMatchObject({ value: 'Abernathy', is_hidden: false });
  expect(answer.data.jobs[0].values[0]).toMatchObject({ field: 'title', value: 'Chief' });
});

test('emails and phones of the own directory are shown, and cost nothing', async () => {
  const desk = await openDesk();
  const answer = await read(desk, 'people', annUuid);
  expect(findValue(answer, 'email')).toMatchObject({
    value: 'ann@engines.example',
    is_hidden: false,
  });
  expect(findValue(answer, 'mobile_phone')).toMatchObject({ is_hidden: false });
  expect(answer.data.jobs[0]).toMatchObject({ email: 'ann@engines.example' });
  expect((await desk.app('GET', 'wallet')).data.spent).toBe('0.0000');
});

test('the jobs of a person are found, whether their people are indexed or not', async () => {
  const desk = await openDesk();
  const rows = [
    { full_name: 'No One' },
    { first_name: 'Ann', last_name: 'Abernathy', company_name: 'Engines' },
  ];
  const run = async (title: string) => {
    const json = { selected_layers: ['L1'], title, rows };
    const { data } = await desk.call('POST', 'submit/', { json });
    await desk.environment.finish(data.job_id);
    return data.job_id as string;
  };
  const first = await run('First');
  const jobsOf = (id: string) => desk.app('GET', `directory/people/${id}/jobs`);
  expect((await jobsOf(annUuid)).data).toMatchObject({
    jobs: [{ job_id: first, title: 'First', row_index: 1 }],
    jobs_left_out: 0,
  });
  expect((await jobsOf(bobUuid)).data).toEqual({ jobs: [], jobs_left_out: 0 });
  await desk.app('PATCH', `accounts/${(await desk.app('GET', 'state')).data.account.id}`, {
    json: { free_repeat_days: 30 },
  });
  const second = await run('Second');
  expect((await jobsOf(annUuid)).data.jobs.map(({ job_id: id }: { job_id: string }) => id)).toEqual(
    [second, first],
  );
});

test('a company has its values, its names and its people', async () => {
  const desk = await openDesk();
  const found = await desk.app('POST', 'directory/search/companies', {
    json: { query: 'engines' },
  });
  const { uuid } = found.data.results[0];
  const answer = await read(desk, 'companies', uuid);
  expect(answer.data).toMatchObject({
    id: uuid,
    name: 'Engines',
    domain: 'engines.example',
    other_names: [],
    other_domains: [],
    duplicates: [],
  });
  expect(findValue(answer, 'domain')).toMatchObject({ value: 'engines.example', is_hidden: false });
  const staff = await desk.app('POST', 'directory/search/contacts', { json: { company_id: uuid } });
  expect(staff.data.total).toBe(2);
});

test('suppressed and unknown records have no page', async () => {
  const desk = await openDesk();
  const json = {
    values: [
      { kind: 'person', value: annUuid },
      { kind: 'company', value: 'Globex' },
    ],
  };
  const { data } = await desk.app('POST', 'directory/search/companies', {
    json: { query: 'globex' },
  });
  await desk.app('POST', 'suppression', { json });
  expectRefusal(await read(desk, 'people', annUuid), 'not_found');
  expectRefusal(await desk.app('GET', `directory/people/${annUuid}/jobs`), 'not_found');
  expectRefusal(await read(desk, 'companies', data.results[0].uuid), 'not_found');
  expectRefusal(await read(desk, 'people', '00000009-0000-4000-8000-000000000000'), 'not_found');
  expectRefusal(await read(desk, 'people', 'ann'), 'not_found');
});

test('merged people are their survivor, and the page names possible duplicates', async () => {
  const annaUuid = '00000003-0000-4000-8000-000000000000';
  const twin = `${annaUuid},Anna,Abernathy,Engines,engines.example,Chief,,+41791000001,,Bern,yes,`;
  const desk = await openApiDesk({}, { people: `${people}${twin}\n` });
  await desk.app('POST', 'duplicate-searches?wait=1', { json: {} });
  const [pair] = (await read(desk, 'people', annUuid)).data.duplicates;
  expect(pair).toMatchObject({ other: 'Anna Abernathy', likelihood: 'almost_certain' });
  await desk.app('POST', `duplicates/${pair.id}/merge`, { json: { survivor: annUuid } });
  expect((await read(desk, 'people', annaUuid)).data).toMatchObject({
    id: annUuid,
    name: 'Ann Abernathy',
    other_names: ['Anna Abernathy'],
    duplicates: [],
  });
});
