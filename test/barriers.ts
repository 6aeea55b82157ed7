/** What keeps people out of a page, as axe finds it, and the colours that it is looked at in. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Shows a page of the interface in the light or the dark, and waits until it is so. */
export async function setColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The page hears of it by an event: until it has, it is half one and half the other.
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** The rules that a page breaks, in a line each; none is good. */
export async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
