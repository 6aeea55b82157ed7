// Lists that are pasted or dropped, rows that are left out, and full names.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import type { DesktopBridge, DesktopCommand } from '../../../../main/desktop-contract.ts';
import { expectAccessible } from '../../accessibility.ts';
import { idOf } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';
import { inhabited, priced } from './enrich-desk.ts';

const makeUpload = (file: File, parts: Partial<Upload> = {}): Upload => ({
  ...uploadExample,
  file_name: file.name,
  row_count: 9,
  headers: ['Contact', 'Email'],
  labels: ['Contact', 'Email'],
  mapping: { email: 1 },
  first_rows: [['Ada Lovelace', 'ada@a.example']],
  ...parts,
});

const answers = (parts: Partial<Upload> = {}): Answers => ({
  'GET /app/v1/state': () => inhabited,
  'POST /app/v1/uploads': ({ files }) => makeUpload(files.file!, parts),
  'POST /app/v1/estimate': ({ sent }) => ({
    ...priced,
    row_count: 9 - (sent.leave_out?.length ?? 0) * 2,
  }),
});

const fileOf = (name: string) => new File(['Contact,Email\nAda Lovelace,ada@a.example\n'], name);

/** Passes an event with data as a drag or the clipboard does. */
function send(type: 'paste' | 'drop' | 'dragover', fill: (data: DataTransfer) => void): void {
  const data = new DataTransfer();
  fill(data);
  const options = { bubbles: true, cancelable: true };
  const event =
    type === 'paste'
      ? new ClipboardEvent(type, { ...options, clipboardData: data })
      : new DragEvent(type, { ...options, dataTransfer: data });
  (document.querySelector('main') ?? document.body).dispatchEvent(event);
}

const step = (name: string) => page.getByRole('region', { name });

test('a list is pasted on the screen, or into a field by a button', async () => {
  const api = await openPage('Enrich', answers());
  send('paste', (data) => data.setData('text/plain', 'Contact\tEmail\nAda\tada@a.example\n'));
  await expect.element(page.getByRole('heading', { name: 'Pasted list' })).toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads')[0]?.files.file?.text())
    .toContain('Ada\tada@');
  const another = page.getByRole('button', { name: 'Change', exact: true });
  await another.click();
  // The list is kept until another one is chosen.
  await page.getByRole('button', { name: /^Back to .*Pasted list/ }).click();
  await expect.element(page.getByRole('heading', { name: 'Pasted list' })).toBeVisible();
  await another.click();
  await page.getByRole('button', { name: 'Paste a list' }).click();
  await expectAccessible();
  await page.getByLabelText('Rows').fill('ada@a.example');
  await page.getByRole('button', { name: 'Open the list' }).click();
  await expect.element(page.getByRole('heading', { name: 'Pasted list' })).toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads')[1]?.files.file?.text())
    .toBe('ada@a.example');
});

