// Import of lists: column choices, refusals, and the request.
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { ImportReport } from '../../../../engine/contract/directory.ts';
import type { ImportPreview } from '../../../../engine/contract/records/import-preview.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { findNestedBoxes } from '../../../nested-boxes.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { emptyDirectory, emptyReport, idOf, noneHidden } from '../../empty-desk.ts';
import { type Answers, type Asked, type FakeApi, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';

const odd =
  'Wer;Wo tätig;Rolle dort;Netzpost\n' +
  'Ada Lovelace;Analytical Engines;Analyst;ada@engines.example\n' +
  'Grace Hopper;Harvard;Commander;grace@harvard.example\n';

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const placeOf = (label: string) => page.getByLabelText(label, { exact: true });
const columnsOf = (name: string) => page.getByRole('region', { name: `The columns of ${name}` });

const workbook: Upload = {
  ...uploadExample,
  file_name: 'people.xlsx',
  kind: 'xlsx',
  row_count: 1,
  headers: ['Wer', 'Ort', 'Firma'],
  labels: ['Wer', 'Ort', 'Firma'],
  first_rows: [['Alan Turing', 'Manchester', 'Ferranti']],
  mapping: {},
};

/** Reads a list with semicolons; any other file is the workbook. */
const readFile = async ({ files: { file } }: Pick<Asked, 'files'>): Promise<Upload> => {
  const text = (await file?.text()) ?? '';
  if (!text.includes(';')) return workbook;
  const [headers = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(';'));
  return {
    ...workbook,
    file_name: file?.name ?? '',
    kind: 'csv',
    headers,
    labels: headers,
    first_rows: rows,
    row_count: rows.length,
  };
};

const reading: Answers = {
  'POST /app/v1/uploads': readFile,
  'DELETE /app/v1/uploads/:upload_id': ({ params }) => ({ upload_id: params.upload_id ?? '' }),
};

/** Selects a list and returns the part of the screen with its columns. */
async function chooseList(label: string, name: string, text: string): Promise<Locator> {
  await placeOf(label).upload(new File([text], name));
  const rows = columnsOf(name).getByRole('grid', { name: `First rows of ${name}` });
  await expect.element(rows).toBeVisible();
  return columnsOf(name);
}

async function pick(columns: Locator, field: string, header: string): Promise<void> {
  await columns.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: header, exact: true }).click();
}

const openColumns = (columns: Locator) =>
  columns.getByRole('button', { name: 'Columns', exact: true }).click();

/** Responses of a directory with these reports. */
function keepImports(): { answers: Answers; end: (api: FakeApi, report: ImportReport) => void } {
  const reports: ImportReport[] = [];
  return {
    answers: {
      ...reading,
      'GET /app/v1/directory': () => ({ ...emptyDirectory, imports: reports }),
      'POST /app/v1/directory/imports': () => ({ task: 'import' }),
    },
    end(api, report) {
      const others = reports.filter(({ import_id: id }) => id !== report.import_id);
      reports.splice(0, reports.length, ...others, report);
      api.tell({ type: 'import', report });
    },
  };
}

test('an import waits until the preview is that of the choices', async () => {
  const imports = keepImports();
  const waiting = Promise.withResolvers<void>();
  await openPage('Imports', {
    ...imports.answers,
    'POST /app/v1/directory/import-previews': async ({ sent: { headers, mapping = {} } }) => {
      if (Object.keys(mapping).length > 0) await waiting.promise;
      return {
        columns: headers.map(() => null),
        rows: 2,
        rows_refused: 0,
        refusal: null,
        undecided_dates: false,
        remarks: [],
      };
    },
  });
  const columns = await chooseList('People', 'kontakte.csv', odd);
  const button = page.getByRole('button', { name: 'Import', exact: true });
  await expect.element(button).toBeEnabled();
  await openColumns(columns);
  await pick(columns, 'Company name', 'Wo tätig');
  await expect.element(button).toBeDisabled();
  await expect.element(page.getByText(/^The first rows are being read/)).toBeVisible();
  waiting.resolve();
  await expect.element(button).toBeEnabled();
});

