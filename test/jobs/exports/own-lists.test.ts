// The way back into the CRM: ids and kept columns of own lists, over REST and in files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import {
  csv,
  type Desk,
  expectRefusal,
  type Json,
  shareApiDesk,
} from '../../http/open-api-desk.ts';
import { makeFolder } from '../../spreadsheet/export/read-exported.ts';

const crm = [
  'Record ID,First Name,Last Name,Email,Company name,Job Title,Contact owner,Lifecycle Stage',
  '501,Ann,Lee,ann.lee@acme.example,Acme,Chief Engineer,Zoe Fox,customer',
  '502,Bob,May,bob.may@globex.example,Globex,Head of Sales,,lead',
  '503,Cy,Noe,cy.noe@initech.example,Initech,Clerk,Zoe Fox,lead',
];
const accounts = ['Company ID,Company name,Domain,Tier', 'C-7,Acme,acme.example,Gold'];
const event = [
  'First name,Last name,Company,Email,Booth',
  'Ann,Lee,Acme,ann.lee@acme.example,1',
  'New,Person,Hooli,new.person@hooli.example,2',
  'Bob,May,Globex,bob.may@globex.example,3',
  'Ann,Lee,Acme,ann.lee@acme.example,4',
];

const openDesk = shareApiDesk(
  {},
  { people: 'First name,Last name,Email\nSome,One,some@one.example\n' },
);

/** A desk whose directory has the CRM and its accounts, and a job about the event list. */
async function openJob(
  lines = event,
  records = crm,
  layers = 'L1',
): Promise<{ desk: Desk; jobId: string }> {
  const desk = await openDesk();
  const folder = makeFolder();
  const write = (name: string, content: readonly string[]) => {
    writeFileSync(join(folder, name), content.join('\n'));
    return join(folder, name);
  };
  const people = { source: 'HubSpot', keep: ['Contact owner', 'Lifecycle Stage'] };
  const companies = { source: 'Accounts', keep: ['*'] };
  for (const json of [
    { ...companies, companies_path: write('accounts.csv', accounts) },
    { ...people, people_path: write('crm.csv', records) },
  ])
    await desk.app('POST', 'directory/imports?wait=1', { json });
  const form = { file: csv(...lines), selected_layers: layers };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  return { desk, jobId: data.job_id };
}

const readRows = (text: string): Record<string, string>[] => parse(text, { columns: true });

test('a result row has the id and the kept columns of each own list', async () => {
  const { desk, jobId } = await openJob();
  const { data } = await desk.call('GET', `result/${jobId}/`);
  const own = data.results.map((row: { own_records: unknown }) => row.own_records);
  expect(own.slice(0, 2)).toEqual([
    [
      {
        list: 'HubSpot',
        kind: 'people',
        id: '501',
        fields: { 'Contact owner': 'Zoe Fox', 'Lifecycle Stage': 'customer' },
      },
      { list: 'Accounts', kind: 'companies', id: 'C-7', fields: { Tier: 'Gold' } },
    ],
    [],
  ]);
});

test('the first page of the grid names the columns of own lists as the export does', async () => {
  const { desk, jobId } = await openJob();
  const columnsOf = async (offset: number) =>
    (await desk.app('GET', `jobs/${jobId}/rows?limit=1&offset=${offset}`)).data.own_columns;
  const people = { kind: 'people', list: 'HubSpot', is_of_rows: true };
  const companies = { kind: 'companies', list: 'Accounts', is_of_rows: false };
  expect(await columnsOf(0)).toEqual([
    { name: 'Id in HubSpot', header: null, ...people },
    { name: 'Contact owner', header: 'Contact owner', ...people },
    { name: 'Lifecycle Stage', header: 'Lifecycle Stage', ...people },
    { name: 'Company id in Accounts', header: null, ...companies },
    { name: 'Tier', header: 'Tier', ...companies },
  ]);
  expect(await columnsOf(1)).toEqual([]);
});

test('a list of ids alone has the fields of the people that they are of', async () => {
  const { desk, jobId } = await openJob(['Record ID', '501']);
  const { text } = await desk.call('GET', `result/${jobId}/?format=csv`);
  expect(readRows(text)).toMatchObject([{ 'Record ID': '501', 'Last name': 'Lee' }]);
});

