/** What keeps people out of a page, as axe finds it, and the colours that it is looked at in. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Shows a page of the interface in the light or the dark, and waits until it is so. */
export async function setColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The page hears of it by an event: until it has, it is half one and half the other.
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** What keys come to although nobody sees it there, in a line each. */
const findHiddenStops = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const stops = document.querySelectorAll<HTMLElement>('a[href], button, input, [tabindex]');
    const isReached = (stop: HTMLElement) =>
      stop.tabIndex >= 0 &&
      !stop.matches(':disabled') &&
      stop.checkVisibility({ visibilityProperty: true });
    // Switches and the choices of a row of buttons are drawn by their labels.
    const drawn = (stop: HTMLElement) =>
      (stop instanceof HTMLInputElement && stop.labels?.[0]) || stop;
    const isSeen = (stop: HTMLElement) => drawn(stop).checkVisibility({ opacityProperty: true });
    return [...stops]
      .filter((stop) => isReached(stop) && !isSeen(stop))
      .map((stop) => `hidden-stop: ${stop.outerHTML.slice(0, 200)}`);
  });

/** The rules that a page breaks, in a line each; none is good. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Of what is well it names no nodes: a grid of a thousand good cells costs most of the time.
  const asked = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await asked.analyze();
  const broken = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
  return [...broken, ...(await findHiddenStops(page))];
}

/** The smallest window, and a small screen at twice the size. */
const smallWindows = [
  [960, 640],
  [640, 400],
] as const;

/**
 * Looks at what is open with every eye: no barrier in the light and the dark, and nothing wider
 * than small windows. `overflow` answers pixels; `onLook` hears of each look by its name.
 */
export async function expectGoodLooks(
  page: Page,
  overflow: () => Promise<number>,
  onLook: (look: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColors(page, colorScheme);
    expect(await findBarriers(page), colorScheme).toEqual([]);
    await onLook(colorScheme);
  }
  for (const [width, height] of smallWindows) {
    await page.setViewportSize({ width, height });
    await expect.poll(overflow, { message: `at ${width} by ${height}` }).toBe(0);
    await onLook(`${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
