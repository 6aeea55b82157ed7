// The account of the page: switcher, names, and no data of another account.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Account } from '../../engine/contract/accounts.ts';
import { chooseAccount } from '../../renderer/api/account.ts';
import { expectAccessibleAndResponsive } from './accessibility.ts';
import { firstAccount, firstState, idOf, makeKey } from './empty-desk.ts';
import type { Answers } from './fake-api.ts';
import { openPage } from './open-page.tsx';

const dialog = page.getByRole('dialog');
const switcher = page.getByRole('button', { name: /^Account / });
const switcherOf = (name: string) => page.getByRole('button', { name: `Account ${name}` });
const choiceOf = (name: string) => page.getByRole('menuitemradio', { name });
const emptyWallet = { available: '0.0000', held: '0.0000', spent: '0.0000' };
const longName = 'Vertrieb und Öffentlichkeitsarbeit '.repeat(4).slice(0, 120).trim();

const account = (number: number, name: string): Account => ({
  ...firstAccount,
  id: idOf(number),
  name,
});

/** Responses of an installation with these accounts; its key belongs to the first. */
function keepAccounts(others: Account[]): Answers {
  const all = () => [firstAccount, ...others];
  const find = (id: string | null) => all().find((one) => one.id === id) ?? firstAccount;
  const walletOf = (id: string | null) =>
    find(id) === firstAccount ? firstState.wallet : emptyWallet;
  return {
    'GET /app/v1/accounts': all,
    'POST /app/v1/accounts': ({ sent }) => {
      others.push(account(others.length + 2, sent.name));
      return others.at(-1)!;
    },
    'PATCH /app/v1/accounts/:id': ({ params, sent }) => {
      const at = others.findIndex(({ id }) => id === params.id);
      others[at] = { ...others[at]!, name: sent.name ?? '' };
      return others[at];
    },
    'GET /app/v1/state': (asked) => ({
      ...firstState,
      account: { ...find(asked.account), has_budget: true },
      wallet: walletOf(asked.account),
    }),
    'GET /app/v1/wallet': (asked) => walletOf(asked.account),
    'GET /app/v1/keys': (asked) =>
      find(asked.account) === firstAccount ? [makeKey(9, { label: 'of the first' })] : [],
  };
}

test('with one account, there is no list of accounts, and Settings offers a second one', async () => {
  await openPage('Settings', keepAccounts([]));
  await expect.element(page.getByRole('heading', { name: 'Backups' })).toBeVisible();
  expect(switcher.elements()).toEqual([]);
  expect(page.getByRole('heading', { name: 'Accounts' }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'New account…' }).click();
  await dialog.getByLabelText('Name').fill('Sales');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect.element(switcherOf('Sales')).toBeVisible();
});

test('a new account is selected, and all data are those of the selected one', async () => {
  await openPage('Settings', keepAccounts([account(2, 'Support')]));
  await expect.element(page.getByText('in use')).toBeVisible();
  await page.getByRole('button', { name: 'New account' }).click();
  await dialog.getByLabelText('Name').fill(' Sales ');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect.element(switcherOf('Sales')).toBeVisible();
  await expect.element(page.getByRole('definition').getByText('0').first()).toBeVisible();
  await page.getByRole('link', { name: 'Connections' }).click();
  await expect.element(page.getByText('No key yet')).toBeVisible();
  // Read at the next start, as the test of an account that no longer exists shows.
  expect(localStorage.getItem('desk-account')).toBe(idOf(3));

  await switcherOf('Sales').click();
  await choiceOf('Local workspace').click();
  await expect.element(page.getByRole('row', { name: /of the first/ })).toBeVisible();
});

test('no data of the previous account are shown while the responses of the next are in flight', async () => {
  const api = await openPage('Wallet', keepAccounts([account(2, 'Sales')]));
  await switcher.click();
  await choiceOf('Sales').click();
  await expect.element(switcherOf('Sales')).toBeVisible();
  await expect.element(page.getByRole('main').getByText('0').first()).toBeVisible();

  const released = Promise.withResolvers<void>();
  api.answer({
    'GET /app/v1/wallet': () => released.promise.then(() => firstState.wallet),
  });
  switcherOf('Sales').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(choiceOf('Sales')).toHaveAttribute('aria-checked', 'true');
  await expect.element(choiceOf('Local workspace')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(switcherOf('Local workspace')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Wallet', level: 1 })).toBeVisible();
  expect(page.getByRole('main').getByText('0', { exact: true }).elements()).toEqual([]);
  released.resolve();
  await expect.element(page.getByRole('main').getByText('100,000').first()).toBeVisible();
  await expect.element(switcherOf('Local workspace')).toHaveFocus();
});

test('an account is selected by keyboard, and the focus returns to the switcher', async () => {
  const others = [account(2, longName), account(3, 'مكتب المبيعات')];
  await openPage('Connections', keepAccounts(others));
  await expect.element(switcherOf('Local workspace')).toBeVisible();
  switcherOf('Local workspace').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(choiceOf('Local workspace')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(choiceOf(longName)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(switcherOf(longName)).toHaveFocus();
  await expect.element(page.getByText('No key yet')).toBeVisible();
});

test('the accounts: long names, accessible, in every window', async () => {
  await openPage('Connections', keepAccounts([account(2, longName), account(3, 'مكتب المبيعات')]));
  await switcher.click();
  await expect.element(choiceOf(longName)).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('an account is renamed, and the switcher says so', async () => {
  const api = await openPage('Settings', keepAccounts([account(2, 'Sales')]));
  await page.getByRole('button', { name: 'Use Sales' }).click();
  await expect.element(switcherOf('Sales')).toBeVisible();
  await page.getByRole('button', { name: 'Rename Sales' }).click();
  const rename = dialog.getByRole('button', { name: 'Rename' });
  await expect.element(rename).toBeDisabled();
  await dialog.getByLabelText('Name').fill('Sales and marketing');
  await rename.click();
  await expect.element(switcherOf('Sales and marketing')).toBeVisible();
  expect(api.askedOf('PATCH /app/v1/accounts/:id').map(({ sent }) => sent)).toEqual([
    { name: 'Sales and marketing' },
  ]);
});

test('the first account replaces a selected one that no longer exists', async () => {
  chooseAccount(idOf(99));
  expect(localStorage.getItem('desk-account')).toBe(idOf(99));
  const api = await openPage('Settings', keepAccounts([account(2, 'Sales')]));
  await expect.element(switcherOf('Local workspace')).toBeVisible();
  expect(localStorage.getItem('desk-account')).toBeNull();
  // Only the list of accounts was requested for the account that no longer exists.
  expect(api.asked.filter((asked) => asked.account === idOf(99))).toEqual([]);
});
