// Accessibility checks (axe) in light and dark mode.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findHiddenStops } from './hidden-stops.ts';
import { findNestedBoxes } from './nested-boxes.ts';

export type ColorScheme = 'light' | 'dark';

/** Shows a page of the interface in light or dark mode, and waits until it is drawn so. */
async function setColors(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The page learns of it by an event; until then its colors are mixed.
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

const colorSchemes: readonly ColorScheme[] = ['light', 'dark'];
const colorRules = ['color-contrast', 'link-in-text-block'];

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs axe in a page and returns what it breaks. The page has no frames, so axe is loaded once per
 * document and run in place: `AxeBuilder` loads it for every check, which takes twice as long as
 * the check.
 * @param within selectors of the parts to check, the whole document unless given
 */
export async function runAxe(
  page: Page,
  options: RunOptions = {},
  within: string[] = ['html'],
): Promise<{ id: string; impact: string; nodes: string[] }[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(
    async ([include, given]: [string[], RunOptions]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // Passed rules list no nodes: a grid of a thousand cells would take most of the time.
      const { violations } = await axe.run({ include }, { ...given, resultTypes: ['violations'] });
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? '',
        nodes: nodes.map(({ html }) => html),
      }));
    },
    [within, options] as [string[], RunOptions],
  );
}

/**
 * Returns the accessibility rules that a page breaks, and its boxes in boxes, one line each.
 * @param colorScheme the scheme that the page is shown in: all rules are checked in light mode, and
 *   in dark mode only those that depend on colors
 */
export async function findViolations(
  page: Page,
  colorScheme: ColorScheme = 'light',
): Promise<string[]> {
  const isDark = colorScheme === 'dark';
  const violations = await runAxe(page, isDark ? { runOnly: colorRules } : {});
  const broken = violations.map(({ id, nodes }) => `${id}: ${nodes.join(' ')}`);
  if (isDark) return broken;
  const looks = [findHiddenStops, findNestedBoxes].map((find) => page.evaluate(find));
  return [...broken, ...(await Promise.all(looks)).flat()];
}

/** Expects a page to break no rule in light mode, and no color rule in dark mode. */
export async function expectAccessible(
  page: Page,
  onScheme: (colorScheme: ColorScheme) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await setColors(page, colorScheme);
    // A toast that fades has too little contrast for a moment; a real fault stays.
    const found = expect.poll(() => findViolations(page, colorScheme), { message: colorScheme });
    await found.toEqual([]);
    await onScheme(colorScheme);
  }
}

/** The smallest window, and windows of 1,280 and 640 px at twice the size. */
const smallWindows = [
  [960, 640],
  [640, 400],
  [320, 400],
] as const;

/**
 * Expects what is open to be accessible in both color schemes and to fit small windows.
 * @param overflow returns the pixels by which the content is wider than its window
 * @param onLook is called with the name of each scheme and window size once it is checked
 */
export async function expectAccessibleAndResponsive(
  page: Page,
  overflow: () => Promise<number>,
  onLook: (look: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, onLook);
  for (const [width, height] of smallWindows) {
    await page.setViewportSize({ width, height });
    await expect.poll(overflow, { message: `at ${width} by ${height}` }).toBe(0);
    await onLook(`${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
