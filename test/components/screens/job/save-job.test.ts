// The dialog that saves a job: formats, rules per column, their diff, and what is sent.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { RecordIds } from '../../../../engine/contract/exports/crm-presets.ts';
import type { ColumnDiff, OverwriteDiff } from '../../../../engine/contract/exports/overwrite.ts';
import { expectAccessible } from '../../accessibility.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const emailDiff: ColumnDiff = {
  index: 0,
  column: 'Mail',
  fields: ['Email'],
  rule: 'fill_empty',
  unread_days: 0,
  counts: { filled: 1, replaced: 0, kept: 1, same: 0, not_found: 0 },
  examples: [
    {
      row: 1,
      outcome: 'filled',
      old: '',
      found: 'ada@acme.example',
      source: 'CRM',
      observed_on: '2026-10-02',
    },
    {
      row: 2,
      outcome: 'kept',
      old: 'b@acme.example',
      found: 'bo@acme.example',
      source: 'Hunter',
      observed_on: '2026-10-03',
    },
  ],
};
const diff: OverwriteDiff = {
  rows: 2,
  changed_rows: 1,
  changed_cells: 1,
  columns: [emailDiff],
  headers: ['Mail', 'Changed on'],
  sources: ['CRM', 'Hunter'],
};
const replaced: OverwriteDiff = {
  ...diff,
  changed_rows: 2,
  changed_cells: 2,
  columns: [
    {
      ...emailDiff,
      rule: 'newer',
      unread_days: 1,
      counts: { filled: 1, replaced: 1, kept: 0, same: 0, not_found: 0 },
      examples: emailDiff.examples.map((one) => ({
        ...one,
        outcome: one.outcome === 'kept' ? 'replaced' : one.outcome,
      })),
    },
  ],
};
const recordIds: RecordIds = {
  format: 'csv',
  headers: ['Mail', 'Key'],
  kind: 'people',
  guesses: { salesforce: 'Key' },
  lists: [],
  own_columns: [],
  list_columns: {},
};
const records = {
  updated: 367,
  added: 1,
  repeated: 39,
  waiting: 22,
  several: 0,
  removed: 0,
  unnamed: 0,
  suppressed: 1,
  failed: 0,
};
const url = '/app/v1/downloads/ticket';

async function openDialog(answers: Answers = {}) {
  const job = statusExample;
  const api = await openPage('Jobs', {
    'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job] }),
    'GET /app/v1/jobs/:job_id': () => job,
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job,
      headers: ['Mail'],
      identity: [[0]],
      count: 1,
      offset: 0,
      rows: [{ input: ['ada@acme.example'], result: resultRowExample }],
    }),
    'GET /app/v1/jobs/:job_id/providers': () => [],
    'GET /app/v1/jobs/:job_id/exports/record-ids': () => recordIds,
    'POST /app/v1/jobs/:job_id/exports/preview': ({ sent }) =>
      sent.overwrite.columns.Mail?.rule === 'newer' ? replaced : diff,
    'POST /app/v1/jobs/:job_id/exports/records': () => records,
    'POST /app/v1/jobs/:job_id/exports': ({ sent }) => ({
      path: null,
      download_url: url,
      rows: 2,
      diff: sent.overwrite ? diff : null,
      records: sent.preset ? records : null,
      file_name: 'list-enriched.csv',
    }),
    ...answers,
  });
  await page.getByRole('link', { name: 'Spring list' }).click();
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect.element(dialog).toBeVisible();
  return api;
}

const dialog = page.getByRole('dialog', { name: 'Save' });
const saveButton = dialog.getByRole('button', { name: /^Save/ });
const rules = dialog.getByRole('region', { name: 'Overwrite rules' });

test('everything is saved as CSV with its options, without rules', async () => {
  const api = await openDialog();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await dialog.getByLabelText('For Excel').click();
  await expect.element(dialog.getByLabelText('Only the rows shown')).toBeDisabled();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/exports').map(({ sent }) => sent)).toEqual([
    { rows: 'all', format: 'csv', for_excel: true, protect_all: false, sources: false },
  ]);
  expect(api.askedOf('POST /app/v1/jobs/:job_id/exports/preview')).toEqual([]);
});

