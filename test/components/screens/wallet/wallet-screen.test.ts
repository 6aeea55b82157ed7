// The Wallet screen: lines with a running balance, filters, the export and the chart.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { LedgerEntry } from '../../../../engine/contract/ledger.ts';
import type { WalletLine } from '../../../../engine/contract/wallet/wallet-lines.ts';
import type { SpendReport } from '../../../../engine/contract/wallet/wallet-spend.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { firstState } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';

const jobId = '00000000-0000-4000-8000-000000000001';
const keyId = '00000000-0000-4000-8000-000000000002';
const app = { id: 'app', name: null, is_assistant: false };
const assistant = { id: keyId, name: 'Claude', is_assistant: true };
const lineOf = (id: number, parts: Partial<WalletLine>): WalletLine => ({
  id,
  kind: 'grant',
  name: 'Starting balance',
  work_id: null,
  client: app,
  at: '2026-11-22T10:00:00.000Z',
  added: '0.0000',
  held: '0.0000',
  open: '0.0000',
  charged: '0.0000',
  returned: '0.0000',
  net: '0.0000',
  balance: '0.0000',
  ...parts,
});
const job = lineOf(2, {
  kind: 'job',
  name: 'Leads of the fair',
  work_id: jobId,
  client: assistant,
  held: '6.0000',
  charged: '3.5000',
  returned: '2.5000',
  net: '-3.5000',
  balance: '6.5000',
});
const lines = [job, lineOf(1, { added: '10.0000', net: '10.0000', balance: '10.0000' })];
const entryOf = (id: number, kind: LedgerEntry['kind'], amount: string): LedgerEntry => ({
  id,
  kind,
  amount,
  hold_id: 2,
  subject_kind: 'job',
  subject_id: jobId,
  reference: `job ${jobId}`,
  at: '2026-11-22T10:00:00.000Z',
  key_id: null,
  key_label: null,
  person_name: null,
});
const pageOf = (shown: WalletLine[], next: number | null = null) => ({
  lines: shown,
  next,
  searched_to: next === null ? null : '2026-01-05T10:00:00.000Z',
  clients: [app, assistant],
});
const amounts = (total: string, ...by_period: string[]) => ({ total, by_period });
const report: SpendReport = {
  step: 'week',
  periods: ['2026-11-16', '2026-11-23'],
  ...amounts('4.5000', '1.0000', '3.5000'),
  parts: [
    { part: 'email_lookup', ...amounts('1.0000', '1.0000', '0.0000') },
    { part: 'L1', ...amounts('3.5000', '0.0000', '3.5000') },
  ],
  clients: [{ id: keyId, name: 'Claude', ...amounts('4.5000', '1.0000', '3.5000') }],
  providers: [{ provider: 'acme', total: 12, by_period: [12, 0] }],
};

test('a job is one line with its balance, and opens its ledger entries', async () => {
  await openPage('Wallet', {
    'GET /app/v1/wallet/lines': () => pageOf(lines),
    'GET /app/v1/wallet/lines/:id/entries': () => ({
      entries: [entryOf(4, 'release', '2.5000'), entryOf(3, 'settle', '3.5000')],
      has_more: false,
    }),
  });
  const rows = page.getByRole('region', { name: 'Wallet history' }).getByRole('row');
  await expect.element(rows.nth(1)).toBeVisible();
  const cells = [...rows.nth(1).element().children].slice(2).map((cell) => cell.textContent);
  expect(cells).toEqual(['6', '3.5', '2.5', '−3.5', '6.5']);
  await expect.element(rows.nth(1)).toMatchTextContent(/assistant Claude/);
  const link = rows.nth(1).getByRole('link', { name: 'Leads of the fair' });
  await expect.element(link).toHaveAttribute('href', `#/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Entries of Leads of the fair' }).click();
  const entries = page.getByRole('table', { name: 'Ledger entries' });
  await expect.element(entries).toMatchTextContent(/\+2\.5/);
  await expect.element(entries).toMatchTextContent(/3\.5 of the reserved/);
  await expectAccessibleAndResponsive();
});

test('filters ask the engine, and the export takes them along', async () => {
  const api = await openPage('Wallet', {
    'GET /app/v1/wallet/lines': ({ query }) =>
      query.get('name') === 'fair' ? pageOf([], 7) : pageOf(lines),
    'POST /app/v1/wallet/exports': () => ({
      path: null,
      download_url: null,
      file_name: 'Wallet.csv',
      rows: 1,
    }),
  });
  await page.getByRole('combobox', { name: 'Client' }).click();
  await page.getByRole('option', { name: 'Claude (assistant)' }).click();
  await page.getByLabelText('Name').fill('fair');
  await expect.poll(() => location.hash).toContain('name=fair');
  await expect.element(page.getByText(/No match back to 5 Jan 2026/)).toBeVisible();
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByLabelText('Only the rows shown').click();
  await page.getByRole('button', { name: 'Save CSV' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/wallet/exports')[0]?.sent)
    .toMatchObject({ client: keyId, name: 'fair', format: 'csv' });
});

test('spending is a chart with a table, by layer, client and data service', async () => {
  await openPage('Wallet', { 'GET /app/v1/wallet/spend': () => report });
  const chart = page.getByRole('figure', { name: 'Spending by layer' });
  const legend = () =>
    chart
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent);
  await expect.poll(legend).toEqual(['Current job 3.5', 'Email lookups 1']);
  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('region', { name: 'Spending per period' });
  await expect.element(table).toMatchTextContent(/Week of 23 Nov 20263\.50/);
  await expectAccessibleAndResponsive();
  await page.getByText('By data service').click();
  await expect.element(page.getByText('acme 12')).toBeVisible();
});

test('a narrow window shows the balance in short', async () => {
  const wallet = { ...firstState.wallet, available: '1323154.0000' };
  await page.viewport(1000, 700);
  const account = { ...firstState.account, has_budget: true };
  await openPage('Jobs', { 'GET /app/v1/state': () => ({ ...firstState, account, wallet }) });
  await expect.element(page.getByText('1.3M')).toBeVisible();
});