test('files that are dropped on any screen open on Enrich, one after the other', async () => {
  const api = await openPage('Jobs', answers());
  // The listener is loaded after the first data; a drag sends the event again and again.
  await expect
    .poll(() => {
      send('dragover', (data) => data.items.add(fileOf('a.csv')));
      return page.getByText('Drop to open').elements().length;
    })
    .toBe(1);
  send('drop', (data) => {
    data.items.add(fileOf('a.csv'));
    data.items.add(fileOf('b.csv'));
  });
  await expect.element(page.getByText('Drop to open')).not.toBeInTheDocument();
  const question = page.getByRole('dialog', { name: 'Open 2 files?' });
  await expectAccessible();
  await question.getByRole('button', { name: 'Open one after another' }).click();
  await expect.element(page.getByText('a.csv', { exact: true })).toBeVisible();
  await expect.element(page.getByText('1 more file waits: b.csv')).toBeVisible();
  // A setup is not replaced without a question.
  send('drop', (data) => data.items.add(fileOf('c.csv')));
  await expect.element(page.getByRole('dialog', { name: 'Open c.csv?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep a.csv' }).click();
  await page.getByRole('button', { name: 'Open b.csv' }).click();
  const closing = page.getByRole('dialog', { name: 'Close a.csv?' });
  await expect.element(closing.getByText(/^You have not started this list\./)).toBeVisible();
  await closing.getByRole('button', { name: 'Close the list' }).click();
  await expect.element(page.getByText('b.csv', { exact: true })).toBeVisible();
  expect(page.getByText(/more file waits/).elements()).toEqual([]);
  expect(api.askedOf('POST /app/v1/uploads').map(({ files }) => files.file?.name)).toEqual([
    'a.csv',
    'b.csv',
  ]);
});

test('a list of the same name, others that wait, and corrected cells are not lost without a word', async () => {
  const api = await openPage('Enrich', answers({ row_count: 1 }));
  const drop = (name: string) => send('drop', (data) => data.items.add(fileOf(name)));
  await expect
    .poll(() => {
      send('dragover', (data) => data.items.add(fileOf('a.csv')));
      return page.getByText('Drop to open').elements().length;
    })
    .toBe(1);
  drop('a.csv');
  await page.getByRole('gridcell', { name: 'Ada Lovelace' }).dblClick();
  await userEvent.keyboard('{Control>}a{/Control}Ada King{Enter}');
  await expect.element(page.getByText('1 cell corrected')).toBeVisible();
  // What is dropped while a question waits is asked about after it.
  drop('a.csv');
  drop('b.csv');
  const same = page.getByRole('dialog', { name: 'Open a.csv?' });
  await expect
    .element(
      same.getByText(
        'This replaces the open list of this name, which you have not started. ' +
          '1 corrected cell will be lost.',
      ),
    )
    .toBeVisible();
  await expectAccessible();
  await same.getByRole('button', { name: 'Keep the open list of this name' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Open b.csv?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep a.csv' }).click();
  // The button that chooses another file asks too.
  await step('File').getByRole('button', { name: 'Change' }).click();
  const closing = page.getByRole('dialog', { name: 'Close a.csv?' });
  await expect.element(closing.getByText(/1 corrected cell will be lost\.$/)).toBeVisible();
  await closing.getByRole('button', { name: 'Keep a.csv' }).click();
  await expect.element(page.getByText('1 cell corrected')).toBeVisible();
  expect(api.askedOf('POST /app/v1/uploads').length).toBe(1);
  // Files that wait stay when another one is opened.
  send('drop', (data) => {
    data.items.add(fileOf('c.csv'));
    data.items.add(fileOf('d.csv'));
  });
  await page.getByRole('button', { name: 'Open one after another' }).click();
  await expect.element(page.getByText('1 more file waits: d.csv')).toBeVisible();
  drop('e.csv');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'e', exact: true })).toBeVisible();
  await expect.element(page.getByText('1 more file waits: d.csv')).toBeVisible();
});

test('a file that the desktop app is asked to open replaces no list without a question', async () => {
  const commands: ((name: DesktopCommand) => void)[] = [];
  const bridge: Partial<DesktopBridge> = {
    platform: 'linux',
    pathForFile: () => '',
    takeRequest: async () => null,
    openSpreadsheet: async () => ({ path: '/lists/b.csv', name: 'b.csv' }),
    onCommand(listener) {
      commands.push(listener);
      return () => undefined;
    },
  };
  Object.defineProperty(window, 'desk', { value: bridge, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(window, 'desk');
  });
  const api = await openPage('Enrich', {
    ...answers(),
    'POST /app/v1/uploads': ({ files, sent }) => makeUpload(files.file ?? fileOf(sent.path)),
  });
  await page.getByLabelText('Drop a spreadsheet, or choose one').upload(fileOf('a.csv'));
  await expect.element(page.getByRole('grid', { name: 'Rows of a' })).toBeVisible();
  // The part that listens is loaded after the first screen.
  await expect.poll(() => commands.length).toBeGreaterThan(0);
  commands.at(-1)?.('open-file');
  await expect.element(page.getByRole('dialog', { name: 'Open b.csv?' })).toBeVisible();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.path))
    .toEqual([undefined, '/lists/b.csv']);
});

