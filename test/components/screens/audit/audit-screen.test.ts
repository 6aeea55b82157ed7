// The Audit log screen: entries, filters, pages, export and the state of the chain.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuditEntry, AuditState } from '../../../../engine/contract/audit/audit.ts';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import type { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const hash = 'ab'.repeat(32);
const entry = (id: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: timestampExample,
  environment: 'live',
  actor_kind: 'app',
  actor: 'app',
  key_prefix: null,
  account: 'Local workspace',
  account_id: null,
  action: 'key_changed',
  subject: '',
  rows: null,
  credits: null,
  details: {},
  hash,
  ...change,
});
const whole: AuditState = { entries: 2, head: `2:${hash}`, fault: null };
const unlocked = entry(2, {
  actor_kind: 'assistant',
  actor: 'Claude',
  key_prefix: 'sk_live_ab12',
  action: 'values_unlocked',
  rows: 1_200,
  credits: '2400.0000',
  details: { by: 'tool' },
});
const changed = entry(1, {
  details: { cap_per_day: [null, '5.0000'], self_approval: [false, true] },
});
const log = (state: AuditState | ReturnType<typeof refuse> = whole) => ({
  'GET /app/v1/audit': ({ query }: { query: URLSearchParams }) => ({
    entries: query.has('before')
      ? [changed]
      : query.get('actor') === 'app'
        ? []
        : [unlocked, changed],
    total: 2,
    next: query.has('before') ? null : 2,
    actors: ['app', 'Claude'],
  }),
  'GET /app/v1/audit-state': () => state,
});
const table = page.getByRole('region', { name: 'Audit log entries' });

test('Settings leads to the log; entries have actor, action, counts and details', async () => {
  await openPage('Settings', log());
  await page.getByRole('link', { name: 'Open the audit log' }).click();
  const row = table.getByRole('row', { name: /Claude/ });
  for (const text of [
    'assistant, sk_live_ab12…',
    'Emails and phones shown',
    '1,200',
    '2,400',
    'by: assistant',
  ])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  const details = 'cap per day: none → 5; self approval: no → yes';
  await expect.element(table.getByText(details)).toBeVisible();
  await expect.element(page.getByText('All 2 entries are intact.')).toBeVisible();
  await expect.element(page.getByText(`2:${hash}`)).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('the log has pages and filters; a filter starts at the newest entry and can be saved', async () => {
  const api = await openPage('Audit log', {
    ...log(),
    'POST /app/v1/audit-exports': () => ({
      path: null,
      download_url: '/app/v1/downloads/x',
      file_name: 'Audit log.csv',
      rows: 1,
    }),
  });
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(table.getByText('Emails and phones shown')).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Actor' }).click();
  await page.getByRole('option', { name: 'app' }).click();
  await expect.element(page.getByText('No entry matches.')).toBeVisible();
  const last = () => api.askedOf('GET /app/v1/audit').at(-1)?.query;
  await expect.poll(() => [last()?.get('actor'), last()?.get('before')]).toEqual(['app', null]);
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('checkbox', { name: 'Only the rows shown' }).click();
  await expect.element(page.getByText('Protect all cells')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Save CSV' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/audit-exports')[0]?.sent)
    .toEqual({ actor: 'app', format: 'csv', for_excel: false, protect_all: false });
});

test('a broken chain names its entry, and the screen stays accessible', async () => {
  const fault = { entry: 2, what: 'it was removed' };
  await openPage('Audit log', log({ entries: 1, head: `1:${hash}`, fault }));
  await expect.element(page.getByText('Entry 2 does not match')).toBeVisible();
  await expect
    .element(page.getByText(/^it was removed\. Entries before it: 1, all intact/))
    .toBeVisible();
  await expectAccessibleAndResponsive();
});
