// Accessibility (axe) and layout of the page, in light and dark mode and in small windows.
import axe from 'axe-core';
import { expect } from 'vitest';
import { commands, page } from 'vitest/browser';
import { findHiddenStops } from '../hidden-stops.ts';

declare const __DESK_FULL__: boolean;

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateColors(colors: 'light' | 'dark'): Promise<void>;
  }
}

async function setColors(colors: 'light' | 'dark'): Promise<void> {
  await commands.emulateColors(colors);
  // An event informs the page; until then its colors are mixed.
  await expect
    .poll(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
    .toBe(colors);
}

async function findViolations(options: axe.RunOptions): Promise<string[]> {
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...options });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * All rules in light mode. The full run also tries those of color in dark mode; nothing else
 * differs there.
 */
export async function expectAccessible(): Promise<void> {
  // What fades in or out has too little contrast for a moment; a real fault stays.
  if (__DESK_FULL__) {
    await setColors('dark');
    const ofColor = { runOnly: ['color-contrast', 'link-in-text-block'] };
    await expect.poll(() => findViolations(ofColor), { message: 'dark' }).toEqual([]);
    await setColors('light');
  }
  await expect.poll(() => findViolations({}), { message: 'light' }).toEqual([]);
  // A notification that fades out hides its button for a moment.
  await expect.poll(findHiddenStops).toEqual([]);
}

const smallWindows = [
  [960, 640],
  [640, 400],
] as const;

/** Pixels by which the widest part of the page exceeds its window. */
function measureOverflow(): number {
  const parts = ['#screen', 'nav[aria-label=Screens]', '[role=menu]', '[role=dialog]'];
  const found = parts.flatMap((part) => [...document.querySelectorAll(part)]);
  return Math.max(...found.map((one) => one.scrollWidth - one.clientWidth));
}

/** Expects the page to be accessible and no wider than a small window. */
export async function expectAccessibleAndResponsive(): Promise<void> {
  await expectAccessible();
  for (const [width, height] of smallWindows) {
    await page.viewport(width, height);
    await expect.poll(measureOverflow, { message: `at ${width} by ${height}` }).toBe(0);
  }
  await page.viewport(1280, 800);
}