test('several files become one list, and one with other columns is named', async () => {
  const labels = {
    'a.csv': ['Contact', 'Email'],
    'b.csv': ['email', 'Contact'],
    'c.csv': ['Phone'],
  };
  let uploads = 0;
  const api = await openPage('Enrich', {
    ...answers(),
    'POST /app/v1/uploads': ({ files }) => {
      const file = files.file!;
      uploads += 1;
      const parts = { labels: labels[file.name as keyof typeof labels], upload_id: idOf(uploads) };
      return makeUpload(file, parts);
    },
    'POST /app/v1/uploads/join': () => ({
      ...makeUpload(fileOf('a and 1 more.csv')),
      files: ['a.csv', 'b.csv'].map((name) => ({ name, row_count: 1 })),
    }),
    'DELETE /app/v1/uploads/:upload_id': () => ({ upload_id: idOf(1) }),
  });
  send('drop', (data) => {
    for (const name of Object.keys(labels)) data.items.add(fileOf(name));
  });
  await page.getByRole('button', { name: 'Open as one list' }).click();
  await expect.element(page.getByText('1 file does not fit the list')).toBeVisible();
  await expect
    .element(page.getByText('c.csv does not have "Contact" and "Email" and also has "Phone".'))
    .toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Open the other 2 files as one list' }).click();
  await expect.element(page.getByText(/9 rows · 2 columns · 2 files/)).toBeVisible();
  await expect.element(page.getByText('1 more file waits: c.csv')).toBeVisible();
  expect(api.askedOf('POST /app/v1/uploads/join')[0]?.sent.upload_ids).toEqual([idOf(4), idOf(5)]);
  await expect.poll(() => api.askedOf('DELETE /app/v1/uploads/:upload_id').length).toBe(3);
});

test('rows without a name and repeated rows are shown, and left out by one click', async () => {
  const api = await openPage('Enrich', {
    ...answers(),
    'POST /app/v1/uploads/:upload_id/check': () => ({
      no_identity: 1,
      duplicates: 2,
      examples: [
        { kind: 'no_identity', row: 3, cells: ['', ''] },
        { kind: 'duplicates', row: 7, cells: ['Ada Lovelace', 'ada@a.example'] },
      ],
    }),
    'POST /app/v1/jobs': () => refuse('insufficient_credits', 'The wallet is empty.'),
  });
  send('paste', (data) => data.setData('text/plain', 'Contact,Email'));
  const check = step('Check');
  await expect.element(check.getByText(/^2 repeated rows: answered, free\.$/)).toBeVisible();
  await expect
    .element(check.getByText(/^1 row without an email, profile URL or name: skipped, free\.$/))
    .toBeVisible();
  await check.getByRole('button', { name: 'Show' }).nth(1).click();
  await expect.element(check.getByText('Row 8: Ada Lovelace · ada@a.example')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Enrich 9 rows/ })).toBeEnabled();
  await check.getByRole('button', { name: 'Leave out' }).nth(1).click();
  await expect.element(check.getByText('2 repeated rows left out.')).toBeVisible();
  const start = page.getByRole('button', { name: /^Enrich 7 rows/ });
  await expect.element(start).toBeEnabled();
  await expectAccessible();
  await start.click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(1);
  expect(api.askedOf('POST /app/v1/jobs')[0]?.sent.leave_out).toEqual(['duplicates']);
  await check.getByRole('button', { name: 'Keep them' }).click();
  await expect.element(page.getByRole('button', { name: /^Enrich 9 rows/ })).toBeEnabled();
});

test('a column of full names has its own field, and is sent as the first name', async () => {
  const api = await openPage(
    'Enrich',
    answers({ mapping: { first_name: 0, email: 1 }, full_name_column: 0 }),
  );
  send('paste', (data) => data.setData('text/plain', 'Contact,Email'));
  const field = (name: string) => page.getByRole('combobox', { name, exact: true });
  await page.getByRole('button', { name: 'Change columns' }).click();
  await expect.element(field('Full name')).toHaveValue('Contact');
  await expect.element(field('First name')).toHaveValue('');
  await expect.element(field('First name')).toHaveAttribute('placeholder', 'from full name');
  await field('Last name').click();
  await userEvent.keyboard('Contact{Enter}');
  await expect.element(field('Last name')).toHaveValue('Contact');
  await expect.element(field('Full name')).toHaveValue('');
  await expect
    .poll(() => api.askedOf('POST /app/v1/estimate').at(-1)?.sent.mapping)
    .toEqual({ last_name: 0, email: 1 });
  await field('Full name').click();
  await userEvent.keyboard('Contact{Enter}');
  await expect
    .poll(() => api.askedOf('POST /app/v1/estimate').at(-1)?.sent.mapping)
    .toEqual({ first_name: 0, email: 1 });
});
