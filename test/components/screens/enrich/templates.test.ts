// Templates of the Enrich screen: applied by themselves, undone, saved, renamed and deleted.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { Template } from '../../../../engine/contract/reading/template.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { expectAccessible } from '../../accessibility.ts';
import { idOf } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';
import { layerBox, priced } from './enrich-desk.ts';

const upload: Upload = {
  ...uploadExample,
  file_name: 'a.csv',
  row_count: 9,
  headers: ['Who', 'Mail'],
  labels: ['Who', 'Mail'],
  mapping: { email: 1 },
  first_rows: [['Ada Lovelace', 'ada@a.example']],
};

const template: Template = {
  id: 7,
  name: 'HubSpot',
  headers: ['Who', 'Mail'],
  full_name_column: 0,
  mapping: { first_name: 0, email: 1 },
  selected_layers: ['L1', 'L2'],
  saved_at: timestampExample,
};

const choose = () =>
  page
    .elementLocator(document.querySelector('main input[type=file]')!)
    .upload(new File(['Who,Mail\nAda Lovelace,ada@a.example\n'], 'a.csv'));
const l2 = layerBox('L2');
const fullName = page.getByRole('combobox', { name: 'Full name', exact: true });

test('a list with the header of a template gets its choices, which one click undoes', async () => {
  let templates = [template];
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': () => upload,
    'POST /app/v1/estimate': () => priced,
    'GET /app/v1/templates': () => templates,
    'PATCH /app/v1/templates/:id': ({ sent }) => {
      const renamed = { ...template, ...sent };
      templates = [renamed];
      return renamed;
    },
    'DELETE /app/v1/templates/:id': () => {
      templates = [];
      return { id: template.id };
    },
  });
  await choose();
  await expect.element(page.getByText(/^The template HubSpot is applied/)).toBeVisible();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await expect.element(fullName).toHaveValue('Who');
  await expect.element(l2).toBeChecked();
  await expect
    .poll(() => api.askedOf('POST /app/v1/estimate').map(({ sent }) => sent))
    .toContainEqual(
      expect.objectContaining({ mapping: template.mapping, selected_layers: ['L1', 'L2'] }),
    );
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(fullName).toHaveValue('');
  await expect.element(l2).not.toBeChecked();
  await page.getByRole('button', { name: 'Templates' }).click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabelText('New name for HubSpot').fill('CRM');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect.element(page.getByText('CRM', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.element(page.getByText(/^The template CRM is applied/)).toBeVisible();
  await page.getByRole('button', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the template' }).click();
  await expect.element(page.getByText('CRM', { exact: true })).not.toBeInTheDocument();
});

test('columns chosen by hand are those of the next list with this header, until one click undoes it', async () => {
  let uploadNumber = 5;
  await openPage('Enrich', {
    'POST /app/v1/uploads': () => {
      uploadNumber += 1;
      return { ...upload, upload_id: idOf(uploadNumber) };
    },
    'POST /app/v1/estimate': () => priced,
  });
  await choose();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await fullName.click();
  await page.getByRole('option', { name: 'Who' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await choose();
  const remembered = page.getByText(/^These columns were chosen for the last list/);
  await expect.element(remembered).toBeVisible();
  await expect.element(fullName).toHaveValue('Who');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(fullName).toHaveValue('');
  await expect.element(remembered).not.toBeInTheDocument();
});

test('the chosen columns and layers are saved as a template', async () => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': () => upload,
    'POST /app/v1/estimate': () => priced,
    'POST /app/v1/templates': ({ sent }) => ({ ...sent, id: 8, saved_at: timestampExample }),
  });
  await choose();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByLabelText('Save these columns and layers as').fill('Leads');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect.element(page.getByText('The template Leads is saved.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/templates').map(({ sent }) => sent)).toEqual([
    {
      name: 'Leads',
      headers: ['Who', 'Mail'],
      mapping: { email: 1 },
      full_name_column: null,
      selected_layers: ['L1'],
    },
  ]);
});
