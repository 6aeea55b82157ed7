// Makes an API key as a person does, on the page, for tests that then act as a program.
import type { Page } from 'playwright-core';

/** Makes a key on the Connections page; the key, and the address that the page shows. */
export async function createKeyIn(page: Page, label: string) {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByText(/^sk_live_[\w-]{43}$/).textContent();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const base = await page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/).textContent();
  return { key: key ?? '', base: base ?? '' };
}