test.each([
  [1280, 600],
  [390, 700],
  [640, 400],
])('the buttons stay in sight in a window of %i by %i pixels', async (width, height) => {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1280, 800));
  await openDialog({ 'GET /app/v1/jobs/:job_id/exports/record-ids': () => hubspot });
  await choosePreset('HubSpot contacts');
  await expect.element(dialog.getByText('Ticket, Notes')).not.toBeInViewport({ ratio: 1 });
  await expect.element(saveButton).toBeInViewport({ ratio: 1 });
});

test('a workbook has no options of a CSV, and only the rows shown are saved', async () => {
  const api = await openDialog();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByText('Skipped 1').click();
  await page.getByRole('button', { name: 'Save…' }).click();
  await dialog.getByText('Excel (.xlsx)').click();
  await expect.element(dialog.getByLabelText('For Excel')).not.toBeInTheDocument();
  await dialog.getByLabelText('Only the rows shown').click();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/exports').map(({ sent }) => sent)).toMatchObject([
    { rows: 'shown', status: 'skipped', format: 'xlsx' },
  ]);
});

test('the format and the CRM are proposed again, for lists of the same format', async () => {
  let { format } = recordIds;
  let kind: RecordIds['kind'] = 'people';
  const api = await openDialog({
    'GET /app/v1/jobs/:job_id/exports/record-ids': () => ({ ...recordIds, format, kind }),
  });
  const chosen = (name: string) => dialog.getByRole('radio', { name, exact: true });
  const crm = dialog.getByRole('combobox', { name: 'Columns for' });
  const open = () => page.getByRole('button', { name: 'Save…' }).click();
  const choose = async () => {
    await dialog.getByText('JSON Lines', { exact: true }).click();
    await crm.click();
    await page.getByRole('option', { name: 'Salesforce contacts' }).click();
    await dialog.getByLabelText('In no file').click();
  };
  await choose();
  // What was only tried is not remembered.
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await open();
  await expect.element(chosen('CSV')).toBeChecked();
  await expect.element(crm).toHaveValue('A spreadsheet, all columns');
  await choose();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await open();
  await expect.element(chosen('JSON Lines')).toBeChecked();
  await expect.element(crm).toHaveValue('Salesforce contacts');
  await expect.element(dialog.getByLabelText('In no file')).toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  format = 'xlsx';
  kind = 'companies';
  await open();
  await expect.element(chosen('Excel (.xlsx)')).toBeChecked();
  // A CRM's file of people is none of companies.
  await expect.element(crm).toHaveValue('A spreadsheet, all columns');
  // An importer that reads one format has it proposed.
  await crm.click();
  await page.getByRole('option', { name: 'Salesforce accounts' }).click();
  await expect.element(chosen('CSV')).toBeChecked();
  await crm.click();
  await page.getByRole('option', { name: 'HubSpot companies' }).click();
  await expect.element(chosen('Excel (.xlsx)')).toBeChecked();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/exports')).toHaveLength(1);
});

test('own columns show what each rule changes before they are saved', async () => {
  const api = await openDialog();
  await dialog.getByLabelText('Your columns, updated by rules').click();
  await expect.element(dialog.getByText('1 value in 1 row will change.')).toBeVisible();
  const examples = rules.getByRole('list', { name: 'Examples of Mail' }).getByRole('listitem');
  await expect
    .poll(() => examples.elements().map(({ textContent }) => textContent))
    .toEqual([
      'Row 1empty→ada@acme.exampleCRM, 2026-10-02',
      'Row 2b@acme.examplekept; found bo@acme.exampleHunter, 2026-10-03',
    ]);
  await expectAccessible();
  await rules.getByRole('combobox', { name: 'Rule for Mail' }).click();
  await page.getByRole('option', { name: 'Newer wins' }).click();
  await expect.element(rules.getByText('Choose the column with the day of the row.')).toBeVisible();
  await expect.element(saveButton).toBeDisabled();
  await rules.getByRole('combobox', { name: 'Day of the row for Mail' }).click();
  await page.getByRole('option', { name: 'Changed on' }).click();
  await expect.element(dialog.getByText('2 values in 2 rows will change.')).toBeVisible();
  await expect.element(rules.getByText(/1 cell kept, because the day/)).toBeVisible();
  await dialog.getByLabelText(/Add the found values/).click();
  await expect.element(saveButton).toBeEnabled();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(
    api.askedOf('POST /app/v1/jobs/:job_id/exports').map(({ sent }) => sent.overwrite),
  ).toEqual([
    {
      default: 'fill_empty',
      found_columns: true,
      columns: { Mail: { rule: 'newer', date_column: 'Changed on' } },
    },
  ]);
});