test('the grid names the rows whose phone is left out because others have it too', async () => {
  const records = [
    'Record ID,First Name,Last Name,Email,Mobile Phone Number,Phone Number,Contact owner,' +
      'Lifecycle Stage',
    '771,Eve,Orr,eve.orr@umbra.example,+49 171 7569015,+49 30 901820,,',
    '772,Flo,Poe,flo.poe@umbra.example,+49 171 7569015,,,',
    '773,Gus,Ray,gus.ray@umbra.example,+49 171 7569016,,,',
    '774,Hal,Sax,hal.sax@umbra.example,,,,',
  ];
  const rows = ['Email', ...records.slice(1).map((line) => line.split(',')[3] ?? '')];
  const { desk, jobId } = await openJob(rows, records, 'L1,MPA');
  const { data } = await desk.app('GET', `jobs/${jobId}/rows?limit=9`);
  const read = ({ result: { enriched_fields: found }, shared_phone: shared }: Json) => [
    found['Mobile phone'],
    found['Direct phone'],
    shared,
  ];
  expect(data.rows.map(read)).toEqual([
    [undefined, '+4930901820', true],
    [undefined, undefined, true],
    ['+491717569016', undefined, undefined],
    [undefined, undefined, undefined],
  ]);
});

test('the grid says where a cell names the found company with or without its legal form', async () => {
  const lines = [
    'First name,Last name,Company,Email',
    'Ann,Lee,"Acme, Inc.",ann.lee@acme.example',
    'Bob,May,GLOBEX,bob.may@globex.example',
    'Cy,Noe,Hooli,cy.noe@initech.example',
  ];
  const { desk, jobId } = await openJob(lines);
  const { rows } = (await desk.app('GET', `jobs/${jobId}/rows`)).data;
  expect(rows.map(({ same }: { same?: number[] }) => same)).toEqual([[2], [2], undefined]);
});