const askedImports = (api: FakeApi) => api.askedOf('POST /app/v1/directory/imports');

test('a list with unusual headers is refused with a remedy, keeps its choices, and is imported with them', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', imports.answers);
  const columns = await chooseList('People', 'kontakte.csv', odd);
  await expect.element(columns.getByRole('columnheader', { name: 'Wo tätig' })).toBeVisible();
  await expect.element(columns.getByRole('gridcell', { name: 'Ada Lovelace' })).toBeVisible();
  await openColumns(columns);
  await pick(columns, 'Company name', 'Wo tätig');
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  const error = 'kontakte.csv has no column of names, emails or profile URLs.';
  imports.end(api, { ...emptyReport, import_id: 0, status: 'failed', error });
  const refusal = page.getByRole('status').filter({ hasText: error }).first();
  await expect.element(refusal).toBeVisible();
  await expect.element(refusal.getByText(/then import again\.$/)).toBeVisible();
  await expect.element(columns.getByText(/Company name from "Wo tätig"\./)).toBeVisible();

  await pick(columns, 'Full name', 'Wer');
  await pick(columns, 'Email', 'Netzpost');
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(2);
  imports.end(api, { ...emptyReport, source: 'kontakte.csv', rows_read: 2, people_added: 2 });
  const row = page.getByRole('row', { name: /kontakte\.csv/ }).filter({ hasText: 'completed' });
  await expect.element(row.getByText(/2 people added/)).toBeVisible();
  await expect.element(columns).not.toBeInTheDocument();
  // The next list with this header begins with the same columns.
  await chooseList('People', 'kontakte.csv', odd);
  const chosen = /Company name from "Wo tätig", Full name from "Wer", Email from "Netzpost"/;
  await expect.element(columns.getByText(chosen)).toBeVisible();

  const mapping = { company_name: 'Wo tätig' };
  expect(askedImports(api).map(({ sent }) => sent.mapping)).toEqual([
    mapping,
    { ...mapping, full_name: 'Wer', email: 'Netzpost' },
  ]);
  expect(await askedImports(api).at(-1)?.files.people?.text()).toBe(odd);
});

test('a workbook and a list of companies are imported together, with one mapping that is explained', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', imports.answers);
  const people = await chooseList('People', 'people.xlsx', 'PK of a workbook');
  const firms = 'Wessen;Sitz;Ort\nFerranti;UK;Hollinwood\n';
  const companies = await chooseList('Companies', 'firms.csv', firms);
  await expect
    .poll(() =>
      api.askedOf('DELETE /app/v1/uploads/:upload_id').map(({ params }) => params.upload_id),
    )
    .toEqual([idOf(5), idOf(5)]);
  await openColumns(people);
  await pick(people, 'Full name', 'Wer');
  await pick(people, 'City', 'Ort');
  await expect.element(page.getByText(/^City from "Ort" also applies to companies/)).toBeVisible();

  await openColumns(companies);
  await pick(companies, 'City', 'Sitz');
  await expect
    .element(page.getByText(/^City is "Ort" for people and "Sitz" for companies\./))
    .toBeVisible();
  const start = page.getByRole('button', { name: 'Import', exact: true });
  await expect.element(start).toBeDisabled();

  await companies.getByRole('button', { name: 'Match City automatically' }).click();
  await pick(companies, 'Company name', 'Wessen');
  await page.getByLabelText('Source').fill(' Spring fair ');
  await start.click();
  await expect.poll(() => askedImports(api).length).toBe(1);
  const [asked] = askedImports(api);
  // A list without column names is read as on the Enrich screen.
  const read = { header: 'auto', other_lines: 'leave_out', extra_cells: 'refuse' };
  expect(asked?.sent).toEqual({
    reading: read,
    companies_reading: read,
    source: 'Spring fair',
    trust: 0.8,
    mapping: { full_name: 'Wer', city: 'Ort', name: 'Wessen' },
  });
  expect(Object.values(asked?.files ?? {}).map(({ name }) => name)).toEqual([
    'people.xlsx',
    'firms.csv',
  ]);
});