test('trusted sources are chosen from those of the job, by keyboard', async () => {
  const api = await openDialog();
  await dialog.getByLabelText('Your columns, updated by rules').click();
  await rules.getByRole('combobox', { name: 'Rule for Mail' }).click();
  await page.getByRole('option', { name: 'Trusted source wins' }).click();
  await expect.element(rules.getByText('Choose at least one source.')).toBeVisible();
  await rules.getByRole('combobox', { name: 'Trusted sources for Mail' }).click();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}{Tab}');
  await expect
    .poll(() =>
      api
        .askedOf('POST /app/v1/jobs/:job_id/exports/preview')
        .map(({ sent }) => sent.overwrite.columns.Mail?.sources?.length),
    )
    .toContain(1);
});

test('a refusal is shown in the dialog, which stays open', async () => {
  await openDialog({
    'POST /app/v1/jobs/:job_id/exports': () => refuse('validation_error', 'Save as CSV.'),
  });
  await dialog.getByText('Excel (.xlsx)').click();
  await saveButton.click();
  await expect.element(dialog.getByText('Save as CSV.')).toBeVisible();
});

test('a list without corresponding columns says so', async () => {
  await openDialog({
    'POST /app/v1/jobs/:job_id/exports/preview': () => ({ ...diff, changed_cells: 0, columns: [] }),
  });
  await dialog.getByLabelText('Your columns, updated by rules').click();
  await expect.element(dialog.getByText(/No column of your list corresponds/)).toBeVisible();
});

const choosePreset = async (name: string) => {
  await dialog.getByRole('combobox', { name: 'Columns for' }).click();
  await page.getByRole('option', { name }).click();
};
const sentExports = (api: Awaited<ReturnType<typeof openDialog>>) =>
  api.askedOf('POST /app/v1/jobs/:job_id/exports').map(({ sent }) => sent);

test('a preset guesses the record id, never refuses a list without one, and is saved with it', async () => {
  const api = await openDialog();
  await choosePreset('HubSpot contacts');
  const remedy = dialog.getByText(/import your CRM export with its ids in Directory → Imports\.$/);
  await expect.element(remedy).toBeVisible();
  const note = 'Import as contacts.';
  await expect.element(dialog.getByText(note, { exact: true })).toBeVisible();
  await expect.element(saveButton).toBeEnabled();
  await expect.element(dialog.getByLabelText('For Excel')).not.toBeInTheDocument();
  const second = dialog.getByLabelText('In a second file');
  await expect.element(second).not.toBeInTheDocument();
  await expectAccessible();
  await choosePreset('Salesforce contacts');
  await second.click();
  // Without ids each record is new, so the choice of before would leave the first file empty.
  await choosePreset('HubSpot contacts');
  await expect.element(dialog.getByText(/^430 rows: /)).not.toHaveTextContent('second file');
  await choosePreset('Salesforce contacts');
  await expect.element(dialog.getByLabelText(/^In the same file/)).toBeChecked();
  await expect.element(dialog.getByText(/^Recognised by its values/)).toBeVisible();
  await dialog.getByLabelText('Your columns, updated by rules').click();
  const names = dialog.getByText(
    /a rule may change, under the column names of Salesforce contacts/,
  );
  await expect.element(names).toBeVisible();
  await expect.element(dialog.getByText('1 value in 1 row will change.')).toBeVisible();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/exports').map(({ sent }) => sent)).toMatchObject([
    { preset: { crm: 'salesforce', record_id: 'Key' }, overwrite: { columns: {} } },
  ]);
});

const hubspot: RecordIds = {
  ...recordIds,
  lists: [
    { kind: 'people', source: 'CRM', name: 'crm.csv', crms: ['hubspot'], kept: ['Contact owner'] },
    { kind: 'people', source: 'fair.csv', name: 'fair.csv', crms: [], kept: ['Booth'] },
  ],
  own_columns: ['Id in crm.csv', 'Contact owner'],
  list_columns: { hubspot: ['Ticket', 'Notes'] },
};

