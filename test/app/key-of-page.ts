// Creates an API key on the page, for tests that act as a program.
import type { Page } from 'playwright-core';

/** Creates a key on the Connections page; returns the key and the shown address. */
export async function createKeyIn(page: Page, label: string) {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByText(/^sk_live_[\w-]{43}$/).textContent();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const base = await page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/).textContent();
  return { key: key ?? '', base: base ?? '' };
}