test('the CSV has a column for each list and each kept column if they are asked for', async () => {
  const { desk, jobId } = await openJob();
  const plain = await desk.call('GET', `result/${jobId}/?format=csv`);
  expect(Object.keys(readRows(plain.text)[0] ?? {})).not.toContain('Contact owner');
  const asked = await desk.call('GET', `result/${jobId}/?format=csv&own_lists=true&sources=true`);
  const [first, second] = readRows(asked.text);
  expect(first).toMatchObject({
    'Id in HubSpot': '501',
    'Contact owner': 'Zoe Fox',
    'Lifecycle Stage': 'customer',
    'Company id in Accounts': 'C-7',
    Tier: 'Gold',
    'Current title source': 'HubSpot',
    'Current title confidence': '0.8',
  });
  expect(first?.['Current title date']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(second).toMatchObject({ 'Id in HubSpot': '', 'Contact owner': '', 'Email source': '' });
});

const known = [
  ['501', '', '', 'Acme', 'Chief Engineer', 'ann.lee@acme.example', 'Zoe Fox', 'customer'],
  ['502', '', '', 'Globex', 'Head of Sales', 'bob.may@globex.example', '', 'lead'],
];
const added = ['', 'New', 'Person', 'Hooli', '', 'new.person@hooli.example', '', ''];
const shownColumns = [
  'Record ID',
  'First Name',
  'Last Name',
  'Company Name',
  'Job Title',
  'Email',
  'Contact owner',
  'Lifecycle Stage',
];
const cellsOf = (text: string) =>
  readRows(text).map((row) => shownColumns.map((name) => row[name] ?? ''));

test('a preset gives matched rows the id of the CRM once, and others become new records', async () => {
  const { desk, jobId } = await openJob();
  const path = `result/${jobId}/?format=csv&preset=hubspot`;
  const both = await desk.call('GET', path);
  expect(cellsOf(both.text)).toEqual([known[0], added, known[1]]);
  expect(cellsOf((await desk.call('GET', `${path}&records=known`)).text)).toEqual(known);
  expect(cellsOf((await desk.call('GET', `${path}&records=new`)).text)).toEqual([added]);
  const asked = await desk.call('GET', `${path}&list_columns=true`);
  expect(readRows(asked.text).map(({ Booth }) => Booth)).toEqual(['1; 4', '2', '3']);
  expect(Object.keys(readRows(both.text)[0] ?? {})).not.toContain('Booth');
  const bare = await desk.call('GET', `${path}&own_lists=false`);
  expect(Object.keys(readRows(bare.text)[0] ?? {})).not.toContain('Contact owner');
  // The ids are numbers, which a header names as those of HubSpot; another CRM has none of them.
  const other = await desk.call('GET', `result/${jobId}/?format=csv&preset=pipedrive`);
  expect(readRows(other.text).map((row) => row['Person - ID'])).toEqual(['', '', '']);
  const chosen = `result/${jobId}/?format=csv&preset=pipedrive&id_list=HubSpot`;
  const named = readRows((await desk.call('GET', chosen)).text);
  expect(named.map((row) => row['Person - ID'])).toEqual(['501', '', '502']);
});

test('a row that may be a record of the CRM, or is nobody, becomes no new record', async () => {
  const lines = ['First name,Last name,Company,Email', ',,,', 'Test,Test,Test,test@test.example'];
  const added = ['New,Person,Hooli,new.person@hooli.example', 'No,Employer,n/a,-'];
  const { desk, jobId } = await openJob([...lines, ...added]);
  const { text } = await desk.call('GET', `result/${jobId}/?format=csv&preset=hubspot`);
  const found = readRows(text).map(
    (row) => `${row['Last Name']}, ${row['Company Name']}, ${row.Email}`,
  );
  // A placeholder is no value of a new record.
  expect(found).toEqual(['Person, Hooli, new.person@hooli.example', 'Employer, , ']);
});

test('a row that waits for a review is left out, and is a new record once nobody was chosen', async () => {
  const namesake = '504,Ann,Lee,lee.ann@acme.example,Acme,Clerk,,lead';
  // Several people at the employer; and a surname alone, whose only holder is unlikely.
  const lines = ['First name,Last name,Company', 'Ann,Lee,Acme', ',Noe,', 'New,Person,Hooli'];
  const { desk, jobId } = await openJob(lines, [...crm, namesake]);
  const readNames = async () => {
    const { text } = await desk.call('GET', `result/${jobId}/?format=csv&preset=hubspot`);
    return readRows(text).map((row) => row['Last Name']);
  };
  const { data: review } = await desk.call('GET', `review/${jobId}/`);
  expect(review.results.map((row: { row_index: number }) => row.row_index)).toEqual([0, 1]);
  expect(await readNames()).toEqual(['Person']);
  const picks = [0, 1].map((row_index) => ({ row_index, contact_uuid: null }));
  await desk.call('POST', `review/${jobId}/`, { json: { picks } });
  expect(await readNames()).toEqual(['Lee', 'Noe', 'Person']);
});

test('the counts of a file for a CRM add up to the rows, before it is saved and after', async () => {
  const namesake = '504,Ann,Lee,lee.ann@acme.example,Acme,Clerk,,lead';
  const lines = [
    ...event,
    'Ann,Lee,Acme,,waits',
    ',,,,nobody',
    'Ann Lee / Bo Kim,,Hooli,,two people',
    'Herr und Frau Kim,,Hooli,,a couple',
    'Test,Test,Test,test@test.example,no person',
    'No,Contact,Hooli,no.contact@hooli.example,suppressed',
  ];
  const { desk, jobId } = await openJob(lines, [...crm, namesake]);
  const values = [{ value: 'no.contact@hooli.example' }];
  await desk.app('POST', 'suppression', { json: { values, reason: 'Asked us.' } });
  const counts = {
    updated: 2,
    added: 1,
    repeated: 1,
    waiting: 1,
    several: 2,
    removed: 0,
    unnamed: 2,
    suppressed: 1,
    failed: 0,
  };
  const preset = { crm: 'hubspot' };
  const path = `jobs/${jobId}/exports`;
  expect((await desk.app('POST', `${path}/records`, { json: { preset } })).data).toEqual(counts);
  const known = { preset: { ...preset, records: 'known' } };
  const { data: saved } = await desk.app('POST', path, { json: known });
  expect(saved).toMatchObject({ rows: 2, records: counts });
  const shown = { preset, rows: 'shown', status: 'enriched' };
  const { data: part } = await desk.app('POST', `${path}/records`, { json: shown });
  expect(part).toMatchObject({ updated: 2, repeated: 1, waiting: 0 });
  // In other files the row of a suppressed person is there, and empty.
  const columns = ['input:0', 'found:Email'];
  const { data: plain } = await desk.app('POST', path, { json: { columns } });
  expect(plain).toMatchObject({ rows: lines.length - 1, records: null, suppressed: 1 });
  // A job after the suppression, of a list with ids.
  const { data: next } = await desk.call('POST', 'submit/', {
    form: {
      file: csv(...lines.map((line) => line.replace('Booth', 'Record ID'))),
      selected_layers: 'L1',
    },
  });
  await desk.environment.finish(next.job_id);
  const json = { preset: { ...preset, record_id: 'Record ID' } };
  const { data } = await desk.app('POST', `jobs/${next.job_id}/exports/records`, { json });
  expect(data.suppressed).toBe(1);
});

test('what belongs to a preset or to a CSV is refused without it', async () => {
  const { desk, jobId } = await openJob();
  for (const query of ['preset=hubspot', 'own_lists=true', 'format=csv&list_columns=true'])
    expectRefusal(await desk.call('GET', `result/${jobId}/?${query}`), 'validation_error');
  const unknown = await desk.call('GET', `result/${jobId}/?format=csv&preset=hubspot&id_list=X`);
  expectRefusal(unknown, 'validation_error', /Lists with ids: "HubSpot"/);
  const ofSalesforce = `result/${jobId}/?format=csv&preset=salesforce`;
  for (const named of ['id_list=HubSpot', 'record_id=Booth'])
    expectRefusal(
      await desk.call('GET', `${ofSalesforce}&${named}`),
      'validation_error',
      /"(?:HubSpot|Booth)" has no ids of Salesforce contacts \(Contact ID, 15 or 18/,
    );
});

test('the app says where a preset finds the ids, and counts the rows of its file', async () => {
  const { desk, jobId } = await openJob();
  const { data: ids } = await desk.app('GET', `jobs/${jobId}/exports/record-ids`);
  const kept = ['Contact owner', 'Lifecycle Stage'];
  expect(ids.kind).toBe('people');
  expect(ids.lists).toEqual([
    { kind: 'people', source: 'HubSpot', name: 'HubSpot', crms: ['hubspot'], kept },
    { kind: 'companies', source: 'Accounts', name: 'Accounts', crms: [], kept: ['Tier'] },
  ]);
  expect(ids.own_columns).toEqual([
    'Id in HubSpot',
    'Contact owner',
    'Lifecycle Stage',
    'Company id in Accounts',
    'Tier',
  ]);
  expect(ids.list_columns).toMatchObject({ hubspot: ['Booth'], salesforce: ['Booth'] });
  const preset = { crm: 'hubspot', records: 'known' };
  const { data: download } = await desk.app('POST', `jobs/${jobId}/exports`, { json: { preset } });
  expect(download).toMatchObject({ rows: 2, path: null });
  const path = join(makeFolder(), 'out.csv');
  const columns = ['input:3', 'own:Id in HubSpot', 'own:Tier'];
  await desk.app('POST', `jobs/${jobId}/exports`, { json: { path, columns } });
  expect(readFileSync(path, 'utf8').split('\r\n').slice(0, 3)).toEqual([
    'Email,Id in HubSpot,Tier',
    'ann.lee@acme.example,501,Gold',
    'new.person@hooli.example,,',
  ]);
});

test('the ids of companies are named after their own file, if it was imported with another', async () => {
  const { desk, jobId } = await openJob();
  const folder = makeFolder();
  const paths = ['people.csv', 'firms.csv'].map((name) => join(folder, name));
  for (const [at, lines] of [crm, accounts].entries())
    writeFileSync(paths[at] ?? '', lines.join('\n'));
  const [people_path, companies_path] = paths;
  await desk.app('POST', 'directory/imports?wait=1', { json: { people_path, companies_path } });
  const { data } = await desk.app('GET', `jobs/${jobId}/exports/record-ids`);
  expect(data.own_columns).toEqual(
    expect.arrayContaining(['Id in people.csv', 'Company id in firms.csv']),
  );
  expect(data.lists).toContainEqual(
    expect.objectContaining({ kind: 'companies', source: 'people.csv', name: 'firms.csv' }),
  );
});

test('a file for companies has their ids: those of the list, or of the employers of its people', async () => {
  const desk = await openDesk();
  const folder = makeFolder();
  const write = (name: string, content: readonly string[]) => {
    writeFileSync(join(folder, name), content.join('\n'));
    return join(folder, name);
  };
  const companies = [
    'Record ID,Company name,Domain,City,Tier',
    '71,Vandelay,vandelay.example,Bern,Gold',
    '72,Umbra,umbra.example,Oslo,',
  ];
  const json = {
    source: 'CRM',
    keep: ['Tier'],
    companies_path: write('companies.csv', companies),
    people_path: write('people.csv', [
      'Record ID,First Name,Last Name,Company name',
      '581,Dana,Fox,Vandelay',
    ]),
  };
  await desk.app('POST', 'directory/imports?wait=1', { json });
  const ask = async (preset: string, selected_layers: string, ...lines: string[]) => {
    const form = { file: csv(...lines), selected_layers };
    const { data } = await desk.call('POST', 'submit/', { form });
    await desk.environment.finish(data.job_id);
    return desk.call('GET', `result/${data.job_id}/?format=csv&preset=${preset}`);
  };
  const save = async (preset: string, layers: string, ...lines: string[]) =>
    readRows((await ask(preset, layers, ...lines)).text);
  const list = [
    'Company,Website',
    'Vandelay,',
    'Umbra,umbra.example',
    'Tyrell,tyrell.example',
    ',',
  ];
  const filled = (rows: Record<string, string>[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')));
  const vandelay = { 'Record ID': '71', Tier: 'Gold', 'Company Domain Name': 'vandelay.example' };
  expect(filled(await save('hubspot_companies', 'CP', ...list))).toEqual([
    { ...vandelay, 'Website URL': 'vandelay.example' },
    {
      'Record ID': '72',
      'Website URL': 'umbra.example',
      'Company Domain Name': 'umbra.example',
    },
    { 'Company name': 'Tyrell', 'Company Domain Name': 'tyrell.example' },
  ]);
  // Pipedrive skips a line without a name: a known company has that of the directory.
  const pipedrive = await save(
    'pipedrive_organizations',
    'L1,L2,CP',
    'Company',
    'VANDELAY',
    'umbra',
  );
  expect(
    pipedrive.map((row) => [row['Organization - Name'], row['Organization - Address']]),
  ).toEqual([
    ['Vandelay', 'Bern'],
    ['Umbra', 'Oslo'],
  ]);
  // A company is no contact, also if it was found.
  const refused = await ask('hubspot', 'CP', ...list);
  expectRefusal(refused, 'validation_error', /names companies and no people.*HubSpot companies/);
  // The id is that of the list of companies, also if the company was known before it.
  expect((await save('hubspot_companies', 'CP', 'Company', 'Vandelay')).at(0)).toMatchObject({
    'Record ID': '71',
  });
  // The ids of contacts are not those of their companies, and an unknown person says of none.
  const people = [
    'Record ID,First name,Last name,Company',
    '5,Dana,Fox,Vandelay',
    '6,No,Body,Umbra',
  ];
  expect(filled(await save('hubspot_companies', 'L1', ...people))).toEqual([
    { 'Record ID': '71', Tier: 'Gold' },
  ]);
});

test('a file of the CRM that is imported again gives no kept column twice', async () => {
  const { desk, jobId } = await openJob();
  const result = `result/${jobId}/?format=csv&preset=hubspot`;
  const before = await desk.call('GET', result);
  const saved = join(makeFolder(), 'saved.csv');
  writeFileSync(saved, before.text);
  const again = async (source: string, keep: string[]) => {
    const json = { source, keep, people_path: saved };
    await desk.app('POST', 'directory/imports?wait=1', { json });
    return (await desk.call('GET', result)).text;
  };
  expect(await again('Saved', ['Contact owner', 'Lifecycle Stage'])).toBe(before.text);
  // Where each list has a column of its own, its name says which list it is of.
  const { own_columns: own } = (await desk.app('GET', `jobs/${jobId}/rows?limit=1`)).data;
  const names = own.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['Contact owner (Saved)', 'Contact owner (HubSpot)']),
  );
  expect(names).not.toContain('Contact owner');
  // The first list that has the column says what it is, also for an id of a list without it.
  expect(await again('Without an owner', ['Lifecycle Stage'])).toContain(',Zoe Fox');
});

test('the ids are those of the lists as they are, and a row whose list is gone becomes no new record', async () => {
  const [header = '', ann = '', , bob = ''] = event;
  const { desk, jobId } = await openJob([header, ann, bob]);
  const read = async () => {
    const file = await desk.call('GET', `result/${jobId}/?format=csv&preset=hubspot`);
    return readRows(file.text).map((row) => [row['Record ID'], row['Contact owner']].join(' '));
  };
  expect(await read()).toEqual(['501 Zoe Fox', '502 ']);
  const path = join(makeFolder(), 'later.csv');
  writeFileSync(path, [crm[0], crm[1]?.replace('501', '901').replace('Zoe', 'Max')].join('\n'));
  const json = { source: 'HubSpot', keep: ['Contact owner'], people_path: path };
  await desk.app('POST', 'directory/imports?wait=1', { json });
  expect(await read()).toEqual(['901 Max Fox', '502 ']);
  const { data: stats } = await desk.app('GET', 'directory');
  for (const { import_id: id } of stats.imports)
    await desk.app('POST', `directory/imports/${id}/undo?wait=1`);
  const { data } = await desk.app('POST', `jobs/${jobId}/exports/records`, {
    json: { preset: { crm: 'hubspot' } },
  });
  expect(data).toMatchObject({ updated: 0, added: 0, removed: 2 });
});