test.each([
  ['empty.csv', '', 'The file is empty.'],
  ['report.csv', '%PDF-1.7\n1 0 obj\n', 'The file is a PDF.'],
])('a file without a table is reported before the import: %s', async (name, text, reason) => {
  await openPage('Imports', {
    'POST /app/v1/uploads': () => refuse('bad_rows', reason),
  });
  await placeOf('People').upload(new File([text], name));
  const refusal = page.getByRole('alert').filter({ hasText: reason });
  await expect.element(refusal.getByText(`${name} cannot be imported`)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await press(`Remove ${name}`);
  await expect.element(refusal).not.toBeInTheDocument();
});

test('before an import, the page shows what each column becomes, and what is left out', async () => {
  const api = await openPage('Imports', {
    ...reading,
    'POST /app/v1/directory/import-previews': ({ sent: { mapping = {} } }) => ({
      columns: ['full_name', null, 'title', mapping.email ? 'email' : null],
      refusal: null,
      rows: 2,
      rows_refused: 1,
      undecided_dates: false,
      remarks: [
        { file: 'kontakte.csv', line: 2, message: 'A name is missing.' },
        { file: 'kontakte.csv', line: 3, column: 'Rolle dort', message: '“x” is not a date.' },
      ],
    }),
  });
  const columns = await chooseList('People', 'kontakte.csv', odd);
  const table = columns.getByRole('region', { name: 'What kontakte.csv becomes' });
  await expect
    .element(table.getByRole('row', { name: 'Wer Ada Lovelace Full name 2 of 2 rows filled' }))
    .toBeVisible();
  await expect
    .element(table.getByRole('row', { name: /^Rolle dort Analyst Job title Line 3: “x” is not/ }))
    .toBeVisible();
  await expect.element(table.getByRole('row', { name: /^Netzpost .* Not imported/ })).toBeVisible();
  await expect
    .element(
      columns.getByText('1 of the first 2 rows would be left out. Line 2: A name is missing.'),
    )
    .toBeVisible();
  await openColumns(columns);
  await pick(columns, 'Email', 'Netzpost');
  await expect
    .element(table.getByRole('row', { name: /^Netzpost .* Email \(your choice\)/ }))
    .toBeVisible();
  await page.getByText('High', { exact: true }).click();
  await expect.element(page.getByRole('radio', { name: 'High' })).toBeChecked();
  expect(findNestedBoxes()).toEqual([]);
  await expectAccessibleAndResponsive();
  const refusal = 'kontakte.csv has no column of names.';
  api.answer({
    'POST /app/v1/directory/import-previews': () => ({
      columns: [null, null, null, null],
      refusal,
      rows: 2,
      rows_refused: 0,
      remarks: [],
      undecided_dates: false,
    }),
  });
  await columns.getByRole('button', { name: 'Match all automatically' }).click();
  await expect.element(columns.getByText(refusal)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
});

test('columns are selected by keyboard; accessible, in every window', async () => {
  await openPage('Imports', reading);
  const columns = await chooseList('People', 'keys.csv', odd);
  columns.getByRole('button', { name: 'Columns', exact: true }).element().focus();
  await userEvent.keyboard('{Enter}');
  const field = columns.getByRole('combobox', { name: 'Full name', exact: true });
  await expect.element(field).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('wer');
  const option = page.getByRole('option', { name: 'Wer', exact: true });
  await expect.element(option).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  // The library marks the option that Enter selects only by its own attribute.
  await expect.element(option).toHaveAttribute('data-combobox-selected');
  await userEvent.keyboard('{Enter}');
  await expect.element(columns.getByText(/Full name from "Wer"\./)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expectAccessibleAndResponsive();
});

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

test('keys that are faster than the page’s timers select the right column', async () => {
  await openPage('Imports', reading);
  const columns = await chooseList('People', 'fast.csv', odd);
  await openColumns(columns);
  const field = columns
    .getByRole('combobox', { name: 'Full name', exact: true })
    .element() as HTMLInputElement;
  const hit = (key: string) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true }));
  // Key presses of the browser would let timers run; these do not.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    field.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'wer');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const options = page.getByRole('option', { name: 'Wer', exact: true });
    for (let frame = 0; frame < 1_000 && options.elements().length === 0; frame += 1)
      await nextFrame();
    expect(options.elements()).toHaveLength(1);
    hit('ArrowDown');
    vi.advanceTimersByTime(100);
    hit('Enter');
  } finally {
    vi.useRealTimers();
  }
  await expect.element(columns.getByText(/Full name from "Wer"\./)).toBeVisible();
});

