// The Settings screen: where the encryption key of secrets is, and the rules of the account.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { statusExample } from '../../../../engine/contract/examples.ts';
import {
  settingsGroups,
  settingsParts,
} from '../../../../renderer/screens/settings/settings-parts.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { firstAccount, firstState, idOf } from '../../empty-desk.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

test.each([
  ['file', 'the key is in engine.key in the data folder.', 'file'],
  ['unavailable', 'unlock the keychain', 'not available'],
] as const)(
  'Settings show where the encryption key is, unless it is in the keychain: %s',
  async (place, detail, word) => {
    await openPage('Settings', { 'GET /app/v1/secret-key': () => ({ place, detail }) });
    await expect.element(page.getByText(word, { exact: true })).toBeVisible();
    const sentence = `${detail[0]?.toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;
    await expect.element(page.getByText(sentence)).toBeVisible();
    if (place === 'file') await expectAccessibleAndResponsive();
  },
);

test('the navigation names the groups that have something to say, at most six', async () => {
  await openPage('Settings', {
    'GET /app/v1/secret-key': () => ({ place: 'keychain', detail: 'in the keychain' }),
  });
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('button');
  await expect
    .poll(() => links.elements().map(({ textContent }) => textContent))
    .toEqual(['General', 'Matching and prices', 'Data', 'Security']);
  for (const name of ['Rate card', 'Accounts', 'Secrets', 'Background', 'Updates'])
    await expect.element(page.getByRole('region', { name })).not.toBeInTheDocument();
  // Each part is in one group, so that no further group is shown when all have something to say.
  expect(settingsGroups.length).toBeLessThanOrEqual(6);
  expect(settingsGroups.flatMap(({ parts }) => parts).toSorted()).toEqual(
    settingsParts.map(({ id }) => id).toSorted(),
  );
  await links.last().click();
  await expect.element(page.getByText('Security', { exact: true }).last()).toHaveFocus();
});

test('the days without a second charge are saved for the account', async () => {
  let account = firstAccount;
  const api = await openPage('Settings', {
    'GET /app/v1/state': () => ({ ...firstState, account }),
    'PATCH /app/v1/accounts/:id': ({ sent }) => {
      account = { ...account, free_repeat_days: Number(sent.free_repeat_days) };
      return account;
    },
  });
  const days = page.getByRole('textbox', { name: 'Days without a second charge' });
  await days.fill('1.5');
  await expect.element(days).toHaveAccessibleDescription(/^Enter a whole number from 0 to 3,650\./);
  await userEvent.keyboard('{Escape}');
  await expect.element(days).toHaveValue('0');
  await days.fill('90');
  await userEvent.tab();
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(api.askedOf('PATCH /app/v1/accounts/:id').map(({ sent }) => sent)).toEqual([
    { free_repeat_days: 90 },
  ]);
  await expect.element(days).toHaveValue('90');
});

test('inferred emails are off until they are switched on for the account', async () => {
  let account = firstAccount;
  const api = await openPage('Settings', {
    'GET /app/v1/state': () => ({ ...firstState, account }),
    'PATCH /app/v1/accounts/:id': ({ sent }) => {
      account = { ...account, infer_emails: sent.infer_emails === true };
      return account;
    },
  });
  const infers = page.getByRole('switch', { name: 'Infer work emails' });
  await expect.element(infers).not.toBeChecked();
  await expectAccessibleAndResponsive();
  await infers.click();
  await expect.element(infers).toBeChecked();
  await expect
    .poll(() => api.askedOf('PATCH /app/v1/accounts/:id').map(({ sent }) => sent))
    .toEqual([{ infer_emails: true }]);
});

test('the browsers that use the app are listed, and each can be closed', async () => {
  const opened = {
    opened_at: '2026-11-20T10:00:00.000Z',
    last_used_at: '2026-11-22T10:00:00.000Z',
  };
  let sessions = [
    {
      id: '00000000-0000-4000-8000-000000000001',
      browser: 'Firefox on Linux',
      ...opened,
      is_current: true,
    },
    {
      id: '00000000-0000-4000-8000-000000000002',
      browser: 'Safari on macOS',
      ...opened,
      is_current: false,
    },
  ];
  await openPage('Settings', {
    'GET /app/v1/sessions': () => sessions,
    'DELETE /app/v1/sessions/:id'({ params }) {
      sessions = sessions.filter(({ id }) => id !== params.id);
      return { id: params.id ?? '' };
    },
  });
  await expect.element(page.getByText('this browser')).toBeVisible();
  await page.getByRole('button', { name: /^Close Safari on macOS/ }).click();
  await expect.element(page.getByText('The browser was closed.')).toBeVisible();
  await expect.element(page.getByText('Safari on macOS')).not.toBeInTheDocument();
  await expect.element(page.getByText('Firefox on Linux')).toBeVisible();
});

test('a value that the engine refuses says why at its field, and is not kept as if saved', async () => {
  await openPage('Settings', {
    'PATCH /app/v1/accounts/:id': () => refuse('busy', 'The account is in use.'),
  });
  const threshold = page.getByRole('textbox', { name: 'Match threshold' });
  await threshold.fill('0.9');
  await userEvent.keyboard('{Enter}');
  await expect.element(threshold).toHaveAccessibleDescription(/Not saved: The account is in use\./);
  await expect.element(page.getByText('Saved', { exact: true })).not.toBeInTheDocument();
});

test('a price is saved when its field is left, as the locale writes it', async () => {
  let price = '1.0000';
  const api = await openPage('Settings', {
    'GET /app/v1/state': () => ({
      ...firstState,
      account: { ...firstAccount, has_budget: true },
    }),
    'GET /app/v1/rates': () => [{ code: 'L1', label: 'Career', price, active: true }],
    'PUT /app/v1/rates/:code': ({ sent }) => {
      price = `${sent.price}.0000`;
      return { code: 'L1', label: 'Career', price, active: true };
    },
  });
  const field = page.getByRole('textbox', { name: 'Price of Current job' });
  await expect.element(field).toHaveValue('1');
  await field.fill('x');
  await expect.element(field).toHaveAccessibleDescription('Enter a price such as 1 or 0.5.');
  await field.fill('1,200');
  await userEvent.tab();
  await expect
    .poll(() => api.askedOf('PUT /app/v1/rates/:code')[0]?.sent)
    .toEqual({
      price: '1200',
    });
  await expect.element(field).toHaveValue('1,200');
});

test('compact rows are kept in this browser', async () => {
  await openPage('Settings');
  await page.getByText('Compact').click();
  await expect.poll(() => document.documentElement.dataset.density).toBe('compact');
  expect(localStorage.getItem('desk-density')).toBe('compact');
  await page.getByText('Comfortable').click();
  await expect.poll(() => document.documentElement.dataset.density).toBe('comfortable');
});

test('a long job that ends in the background is announced, once notifications are switched on', async () => {
  const shown: string[] = [];
  const real = globalThis.Notification;
  const realFocus = document.hasFocus;
  class FakeNotification {
    static permission = 'default';
    static requestPermission = () => {
      FakeNotification.permission = 'granted';
      return Promise.resolve('granted');
    };
    constructor(title: string, { body }: { body: string }) {
      shown.push(`${title}. ${body}`);
    }
  }
  Object.assign(globalThis, { Notification: FakeNotification });
  document.hasFocus = () => false;
  onTestFinished(() => {
    Object.assign(globalThis, { Notification: real });
    document.hasFocus = realFocus;
  });
  const api = await openPage('Settings');
  await expect.poll(api.countStreams).toBe(1);
  const pulse = { rows_per_second: 0, seconds_left: null, charged_so_far: '2.0000', waiting: null };
  const end = (id: string, seconds: string) => {
    const times = {
      created_at: '2026-11-20T10:00:00.000Z',
      completed_at: `2026-11-20T10:00:${seconds}.000Z`,
    };
    const job = { ...statusExample, ...times, job_id: id };
    api.tell({ type: 'job', job: { ...job, status: 'running', ready: false }, ...pulse });
    api.tell({ type: 'job', job, ...pulse });
  };
  end(idOf(1), '50');
  const notify = page.getByRole('switch', { name: 'Notify me when a job finishes' });
  await expect.element(notify).not.toBeChecked();
  await notify.click();
  await expect.element(notify).toBeChecked();
  end(idOf(2), '09');
  end(idOf(3), '50');
  await expect.poll(() => shown).toHaveLength(1);
  expect(shown[0]).toMatch(/^Spring list: completed\. .* enriched, .* charged\.$/);
});
