// Firmographics as the user's lists give them: the layer CP, and rows about companies.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csv, type Desk, expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';
import { makeFolder } from '../spreadsheet/export/read-exported.ts';

const companies = [
  'Company ID,Company name,Domain,Industry,Employees,Annual Revenue,Year founded,Legal name,' +
    'Registration number,Parent company,Description',
  'C-7,Acme,acme.example,Machinery,11000,50-200M,1987,Acme Machines AG,HRB 1234,Acme Holding,' +
    '"Makes, and sells, gears"',
];
const people = [
  'First name,Last name,Company,Email',
  'Ann,Lee,Acme,ann.lee@acme.example',
  'Bob,May,Globex,bob.may@globex.example',
  'Cy,Noe,Globex,cy.noe@globex.example',
  'Di,Orr,Globex,di.orr@gmail.com',
  'Ed,Poe,Initech,ed.poe@gmail.com',
  'Flo,Ray,Initech,flo.ray@gmail.com',
];

const openDesk = shareApiDesk({}, { people: 'First name,Last name\nSome,One\n' });

async function openCompanies(): Promise<Desk> {
  const desk = await openDesk();
  const folder = makeFolder();
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), lines.join('\n'));
    return join(folder, name);
  };
  const json = {
    source: 'CRM',
    companies_path: write('companies.csv', companies),
    people_path: write('people.csv', people),
  };
  await desk.app('POST', 'directory/imports?wait=1', { json });
  return desk;
}

/** The rows of a job about people with these addresses. */
async function enrich(desk: Desk, layers: readonly string[], ...emails: readonly string[]) {
  const rows = emails.map((email) => ({ email }));
  const json = { selected_layers: layers, rows };
  const { data } = await desk.call('POST', 'submit/', { json });
  await desk.environment.finish(data.job_id);
  return (await desk.call('GET', `result/${data.job_id}/`)).data.results;
}

test('the profile has the values of the list as they are, and costs half a credit alone', async () => {
  const desk = await openCompanies();
  const [row] = await enrich(desk, ['CP'], 'ann.lee@acme.example');
  expect(row).toMatchObject({ layer_status: { CP: 'enriched' }, credits_charged: '0.5000' });
  expect(row.enriched_fields).toEqual({
    Website: 'acme.example',
    Domain: 'acme.example',
    Industry: 'Machinery',
    Employees: '11000',
    Revenue: '50-200M',
    Founded: '1987',
    'Legal name': 'Acme Machines AG',
    'Registration number': 'HRB 1234',
    'Parent company': 'Acme Holding',
    Description: 'Makes, and sells, gears',
    'Company record ID': 'C-7',
  });
  expect(row.provenance.Revenue).toMatchObject({ source: 'CRM', confidence: 0.8 });
});

test('a website comes from the domain of most addresses, and never from private mailboxes', async () => {
  const desk = await openCompanies();
  const layers = ['L1', 'L2', 'CP'];
  const rows = await enrich(desk, layers, 'bob.may@globex.example', 'ed.poe@gmail.com');
  const websites = rows.map(({ enriched_fields: fields }: { enriched_fields: object }) => fields);
  expect(websites).toMatchObject([
    { 'Company website': 'globex.example', Website: 'globex.example', Domain: 'globex.example' },
    {},
  ]);
  expect(websites[1]).not.toHaveProperty('Website');
});

test('the profile needs no other layer, full includes it, and the order of the others stays', async () => {
  const desk = await openCompanies();
  const { data } = await desk.call('GET', 'layers/');
  const profile = data.layers.find(({ code }: { code: string }) => code === 'CP');
  expect(profile).toMatchObject({ active: true, requires: [], price: '0.5000' });
  expect(data.full.selected_layers).toContain('CP');
  const json = { selected_layers: ['L2', 'CP'], rows: [{ email: 'a@b.example' }] };
  expectRefusal(await desk.call('POST', 'submit/', { json }), 'validation_error', /L2 needs L1/);
});

const rowsAboutCompanies = [
  { company_name: 'Acme' },
  { company_domain: 'https://www.acme.example/about' },
  { company_name: 'Nowhere Unlimited' },
  { company_name: 'Twin' },
];

async function enrichCompanies(desk: Desk, layers: readonly string[]) {
  const json = { selected_layers: layers, rows: rowsAboutCompanies };
  const { data } = await desk.call('POST', 'submit/', { json });
  await desk.environment.finish(data.job_id);
  const { data: page } = await desk.call('GET', `result/${data.job_id}/`);
  return { jobId: data.job_id as string, rows: page.results };
}

