// People of the team's directory over the routes and tools of an engine: search and unlock.
import { expect, test } from 'vitest';
import { companyNameKey } from '../../engine/directory/normalize/normalize-company.ts';
import { formatSharedAddress } from '../../engine/shared/connection/shared-address.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { openToolDesk } from '../assistants/open-tool-desk.ts';
import { makeDirectory, type Person } from '../directory/small-directory.ts';
import { endPipeline } from '../http/end-pipeline.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';

const missing = postgresMissing();
const idOf = (at: number) => `b0000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

const secret = Buffer.alloc(16, 7);
const threePeople = ['Zoe', 'Yan', 'Xie'].map((first) => ({
  first,
  last: 'Team',
  jobs: [{ at: 'Shared Works', email: `${first.toLowerCase()}@works.example` }],
}));

/** An engine with people of its own, and a team's directory with others. */
async function openTeamDesk(people: readonly Person[] = threePeople) {
  const shared = await openTestShared();
  const directory = makeDirectory(people);
  for (const [at] of people.entries())
    directory.prepare('UPDATE person SET uuid = ? WHERE id = ?').run(idOf(at), at + 1);
  for (const name of directory.prepare('SELECT name FROM company').pluck().all() as string[])
    directory
      .prepare(
        `UPDATE company SET name_key = ?, uuid = printf('c0000000-0000-4000-8000-%012d', id)
         WHERE name = ?`,
      )
      .run(companyNameKey(name), name);
  await loadDirectory(shared.admin, directory, { secret, source: 'team' });
  const { login } = await shared.connectAs('desk_queue');
  const desk = await openToolDesk();
  const address = formatSharedAddress({ ...shared.address, user: login });
  const search = (more: object) => desk.app('POST', 'directory/search/contacts', { json: more });
  return { desk, address, password: login, search };
}

test('the directory that is chosen is searched, and a person of the team is unlocked for the price', async () => {
  if (missing) return console.warn(missing);
  const { desk, address, password, search } = await openTeamDesk();
  const team = { directory: 'team', query: 'team' };
  const none = await search(team);
  expect([none.status, none.body.detail]).toEqual([
    400,
    expect.stringContaining('no directory of a team'),
  ]);
  const set = await desk.app('PUT', 'shared-directory', { json: { address, password } });
  expect(set.status).toBe(200);
  expect((await desk.app('GET', 'directory')).data.has_team).toBe(true);
  const own = await search({ query: 'team' });
  expect(own.data).toEqual({ total: 0, results: [] });
  const first = await search({ ...team, limit: 2 });
  expect(first.data).toMatchObject({ total: 3, next_after: '2' });
  const second = await search({ ...team, limit: 2, after: '2' });
  expect(second.data).toMatchObject({ total: 3, results: [{ first_name: 'Xie' }] });
  expect(second.data.next_after).toBeUndefined();
  expect((await desk.app('GET', 'directory/search/values?directory=team')).data.industry).toEqual(
    [],
  );
  const refused = await search({ query: 'team', after: '2' });
  expect(refused.status).toBe(400);
  // By a tool.
  const found = await desk.tool('search_contacts', { directory: 'team', company_name: 'shared' });
  expect(found.data.total).toBe(3);
  const [zoe] = found.data.results;
  expect(zoe).toMatchObject({ uuid: idOf(0), first_name: 'Zoe', has_email: true });
  const order = { uuids: [zoe.uuid, idOf(77)], unlock_type: 'email' };
  const dry = await desk.tool('unlock_contacts', { ...order, dry_run: true });
  expect(dry.data).toMatchObject({ credits_at_most: '1.0000' });
  const before = await desk.readWallet();
  const unlocked = await desk.tool('unlock_contacts', order);
  expect(unlocked.data).toMatchObject({
    credits_charged: '1.0000',
    results: [{ status: 'unlocked', email: 'zoe@works.example' }, { status: 'not_found' }],
  });
  expect(await desk.readWallet()).not.toBe(before);
  const again = await desk.tool('unlock_contacts', order);
  expect(again.data).toMatchObject({
    credits_charged: '0.0000',
    results: [{ status: 'owned' }, {}],
  });
  // The screen shows what the account has.
  expect((await search(team)).data.results).toMatchObject([
    { first_name: 'Zoe', email: 'zoe@works.example', phone: null },
    { first_name: 'Yan', email: null },
    { first_name: 'Xie', email: null },
  ]);
});

test('companies of the team are searched by REST and by a tool, and have a page with their people', async () => {
  if (missing) return console.warn(missing);
  const { desk, address, password } = await openTeamDesk([
    ...threePeople,
    { first: 'Wes', last: 'Team', jobs: [{ at: 'Other Works' }] },
  ]);
  const search = (more: object) => desk.app('POST', 'directory/search/companies', { json: more });
  const team = { directory: 'team', query: 'works' };
  expect((await search(team)).body.detail).toContain('no directory of a team');
  await desk.app('PUT', 'shared-directory', { json: { address, password } });
  expect((await search({ query: 'works' })).data).toEqual({ total: 0, results: [] });
  const first = await search({ ...team, limit: 1 });
  expect(first.data).toMatchObject({
    total: 2,
    next_after: '1',
    results: [{ name: 'Shared Works' }],
  });
  const second = await search({ ...team, limit: 1, after: '1' });
  expect(second.data).toMatchObject({ total: 2, results: [{ name: 'Other Works' }] });
  expect(second.data.next_after).toBeUndefined();
  for (const wrong of [
    { ...team, offset: 1 },
    { query: 'works', after: '1' },
  ])
    expect((await search(wrong)).status).toBe(400);
  const found = await desk.tool('search_companies', { directory: 'team', company_name: 'shar' });
  expect(found.data).toMatchObject({ total: 1, results: [{ name: 'Shared Works' }] });
  const uuid = found.data.results[0].uuid;
  const readPage = () => desk.app('GET', `directory/companies/${uuid}?directory=team`);
  expect((await readPage()).data).toMatchObject({ id: uuid, name: 'Shared Works', duplicates: [] });
  expect((await desk.app('GET', `directory/companies/${uuid}`)).status).toBe(404);
  const people = { directory: 'team', company_id: uuid };
  expect((await desk.app('POST', 'directory/search/contacts', { json: people })).data.total).toBe(
    3,
  );
  const values = [{ kind: 'company', value: 'Shared Works' }];
  await desk.app('POST', 'suppression', { json: { values } });
  expect((await readPage()).status).toBe(404);
  expect((await search(team)).data.total).toBe(1);
});

test('a pipeline unlocks people of the team, and its estimate counts their values', async () => {
  if (missing) return console.warn(missing);
  const { desk, address, password } = await openTeamDesk();
  await desk.app('PUT', 'shared-directory', { json: { address, password } });
  const order = { uuids: [idOf(1), idOf(2), idOf(77)], unlock: ['email'] };
  const estimate = await desk.app('POST', 'pipelines/estimate', { json: order });
  expect(estimate.data.preview).toMatchObject({
    sampled: 3,
    matched: 2,
    with_email: 2,
    expected_credits: '2.0000',
  });
  const started = await desk.app('POST', 'pipelines', { json: order });
  const id = started.data.pipeline_id;
  await endPipeline(desk, id);
  const rows = await desk.app('GET', `pipelines/${id}/rows?limit=10`);
  expect(JSON.stringify(rows.data)).toContain('yan@works.example');
  const { data } = await desk.call('GET', `/api/v1/pipeline/${id}/`);
  expect(data).toMatchObject({ matched: 2, unlocked: 2, credits_charged: '2.0000' });
});

test('a person of the team has a page, and all who match a search are unlocked by one pipeline', async () => {
  if (missing) return console.warn(missing);
  const { desk, address, password } = await openTeamDesk();
  await desk.app('PUT', 'shared-directory', { json: { address, password } });
  const readPage = (id: string) => desk.app('GET', `directory/people/${id}?directory=team`);
  const emailOf = async (id: string) =>
    (await readPage(id)).data.values.find(({ field }: { field: string }) => field === 'email');
  expect((await readPage(idOf(0))).data).toMatchObject({
    id: idOf(0),
    name: 'Zoe Team',
    company_name: 'Shared Works',
    duplicates: [],
    jobs: [{ company_name: 'Shared Works', is_current: true, has_email: true }],
  });
  expect(await emailOf(idOf(0))).toMatchObject({ value: null, is_hidden: true });
  expect((await readPage(idOf(77))).status).toBe(404);
  expect((await desk.app('GET', `directory/people/${idOf(0)}`)).status).toBe(404);
  const filters = { directory: 'team', company_name: 'shared', limit: 2 };
  const order = { filters, unlock: ['email'] };
  const estimate = await desk.app('POST', 'pipelines/estimate', { json: order });
  expect(estimate.data).toMatchObject({ contacts: 2, preview: { with_email: 2 } });
  const started = await desk.call('POST', '/api/v1/pipeline/', { key: desk.key, json: order });
  await endPipeline(desk, started.data.pipeline_id);
  expect(await emailOf(idOf(0))).toMatchObject({ value: 'zoe@works.example', is_hidden: false });
  expect(await emailOf(idOf(2))).toMatchObject({ value: null, is_hidden: true });
  const wrong = { ...order, filters: { ...filters, industry: 'Mining' } };
  const refused = await desk.app('POST', 'pipelines/estimate', { json: wrong });
  expect(refused.body.detail).toMatch(/^filters\.industry/);
  const values = [{ kind: 'person', value: idOf(0) }];
  await desk.app('POST', 'suppression', { json: { values } });
  expect((await readPage(idOf(0))).status).toBe(404);
});

test('what a job returned of a person of the team is open, to its account alone, until it is deleted', async () => {
  if (missing) return console.warn(missing);
  const { desk, address, password, search } = await openTeamDesk();
  const worker = { matches_here: true, secret: secret.toString('hex') };
  await desk.app('PUT', 'shared-directory', { json: { address, password, ...worker } });
  const other = await desk.app('POST', 'accounts', { json: { name: 'Other' } });
  const emailOf = async (id: string, headers = {}) => {
    const { data } = await desk.app('GET', `directory/people/${id}?directory=team`, { headers });
    return data.values.find(({ field }: { field: string }) => field === 'email').value;
  };
  const listEmails = async () => {
    const { data } = await search({ directory: 'team', query: 'team' });
    return data.results.map(({ email }: { email: string | null }) => email);
  };
  const enrich = async (first_name: string, layers: readonly string[]) => {
    const rows = [{ first_name, last_name: 'Team', company_name: 'Shared Works' }];
    const json = { selected_layers: layers, rows };
    const { data } = await desk.call('POST', 'submit/', { key: desk.key, json });
    await desk.environment.finish(data.job_id);
    const status = await desk.call('GET', `status/${data.job_id}/`, { key: desk.key });
    expect(status.data.enriched_rows).toBe(1);
    return data.job_id as string;
  };
  const job = await enrich('Zoe', ['L1']);
  // No email is among the values of this layer.
  await enrich('Yan', ['CP']);
  expect(await listEmails()).toEqual(['zoe@works.example', null, null]);
  expect(await emailOf(idOf(0))).toBe('zoe@works.example');
  expect(await emailOf(idOf(2))).toBeNull();
  expect(await emailOf(idOf(0), { 'x-desk-account': other.data.id })).toBeNull();
  await desk.app('POST', 'job-deletions', { json: { job_ids: [job], cancel: false } });
  expect(await listEmails()).toEqual([null, null, null]);
});

test('a profile URL that only the team knows is looked up by REST and by a tool, each value once', async () => {
  if (missing) return console.warn(missing);
  const twin = { first: 'Dan', last: 'Twin' };
  const { desk, address, password } = await openTeamDesk([
    { ...threePeople[0]!, url: 'https://social.example/in/zoe' },
    { ...twin, jobs: [{ at: 'Shared Works', email: 'dan1@works.example' }] },
    { ...twin, jobs: [{ at: 'Shared Works', email: 'dan2@works.example' }] },
  ]);
  const worker = { matches_here: true, secret: secret.toString('hex') };
  await desk.app('PUT', 'shared-directory', { json: { address, password, ...worker } });
  const profile = { profile_url: 'https://social.example/in/zoe/' };
  const lookUp = (kind: string) =>
    desk.call('POST', `/${kind}/enrichment/?token=${desk.key}`, { json: profile });
  const email = await lookUp('email');
  expect(email.body).toEqual({
    status: 'success',
    results: { email: 'zoe@works.example', email_status: 'unknown' },
  });
  expect((await lookUp('phone')).status).toBe(404);
  const owned = await desk.tool('enrich_email', profile);
  expect(owned.data).toMatchObject({
    status: 'found',
    uuid: idOf(0),
    email: 'zoe@works.example',
    matched_on: ['profile_url'],
    credits_charged: '0.0000',
  });
  const named = { first_name: 'Dan', last_name: 'Twin', company_name: 'Shared Works' };
  const both = await desk.tool('enrich_email', named);
  expect(both.data).toMatchObject({ status: 'ambiguous', credits_charged: '0.0000' });
  const ids = both.data.candidates.map((one: Record<string, string>) => one.upstream_contact_uuid);
  expect(ids).toEqual([idOf(1), idOf(2)]);
  const chosen = await desk.tool('unlock_contacts', { uuids: [ids[1]], unlock_type: 'email' });
  expect(chosen.data.results).toMatchObject([{ status: 'unlocked', email: 'dan2@works.example' }]);
});
