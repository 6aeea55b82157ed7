/** Columns recognised by their usual names. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowInputFields } from '../../engine/contract/jobs/row-input.ts';
import { recognizeColumns } from '../../engine/spreadsheet/recognize-columns.ts';
import { rowInputColumns } from '../../engine/spreadsheet/row-input-columns.ts';

/** The recognised headers by field. */
function recognize(headers: string[]): Record<string, string> {
  const found = Object.entries(recognizeColumns(headers, rowInputColumns));
  return Object.fromEntries(found.map(([field, column]) => [field, headers[column]!]));
}

// Each: the headers of an export, and below them their fields.
test.each([
  [
    'plain field names',
    'row_id,first_name,last_name,company_name,email,profile_url',
    'client_reference_id,first_name,last_name,company_name,email,profile_url',
  ],
  [
    'HubSpot',
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company,Job Title',
    'client_reference_id,first_name,last_name,email,phone,,company_name,title',
  ],
  [
    'Salesforce',
    'Contact ID,First Name,Last Name,Account Name,Title,Email,Mailing Country,Account Owner',
    'client_reference_id,first_name,last_name,company_name,title,email,country,',
  ],
  [
    'Apollo',
    'First Name,Last Name,Title,Company,Company Name for Emails,Email,Email Status,' +
      'Work Direct Phone,Corporate Phone,Person Linkedin Url,Website,Company Linkedin Url,Country',
    'first_name,last_name,title,company_name,,email,,phone,,profile_url,company_domain,,country',
  ],
  [
    'Pipedrive',
    'Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization',
    'full_name,email,phone,company_name',
  ],
  [
    'LinkedIn connections',
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
    'first_name,last_name,profile_url,email,company_name,title,',
  ],
  [
    'German',
    'Vorname,Nachname,Firma,E-Mail-Adresse,Telefonnummer,Land,Position',
    'first_name,last_name,company_name,email,phone,country,title',
  ],
  [
    'French',
    'Prénom,Nom,Société,Adresse e-mail,Téléphone,Pays,Fonction',
    'first_name,last_name,company_name,email,phone,country,title',
  ],
  [
    'Spanish',
    'Nombre,Apellidos,Empresa,Correo electrónico,Teléfono,País,Cargo',
    'first_name,last_name,company_name,email,phone,country,title',
  ],
  [
    'other spellings',
    'firstName,LASTNAME,company-name,E-Mail,JobTitle,LinkedIn URL',
    'first_name,last_name,company_name,email,title,profile_url',
  ],
])('the headers of %s are recognised', (_title, headers, fields) => {
  const columns = fields.split(',').flatMap((field, column) => (field ? [[field, column]] : []));
  const found = recognizeColumns(headers.split(','), rowInputColumns);
  expect(found).toEqual(Object.fromEntries(columns));
});

test.each([
  'Company Phone',
  'Contact owner',
  'Company Size',
  'Email Status',
  'Previous Company',
  'Assistant',
  'Company Linkedin Url',
  'Account Owner Email',
  'Billing Country',
  '',
  '   ',
  '---',
])('%j is not recognised', (header) => {
  expect(recognize([header])).toEqual({});
});

test.each([
  ['Contact: First Name', 'first_name'],
  ['Primary Email (Work)', 'email'],
  ['Current company', 'company_name'],
  ["Lead's job title", 'title'],
])('%j is a usual name among irrelevant words', (header, field) => {
  expect(recognize([header])).toEqual({ [field]: header });
});

test('of equal headers the first counts, and a better name precedes an earlier column', () => {
  expect(recognizeColumns(['Email', 'Email'], rowInputColumns)).toEqual({ email: 0 });
  expect(recognize(['Personal Email', 'Work Email'])).toEqual({ email: 'Work Email' });
});

test('no name belongs to two fields', () => {
  const names = Object.values(rowInputColumns).flat();
  const squeezed = names.map((name) => name.replace(/[^\p{L}\p{N}]/gu, ''));
  expect(squeezed.filter((name, place) => squeezed.indexOf(name) !== place)).toEqual([]);
  expect(Object.keys(rowInputColumns).sort()).toEqual([...rowInputFields, 'full_name'].sort());
});

test('whatever the headers, no column serves two fields and every usual name finds its own', () => {
  const names = fc.constantFrom(...Object.values(rowInputColumns).flat());
  fc.assert(
    fc.property(fc.array(fc.oneof(names, fc.string()), { maxLength: 15 }), (headers) => {
      const columns = Object.values(recognizeColumns(headers, rowInputColumns));
      expect(new Set(columns).size).toBe(columns.length);
      expect(columns.every((column) => column >= 0 && column < headers.length)).toBe(true);
    }),
  );
  for (const [field, aliases] of Object.entries(rowInputColumns)) {
    for (const alias of aliases) expect(recognize([alias])).toEqual({ [field]: alias });
  }
});