const plainPreview: ImportPreview = {
  columns: ['full_name', null, null, null],
  refusal: null,
  rows: 2,
  rows_refused: 0,
  remarks: [],
  undecided_dates: false,
};
const decided = () => page.getByRole('button', { name: 'Import', exact: true });

test('dates that may mean two days are asked about, and the answer is imported', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', {
    ...imports.answers,
    'POST /app/v1/directory/import-previews': ({ sent }) => ({
      ...plainPreview,
      remarks: [{ file: 'kontakte.csv', line: 3, column: 'Rolle dort', message: 'No date.' }],
      undecided_dates: sent.day_order === undefined,
    }),
  });
  await chooseList('People', 'kontakte.csv', odd);
  const sentence = 'Every row was checked and can be imported, with 1 remark.';
  await expect.element(page.getByText(sentence)).toBeVisible();
  const question = page.getByRole('radiogroup', { name: 'What is 05/04/2020 in this file?' });
  await expect.element(question).toBeVisible();
  await expectAccessibleAndResponsive();
  await question.getByText('4 May').click();
  await expect.element(question.getByRole('radio', { name: '4 May' })).toBeChecked();
  await press('Import');
  await expect
    .poll(() => askedImports(api).map(({ sent }) => sent.day_order))
    .toEqual(['month_first']);
});

test('an import names the columns not read, and puts opt-outs on the suppression list on request', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', {
    ...imports.answers,
    'POST /app/v1/uploads': async (asked) => ({ ...(await readFile(asked)), row_count: 400 }),
    'POST /app/v1/suppression-opt-outs': () => ({
      added: 3,
      known: 0,
      unreadable: 0,
      remarks: [],
      ...noneHidden,
    }),
  });
  await chooseList('People', 'kontakte.csv', odd);
  const sentence =
    'The first 2 rows were checked, and all can be imported. The import reads the whole list.';
  await expect.element(page.getByText(sentence)).toBeVisible();
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  const columns = ['Wer', 'Wo tätig', 'Rolle dort'].map((header, at) => ({
    file: 'kontakte.csv',
    header,
    field: at === 0 ? 'full_name' : null,
    kind: 'people' as const,
  }));
  imports.end(api, { ...emptyReport, rows_read: 2, rows_opted_out: 2, columns });
  const report = page.getByRole('status').filter({ hasText: '2 rows opted out' }).first();
  await expect.element(report.getByText('2 columns not read: Wo tätig, Rolle dort.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression-opt-outs')).toHaveLength(0);
  await report.getByRole('button', { name: 'Add to the suppression list' }).click();
  await expect.element(report.getByText('3 values added to the suppression list.')).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('the report of an import goes away when the import is undone', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', imports.answers);
  await chooseList('People', 'kontakte.csv', odd);
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  const report = { ...emptyReport, source: 'kontakte.csv', rows_read: 2, people_added: 2 };
  imports.end(api, report);
  await expect.element(page.getByText('Imported kontakte.csv')).toBeVisible();
  imports.end(api, { ...report, status: 'undone' });
  await expect.element(page.getByText('Imported kontakte.csv')).not.toBeInTheDocument();
  await expect.element(page.getByText('2 rows read: their changes are undone.')).toBeVisible();
});

