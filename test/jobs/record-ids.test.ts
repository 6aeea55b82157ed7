// Rows with the id of a record in an own list are matched by it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csv, shareApiDesk } from '../http/open-api-desk.ts';
import { makeFolder } from '../spreadsheet/export/read-exported.ts';

const openDesk = shareApiDesk(
  {},
  { people: 'First name,Last name,Email\nSome,One,some@one.example\n' },
);

const hubspot = [
  'Record ID,First Name,Last Name,Email,Company name',
  '501,Ann,Lee,ann.lee@acme.example,Acme',
  '502,Bob,May,bob.may@globex.example,Globex',
  '503,John,Smith,john@initech.example,Initech',
  '504,John,Smith,smith@initech.example,Initech',
];
const salesforce = [
  'Contact ID,First Name,Last Name,Email',
  '0035g00000Ab1CdAAJ,Eve,Roe,eve@hooli.example',
];
const pipedrive = ['Person - ID,Person - Name', '1,Kim Fox', '501,Lou Ray'];
const accounts = [
  'Record ID,Company name,Domain',
  '71,Acme,acme.example',
  '72,Globex,globex.example',
];

async function openLists() {
  const desk = await openDesk();
  const folder = makeFolder();
  const write = (name: string, content: readonly string[]) => {
    writeFileSync(join(folder, name), content.join('\n'));
    return join(folder, name);
  };
  for (const json of [
    { source: 'HubSpot', people_path: write('hubspot.csv', hubspot) },
    { source: 'Salesforce', people_path: write('salesforce.csv', salesforce) },
    { source: 'Pipedrive', people_path: write('pipedrive.csv', pipedrive) },
    { source: 'Accounts', companies_path: write('accounts.csv', accounts) },
  ])
    await desk.app('POST', 'directory/imports?wait=1', { json });
  return async (selected_layers: string, ...lines: readonly string[]) => {
    const form = { file: csv(...lines), selected_layers };
    const { data } = await desk.call('POST', 'submit/', { form });
    await desk.environment.finish(data.job_id);
    const { data: result } = await desk.call('GET', `result/${data.job_id}/`);
    return result.results as {
      reason: string;
      enriched_fields: Record<string, string>;
      candidates: { name: string }[];
      matched_on: string[];
    }[];
  };
}

test.each<[title: string, header: string, row: string, answer: string]>([
  ['names a record alone', 'Record ID,Last name,Company', '502,,', 'Bob May'],
  [
    'decides between namesakes',
    'Record ID,First name,Last name,Company',
    '504,John,Smith,Initech',
    'smith',
  ],
  ['of a CRM under another header of it', 'HubSpot ID,Last name,Notes', '501,Lee,x', 'Ann Lee'],
  ['of Salesforce has its form', 'Id,Last name,Notes', '0035g00000Ab1CdAAJ,Roe,x', 'Eve Roe'],
  ['of Salesforce has a short form too', 'Contact ID,Last name', '0035g00000Ab1Cd,Roe', 'Eve Roe'],
  [
    'of Salesforce in other capitals is another',
    'Contact ID,First name,Last name',
    '0035g00000AB1CD,Eve,Roe',
    'other',
  ],
  ['of its own list, which another list has too', 'Person - ID,Last name', '501,', 'Lou Ray'],
  ['of any list agrees with the whole name', 'ID,First name,Last name', '1,Kim,Fox', 'Kim Fox'],
  ['that is any number says nothing alone', 'ID,First name,Last name', '1,,', 'too_little_data'],
  [
    'that is any number does not speak against a row',
    'ID,First name,Last name,Email',
    '1,Ann,Lee,ann.lee@acme.example',
    'Ann Lee',
  ],
  [
    'of one person and the name of another',
    'Record ID,First name,Last name',
    '502,Ann,Lee',
    'conflict',
  ],
  [
    'of one person and the email of another',
    'Record ID,First name,Last name,Email',
    '503,John,Smith,smith@initech.example',
    'conflict',
  ],
  ['that no list has says nothing', 'Record ID,First name,Last name', '999,Ann,Lee', 'other'],
])('an id %s', async (_title, header, row, answer) => {
  const enrich = await openLists();
  const [result] = await enrich('L1', header, row);
  const { reason, enriched_fields: fields, candidates, matched_on } = result!;
  if (answer === 'conflict') {
    expect(reason).toBe('conflicting_evidence');
    expect(candidates.length).toBeGreaterThan(0);
  } else if (answer === 'other') expect(matched_on).not.toContain('client_reference_id');
  else if (answer === 'too_little_data') expect(reason).toBe(answer);
  else {
    expect(reason).toBe('');
    expect(`${fields['First name']} ${fields['Last name']} ${fields.Email}`).toContain(answer);
  }
});

test('the id of a company in a list of companies finds it, unless the name is another', async () => {
  const enrich = await openLists();
  const list = ['Record ID,Company', '71,Acme Inc.', '72,Acme', '71,Globex', '72,Gl0bex', '71,'];
  const rows = await enrich('CP', ...list);
  expect(rows.map(({ reason }) => reason)).toEqual([
    '',
    'conflicting_evidence',
    'conflicting_evidence',
    '',
    '',
  ]);
  expect(rows[0]?.enriched_fields.Domain).toBe('acme.example');
});
