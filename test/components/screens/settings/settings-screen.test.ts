/** The Settings screen: where the encryption key of secrets is, and the rules of the account. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { firstAccount, firstState } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';

test.each([
  ['keychain', 'the key is in the keychain of the system', 'keychain'],
  ['file', 'the key is in engine.key in the data folder.', 'file'],
  ['unavailable', 'unlock the keychain', 'not available'],
] as const)('Settings show where the encryption key is: %s', async (place, detail, word) => {
  await openPage('Settings', { 'GET /app/v1/secret-key': () => ({ place, detail }) });
  await expect.element(page.getByText(word, { exact: true })).toBeVisible();
  const sentence = `${detail[0]?.toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;
  await expect.element(page.getByText(sentence)).toBeVisible();
  if (place === 'file') await expectAccessibleAndResponsive();
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
  const save = page.getByRole('button', { name: 'Save the days' });
  await expect.element(save).toBeDisabled();
  await days.fill('90');
  await save.click();
  await expect.element(page.getByText('The free days were changed.')).toBeVisible();
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
  expect(api.askedOf('PATCH /app/v1/accounts/:id').map(({ sent }) => sent)).toEqual([
    { infer_emails: true },
  ]);
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
      return null;
    },
  });
  await expect.element(page.getByText('this browser')).toBeVisible();
  await page.getByRole('button', { name: /^Close Safari on macOS/ }).click();
  await expect.element(page.getByText('The browser was closed.')).toBeVisible();
  await expect.element(page.getByText('Safari on macOS')).not.toBeInTheDocument();
  await expect.element(page.getByText('Firefox on Linux')).toBeVisible();
});
