// Settings in the desktop app: updates with their restart, and the app in the background.
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Background, DesktopBridge, UpdateState } from '../../../../main/desktop-contract.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { openPage } from '../../open-page.tsx';

const idle: UpdateState = {
  state: 'idle',
  current: '1.2.0',
  version: null,
  notes: '',
  percent: null,
  sentence: null,
  channel: 'stable',
  checked_at: '2026-11-23T10:00:00.000Z',
};

/** Gives the page the bridge of the app; records what it asks. */
function openBridge(first: UpdateState) {
  const asked: unknown[] = [];
  let state = first;
  let background: Background = { keepsRunning: true, opensAtLogin: false };
  let listener: ((state: UpdateState) => void) | null = null;
  const choice = { isOn: true, channel: 'stable' as const };
  const bridge: Partial<DesktopBridge> = {
    platform: 'linux',
    takeRequest: async () => null,
    onCommand: () => () => undefined,
    readUpdates: async () => ({ state, choice }),
    onUpdates(given) {
      listener = given;
      return () => undefined;
    },
    checkUpdates: async () => void asked.push('check'),
    restartToUpdate: async () => void asked.push('restart'),
    chooseUpdates: async (chosen) => void asked.push(chosen),
    readBackground: async () => background,
    async chooseBackground(chosen) {
      asked.push(chosen);
      background = chosen;
      return background;
    },
  };
  Object.defineProperty(window, 'desk', { value: bridge, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(window, 'desk');
  });
  return {
    asked,
    change(next: UpdateState) {
      state = next;
      listener?.(next);
    },
  };
}

test('a downloaded update shows its notes as text and waits for the restart', async () => {
  const { asked, change } = openBridge(idle);
  await openPage('Settings');
  const part = page.getByRole('region', { name: 'Updates' });
  await expect.element(part.getByText(/^Version 1\.2\.0 is the latest one\./)).toBeVisible();
  await part.getByRole('button', { name: 'Check now' }).click();
  await part.getByText('Beta').click();
  change({ ...idle, state: 'downloading', version: '1.3.0', percent: 41 });
  await expect.element(part.getByText('Downloading version 1.3.0: 41%')).toBeVisible();
  await expect.element(part.getByRole('button', { name: 'Check now' })).toBeDisabled();
  change({ ...idle, state: 'ready', version: '1.3.0', notes: 'Faster <b>search</b>' });
  await expect.element(part.getByText('Faster <b>search</b>')).toBeVisible();
  await expectAccessibleAndResponsive();
  await part.getByRole('button', { name: 'Restart to update' }).click();
  await expect.poll(() => asked).toEqual(['check', { isOn: true, channel: 'beta' }, 'restart']);
});

test('a refused update says why, and the background is chosen', async () => {
  const sentence = 'The offered version has no signature. Nothing was installed.';
  const { asked } = openBridge({ ...idle, state: 'refused', version: '1.3.0', sentence });
  await openPage('Settings');
  await expect.element(page.getByText(sentence)).toBeVisible();
  await page.getByRole('switch', { name: 'Keep running when the window is closed' }).click();
  await page.getByRole('switch', { name: 'Start when I log in' }).click();
  await expect
    .poll(() => asked)
    .toEqual([
      { keepsRunning: false, opensAtLogin: false },
      { keepsRunning: false, opensAtLogin: true },
    ]);
});

test('what the app cannot do, or has nothing of, is not offered', async () => {
  const sentence = 'Updates are off: this copy of the app was not installed by an installer.';
  openBridge({ ...idle, state: 'off', sentence });
  await openPage('Settings', { 'GET /app/v1/sessions': () => [] });
  const updates = page.getByRole('region', { name: 'Updates' });
  await expect.element(updates.getByText(sentence)).toBeVisible();
  expect(updates.getByRole('switch').elements()).toEqual([]);
  expect(updates.getByRole('button').elements()).toEqual([]);
  // No browser is open.
  expect(page.getByRole('region', { name: 'Browsers' }).elements()).toEqual([]);
  const appearance = page.getByRole('region', { name: 'Appearance' });
  await expect.element(appearance.getByText('Saved on this computer.')).toBeVisible();
});
