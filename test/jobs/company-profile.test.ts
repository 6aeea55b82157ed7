/** The layer "Company profile": firmographics as the user's lists give them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Desk, expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';
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