test('the report names all files, and has remarks of one kind once', async () => {
  const imports = keepImports();
  const remarks = Array.from({ length: 47 }, (_, at) => ({
    file: 'firmen.csv',
    line: at + 2,
    column: 'Telefon',
    message: `"+44 20 ${at}" is not a valid phone number and was omitted.`,
  }));
  const file_names = ['kontakte.csv', 'firmen.csv'];
  const report = { ...emptyReport, source: 'kontakte.csv', file_names, rows_read: 60, remarks };
  const api = await openPage('Imports', {
    ...imports.answers,
    'GET /app/v1/directory': () => ({ ...emptyDirectory, imports: [report] }),
  });
  const listed = page.getByRole('row', {
    name: /^kontakte.csv firmen.csv Imported together completed/,
  });
  await listed.getByRole('button', { name: 'Undo both' }).click();
  const both = page
    .getByRole('dialog')
    .getByText(/that only this import has\. To keep one of the files, import it again\.$/);
  await expect.element(both).toBeVisible();
  await press('Keep it');
  await listed.getByRole('button', { name: 'Show 47 remarks' }).click();
  await expect.element(page.getByText(/^"\+44 20 0" is not a valid/)).toBeVisible();
  await chooseList('People', 'kontakte.csv', odd);
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  imports.end(api, report);
  const said = page.getByRole('status').filter({ hasText: '47 remarks' }).first();
  await expect.element(said.getByText('Imported kontakte.csv and firmen.csv')).toBeVisible();
  await expect.element(said.getByRole('button', { name: 'Enrich a list…' })).toBeVisible();
  // The list below does not repeat what the report has.
  await expect.element(listed.getByRole('button', { name: /remarks$/ })).not.toBeInTheDocument();
  await expect.element(said.getByText(/^"\+44 20 0" is not a valid/)).toBeVisible();
  const other = said.getByText(/^Line 48: "\+44 20 46"/);
  await expect.element(other).not.toBeVisible();
  await said.getByText('46 more like it').click();
  await expect.element(other).toBeVisible();
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  const rightOf = (place: Locator) => place.element().getBoundingClientRect().right;
  await expect
    .poll(() => rightOf(page.getByRole('button', { name: 'Undo both' })))
    .toBeLessThan(366);
  expect(rightOf(other)).toBeLessThan(366);
  await expectAccessibleAndResponsive();
});

test('remarks of many kinds are folded', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', imports.answers);
  await chooseList('People', 'kontakte.csv', odd);
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  const remarks = ['Telefon', 'Mobil', 'Netzpost', 'Seit'].map((column, at) => ({
    file: 'kontakte.csv',
    line: at + 2,
    column,
    message: `${column} is not read.`,
  }));
  imports.end(api, { ...emptyReport, rows_read: 60, remarks });
  const report = page.getByRole('status').filter({ hasText: '4 remarks' }).first();
  await expect.element(report.getByText('Mobil is not read.')).not.toBeVisible();
  await report.getByText('4 remarks').click();
  await expect.element(report.getByText('Mobil is not read.')).toBeVisible();
});

test('a list of many columns has no scroll of its own, and its button stays in sight', async () => {
  await openPage('Imports', reading);
  const names = Array.from({ length: 40 }, (_, at) => `Column name ${at}`);
  await chooseList('People', 'wide.csv', `${names.join(';')}\n${names.join(';')}\n`);
  const table = page.getByRole('region', { name: 'What wide.csv becomes' });
  await expect
    .element(table.getByRole('rowheader', { name: 'Column name 39' }))
    .toBeInTheDocument();
  const { scrollHeight, clientHeight } = table.element();
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
  document.getElementById('screen')?.scrollTo(0, 400);
  const button = page.getByRole('button', { name: 'Import', exact: true });
  await expect
    .poll(() => button.element().getBoundingClientRect().bottom)
    .toBeLessThan(innerHeight);
});

