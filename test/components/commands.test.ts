// The command palette and the list of keyboard shortcuts, by keyboard alone.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { statusExample } from '../../engine/contract/examples.ts';
import { listCommands } from '../../renderer/commands/command-table.tsx';
import { expectAccessible, expectAccessibleAndResponsive } from './accessibility.ts';
import { emptyDirectory, firstAccount } from './empty-desk.ts';
import { openPage } from './open-page.tsx';

const palette = page.getByRole('dialog', { name: 'Commands' });
const field = page.getByRole('combobox', { name: 'Find a command, screen or job' });
const openPalette = async () => {
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
};
const optionNames = () =>
  page
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

test('a command is found by some letters, run with Enter, and first at the next time', async () => {
  await openPage('Jobs');
  await openPalette();
  await field.fill('wallt');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Wallet')).toBeVisible();
  await expect.element(palette).not.toBeInTheDocument();
  const main = page.getByRole('main').element();
  // The title has it, or the screen until it has a title.
  await expect.poll(() => main.contains(document.activeElement)).toBe(true);
  await openPalette();
  await expect.poll(() => optionNames()[0]).toBe('Wallet');
  await expectAccessibleAndResponsive();
  await field.fill('qqq');
  await expect.element(page.getByText(/^No command, screen or job matches/)).toBeVisible();
});

test('what is typed before the palette is there is searched, and is no key of the screen', async () => {
  await openPage('Jobs');
  const key = (init: KeyboardEventInit) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
  key({ key: 'k', ctrlKey: true });
  for (const letter of 'wa?') key({ key: letter });
  await expect.element(field).toHaveValue('wa?');
  await userEvent.keyboard('{Backspace}llet{Enter}');
  await expect.element(heading('Wallet')).toBeVisible();
});

test('each action has an icon of its own', () => {
  const commands = listCommands([], [firstAccount], firstAccount.id, new Set());
  const icons = commands.filter(({ group }) => group === 'action').map(({ Icon }) => Icon);
  expect(icons.length).toBeGreaterThan(9);
  expect(new Set(icons).size).toBe(icons.length);
});

test('no two commands have the same title', () => {
  const titles = listCommands([], [firstAccount], firstAccount.id, new Set()).map(
    ({ title }) => title,
  );
  expect(titles).toEqual([...new Set(titles)]);
});

test('a command presses a control of another screen', async () => {
  await openPage('Jobs');
  await openPalette();
  await field.fill('create api key');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'New key' })).toBeVisible();
});

test('the command to import opens Imports, also if the directory has people', async () => {
  await openPage('Jobs', { 'GET /app/v1/directory': () => ({ ...emptyDirectory, people: 2 }) });
  await openPalette();
  await field.fill('import a list');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible();
});

test('parts of Settings that are not shown are not found; a further account is', async () => {
  await openPage('Jobs');
  await openPalette();
  await field.fill('settings');
  await expect.poll(optionNames).toContain('Settings: Retention');
  expect(optionNames()).not.toContain('Settings: Accounts');
  expect(optionNames()).not.toContain('Settings: Rate card');
  await field.fill('new account');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'New account' })).toBeVisible();
});

test('a job is found by its name', async () => {
  await openPage('Wallet', {
    'GET /app/v1/jobs': () => ({
      count: 1,
      next: null,
      previous: null,
      results: [{ ...statusExample, title: 'Élysée leads' }],
    }),
  });
  await openPalette();
  await field.fill('elysee');
  await expect.element(page.getByRole('option', { name: 'Élysée leads' })).toBeVisible();
});

test('Escape and the same keys close the palette, and the focus returns', async () => {
  await openPage('Jobs');
  const link = page.getByRole('link', { name: 'Wallet' });
  (link.element() as HTMLElement).focus();
  await openPalette();
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}');
  const isLastSelected = () =>
    page.getByRole('option', { selected: true }).element().textContent === optionNames().at(-1);
  await expect.poll(isLastSelected).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(link).toHaveFocus();
  await openPalette();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(link).toHaveFocus();
  await expect.element(palette).not.toBeInTheDocument();
});

test('? lists the shortcuts, but not while one types', async () => {
  await openPage('Jobs');
  await openPalette();
  await userEvent.keyboard('?');
  await expect.element(field).toHaveValue('?');
  await field.fill('shortcuts');
  await userEvent.keyboard('{Enter}');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(help).toBeVisible();
  await expect.element(palette).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
  await userEvent.keyboard('?');
  await expect.element(help.getByText('Find a command, screen or job')).toBeVisible();
  await expectAccessible();
});
