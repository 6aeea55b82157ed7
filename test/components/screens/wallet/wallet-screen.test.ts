/** The Wallet screen: the ledger adds up, and its entries lead to what they are about. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { LedgerEntry } from '../../../../engine/contract/ledger.ts';
import { firstState } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';

const entryOf = (id: number, parts: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ id, kind: 'grant', amount: '10.0000', hold_id: null, subject_kind: 'grant' },
  ...{ subject_id: 'app', reference: 'app', at: '2026-11-22T10:00:00.000Z' },
  ...{ key_id: null, key_label: null, person_name: null },
  ...parts,
});
const id = '00000000-0000-4000-8000-000000000001';
const ofPipeline = {
  subject_kind: 'pipeline',
  subject_id: id,
  reference: `pipeline ${id}`,
} as const;

test('signed amounts add up to the balance, and a pipeline is linked', async () => {
  const results = [
    entryOf(4, { ...ofPipeline, kind: 'release', amount: '2.5000', hold_id: 2 }),
    entryOf(3, { ...ofPipeline, kind: 'settle', amount: '3.5000', hold_id: 2 }),
    entryOf(2, { ...ofPipeline, kind: 'hold', amount: '6.0000' }),
    entryOf(1, {}),
  ];
  await openPage('Wallet', {
    'GET /app/v1/wallet/entries': () => ({ count: 4, next: null, previous: null, results }),
  });
  const rows = page.getByRole('region', { name: 'Ledger' }).getByRole('row');
  await expect.element(rows.nth(1)).toBeVisible();
  const amounts = rows
    .elements()
    .slice(1)
    .map((row) => row.lastElementChild?.textContent);
  expect(amounts).toEqual(['+2.5', '3.5 of the hold', '−6', '+10']);
  await expect.element(rows.nth(1).getByRole('link')).toHaveAttribute('href', `#/pipelines/${id}`);
});

test('a narrow window shows the balance in short', async () => {
  const wallet = { ...firstState.wallet, available: '1323154.0000' };
  await page.viewport(1000, 700);
  await openPage('Jobs', { 'GET /app/v1/state': () => ({ ...firstState, wallet }) });
  await expect.element(page.getByText('1.3M')).toBeVisible();
});