test('ids come from an imported list, and people without one go into a second file', async () => {
  const api = await openDialog({ 'GET /app/v1/jobs/:job_id/exports/record-ids': () => hubspot });
  const suggested = dialog.getByRole('button', { name: 'For HubSpot contacts' });
  await expect.element(suggested).toBeVisible();
  (suggested.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('combobox', { name: 'Columns for' })).toHaveFocus();
  await expect
    .element(dialog.getByText(/contacts\. Update existing records by Record ID\.$/))
    .toBeVisible();
  await expect.element(dialog.getByLabelText('Record ID from')).toHaveValue('crm.csv');
  const counted =
    '430 rows: 367 records to update, 1 new record, 39 rows repeat an earlier one, ' +
    '22 rows wait for a review, 1 suppressed row.';
  await expect.element(dialog.getByText(counted)).toBeInViewport({ ratio: 1 });
  await dialog.getByLabelText('In a second file').click();
  await expect.element(dialog.getByText(/1 new record in a second file,/)).toBeVisible();
  await expect.element(dialog.getByText('Contact owner', { exact: true })).toBeVisible();
  await dialog.getByLabelText('Columns kept by the import').click();
  await expect.element(dialog.getByText('Ticket, Notes')).toBeVisible();
  await dialog.getByLabelText('Also your list’s other columns').click();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sentExports(api)).toMatchObject([
    { preset: { crm: 'hubspot', records: 'known', list_columns: true }, own_lists: false },
    { preset: { crm: 'hubspot', records: 'new', list_columns: true }, own_lists: false },
  ]);
  const toast = page.getByText(/^Downloading \S+\.csv: 2 rows\.$/).first();
  await expect.element(toast).toBeVisible();
  // The next dialog begins with the same columns, and returns the focus.
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect.element(dialog.getByLabelText('Also your list’s other columns')).toBeChecked();
  await expect.element(dialog.getByLabelText('Columns kept by the import')).not.toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Save…' })).toHaveFocus();
});

test('several lists with ids are all named, because each may know other people', async () => {
  const [crm, fair] = hubspot.lists;
  const lists = [crm, { ...fair, crms: ['hubspot' as const] }] as RecordIds['lists'];
  const api = await openDialog({
    'GET /app/v1/jobs/:job_id/exports/record-ids': () => ({ ...hubspot, lists }),
  });
  await choosePreset('HubSpot contacts');
  const place = dialog.getByRole('combobox', { name: 'Record ID from' });
  await expect.element(place).toHaveAttribute('placeholder', 'crm.csv, fair.csv');
  await expect.element(place).toHaveValue('');
  await expect.element(dialog.getByText(/the first of these lists that has one/)).toBeVisible();
  await expect.element(dialog.getByText('Contact owner, Booth')).toBeVisible();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sentExports(api)).toMatchObject([{ preset: { crm: 'hubspot' } }]);
  expect(sentExports(api)[0]?.preset).not.toHaveProperty('id_list');
});

test('the ids of a chosen list are used, and people without one can be left out', async () => {
  const api = await openDialog({ 'GET /app/v1/jobs/:job_id/exports/record-ids': () => hubspot });
  await choosePreset('HubSpot contacts');
  await dialog.getByRole('combobox', { name: 'Record ID from' }).click();
  await page.getByRole('option', { name: 'fair.csv' }).click();
  await expect.element(dialog.getByText('Booth', { exact: true })).toBeVisible();
  await dialog.getByLabelText('In no file').click();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sentExports(api)).toMatchObject([
    { preset: { crm: 'hubspot', id_list: 'fair.csv', records: 'known' }, own_lists: true },
  ]);
});

test('the format is that of the file that came in, and sources are added when ticked', async () => {
  const workbook = { ...hubspot, format: 'xlsx' as const };
  const api = await openDialog({ 'GET /app/v1/jobs/:job_id/exports/record-ids': () => workbook });
  await expect.element(dialog.getByText('Id in crm.csv, Contact owner')).toBeVisible();
  await dialog.getByLabelText('Source, date and confidence').click();
  await saveButton.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sentExports(api)).toMatchObject([
    { rows: 'all', format: 'xlsx', own_lists: true, sources: true },
  ]);
});

test.each([
  ['Win32', true],
  ['MacIntel', true],
  ['Linux x86_64', false],
])(
  'a CSV begins with the mark of Excel where the system may have it: %s',
  async (platform, has) => {
    Object.defineProperty(navigator, 'platform', { value: platform, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'platform'));
    // Loaded again, because the page asks for its system once.
    const path = `../../../../renderer/components/save/save-dialog.tsx?${platform}`;
    const { describeFormat, firstOptions } = await import(new URL(path, import.meta.url).href);
    expect(describeFormat(firstOptions)).toMatchObject({ format: 'csv', for_excel: has });
  },
);