test('a list is read as the import reads it, by the options of the Enrich screen', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', {
    ...imports.answers,
    'POST /app/v1/uploads': async (asked) => {
      const upload = await readFile(asked);
      const line = Number(asked.sent.header_line ?? 4);
      const wide = { wide_count: 1, wide_lines: [{ line: 9, cells: 6, text: 'a;b;c;d;e;f' }] };
      return {
        ...upload,
        upload_id: idOf(line),
        reading: { ...upload.reading, header_line: line, first_lines: [line + 2], ...wide },
      };
    },
  });
  const columns = await chooseList('People', 'kontakte.csv', odd);
  await expect.element(decided()).toBeDisabled();
  await expectAccessibleAndResponsive();
  await columns.getByRole('button', { name: 'Leave out 1 line' }).click();
  await expect.element(decided()).toBeEnabled();
  await columns.getByRole('combobox', { name: 'Column names in line' }).click();
  await page.getByRole('option', { name: '3', exact: true }).click();
  await expect
    .element(columns.getByRole('combobox', { name: 'Column names in line' }))
    .toHaveValue('3');
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/import-previews').at(-1)?.sent.lines)
    .toEqual([5]);
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  const chosen = { extra_cells: 'leave_out', header: 'yes', header_line: 3 };
  expect(api.askedOf('POST /app/v1/uploads').at(-1)?.sent).toMatchObject(chosen);
  expect(askedImports(api)[0]?.sent.reading).toMatchObject(chosen);
});

/** The previews of an engine that keeps one column without a choice, if it keeps one. */
const keeping = (byDefault: readonly string[] = []): Answers => ({
  'POST /app/v1/directory/import-previews': ({ sent }) => ({
    columns: sent.headers.map((header: string) => {
      const kept = sent.keep ?? byDefault;
      return header === 'Wer' ? 'full_name' : kept.includes(header) ? 'kept' : null;
    }),
    refusal: null,
    rows: 2,
    rows_refused: 0,
    remarks: [],
    undecided_dates: false,
  }),
});

test('columns that the engine keeps without a choice are ticked, and can be left out', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', { ...imports.answers, ...keeping(['Netzpost']) });
  const columns = await chooseList('People', 'kontakte.csv', odd);
  const box = columns.getByLabelText('Keep Netzpost as it is');
  await expect.element(box).toBeChecked();
  await columns.getByLabelText('Keep Rolle dort as it is').click();
  await expect.element(columns.getByLabelText('Keep Rolle dort as it is')).toBeChecked();
  await box.click();
  await expect.element(box).not.toBeChecked();
  await columns.getByLabelText('Keep Rolle dort as it is').click();
  await expect.element(columns.getByLabelText('Keep Rolle dort as it is')).not.toBeChecked();
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  expect(askedImports(api)[0]?.sent.keep).toEqual([]);
});

test('a column that becomes no field is kept by one click, or all of them, and sent so', async () => {
  const imports = keepImports();
  const api = await openPage('Imports', { ...imports.answers, ...keeping() });
  const columns = await chooseList('People', 'kontakte.csv', odd);
  const place = page.getByRole('button', { name: 'Companies Names, websites, addresses, phones' });
  await expect.element(place).toBeVisible();
  await columns.getByRole('button', { name: 'Keep all 3 other columns' }).click();
  await chooseList('Companies', 'firmen.csv', 'Wer;\nAcme;\n');
  // The hint is only above the list with such columns.
  await expect.element(columns.getByText('Kept as it is').first()).toBeVisible();
  expect(page.getByText(/^A kept column/).elements().length).toBe(1);
  await columns.getByLabelText('Keep Rolle dort as it is').click();
  await expect
    .element(columns.getByRole('button', { name: 'Keep the other column' }))
    .toBeVisible();
  await expectAccessibleAndResponsive();
  await press('Import');
  await expect.poll(() => askedImports(api).length).toBe(1);
  expect(askedImports(api)[0]?.sent.keep).toEqual(['Wo tätig', 'Netzpost']);
});