test('a row with a company or a website and no person is answered by the layers about companies', async () => {
  const desk = await openCompanies();
  const { rows } = await enrichCompanies(desk, ['L1', 'L2', 'CP']);
  const outcomes = rows.map((row: { status: string; reason: string }) => [row.status, row.reason]);
  expect(outcomes.slice(0, 3)).toEqual([
    ['enriched', ''],
    ['enriched', ''],
    ['skipped', 'no_match'],
  ]);
  expect(rows[0]).toMatchObject({
    layer_status: { L1: 'not_applicable', L2: 'enriched', CP: 'enriched' },
    enriched_fields: { Employees: '11000', 'Company website': 'acme.example' },
    matched_on: ['company_name'],
    credits_charged: '2.0000',
    own_records: [{ list: 'CRM', kind: 'companies', id: 'C-7', fields: {} }],
  });
  expect(rows[0].provenance.Employees).toMatchObject({ source: 'CRM', confidence: 0.8 });
  expect(rows[1]).toMatchObject({ duplicate_of: 0, matched_on: ['company_domain'] });
});

test('a phone or a title in a list of companies is theirs, in a list of people a person’s', async () => {
  const desk = await openCompanies();
  const run = async (...lines: string[]) => {
    const form = { file: csv(...lines), selected_layers: 'CP' };
    const { data } = await desk.call('POST', 'submit/', { form });
    await desk.environment.finish(data.job_id);
    const { data: page } = await desk.call('GET', `result/${data.job_id}/`);
    return page.results.map(({ reason }: { reason: string }) => reason);
  };
  const phone = '+1 212 555 0100';
  expect(await run('Company,Phone,Job title', `Acme,${phone},Buyer`)).toEqual(['']);
  const mixed = ['Name,Company,Phone', 'Ann Lee,Acme,', `,Acme,${phone}`];
  expect((await run(...mixed))[1]).toBe('too_little_data');
});

test.each([
  ['Company,Website', 'Acme,acme.example', 'L1,L2,MPA,CP', []],
  [
    'Name,Company',
    'Ann Lee,Acme',
    'L1,CP',
    ['Current title', 'Email', 'Profile URL', 'Email source'],
  ],
])('the file of %s has of layers about people %j', async (header, line, layers, fields) => {
  const desk = await openCompanies();
  const form = { file: csv(header, line), selected_layers: layers };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  const { text } = await desk.call('GET', `result/${data.job_id}/?format=csv&sources=true`);
  const [names = ''] = text.split('\r\n');
  const ofPeople = ['Current title', 'Email', 'Email source', 'Profile URL', 'Mobile phone'];
  expect(names.split(',').filter((name) => ofPeople.includes(name))).toEqual(fields);
  expect(names.split(',')).toContain('Employees');
});

test('a row with an organisation in the place of a name is about the company', async () => {
  const desk = await openCompanies();
  const form = {
    file: csv('Name,Email', 'Ann Lee,', 'Acme Ltd,', 'Acme Inc.,info@acme.example'),
    selected_layers: 'L1,CP',
  };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  const { data: page } = await desk.call('GET', `result/${data.job_id}/`);
  const [, ...companies] = page.results;
  for (const row of companies)
    expect(row).toMatchObject({
      layer_status: { L1: 'not_applicable', CP: 'enriched' },
      matched_on: ['company_name'],
      input_repairs: [],
    });
});

test('a row with the name in the place of the organisation is about the person', async () => {
  const desk = await openCompanies();
  const lines = ['First name,Last name,Company', 'Bob,May,Globex', 'Acme Ltd,,Ann Lee'];
  const form = { file: csv(...lines), selected_layers: 'L1,CP' };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  const { data: page } = await desk.call('GET', `result/${data.job_id}/`);
  expect(page.results[1]).toMatchObject({
    status: 'enriched',
    enriched_fields: { Email: 'ann.lee@acme.example' },
  });
});

test('layers about people have too little data for such a row', async () => {
  const desk = await openCompanies();
  const { rows } = await enrichCompanies(desk, ['L1']);
  expect(rows[0]).toMatchObject({ status: 'skipped', reason: 'too_little_data' });
});

test('a row that fits two companies waits for a review, and the chosen one answers it', async () => {
  const desk = await openCompanies();
  const folder = makeFolder();
  const path = join(folder, 'twins.csv');
  const twins =
    'Company ID,Company name,City,Country,Employees\nT-1,Twin,Bern,CH,10\nT-2,Twin,Rome,IT,20\n';
  writeFileSync(path, twins);
  await desk.app('POST', 'directory/imports?wait=1', {
    json: { source: 'Twins', companies_path: path },
  });
  const { jobId, rows } = await enrichCompanies(desk, ['CP']);
  expect(rows[3]).toMatchObject({ status: 'skipped', reason: 'ambiguous' });
  const { data: review } = await desk.call('GET', `review/${jobId}/`);
  const [waiting] = review.results;
  expect(waiting.candidates).toHaveLength(2);
  expect(waiting.candidates[0]).toMatchObject({
    name: 'Twin',
    evidence: [{ field: 'company_name', verdict: 'same' }],
  });
  const picks = [{ row_index: 3, contact_uuid: waiting.candidates[0].upstream_contact_uuid }];
  const { data: applied } = await desk.call('POST', `review/${jobId}/`, { json: { picks } });
  expect(applied).toMatchObject({ applied: 1, credits_charged: '0.5000' });
  const { data: page } = await desk.call('GET', `result/${jobId}/`);
  expect(page.results[3]).toMatchObject({ status: 'enriched', layer_status: { CP: 'enriched' } });
});
