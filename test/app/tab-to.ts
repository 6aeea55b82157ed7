// Moves the focus as a person without a mouse does.
import type { Page } from 'playwright-core';

/** Presses Tab until the focused element has this name. */
export async function tabTo(page: Page, name: RegExp, tabsMax = 60): Promise<void> {
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
    });
    if (name.test(label.trim())) return;
  }
  throw new Error(`no ${name} within ${tabsMax} tabs`);
}
