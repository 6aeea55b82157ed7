/** A data service from its key to the order of its fields, in the app over a real engine. */
import { expect, test } from 'vitest';
import { goTo, openDesk } from '../open-desk.ts';

test('a shipped data service gets a key, is switched on after the list of what is sent, and is removed', async () => {
  const desk = await openDesk('browser');
  const { page } = desk;
  try {
    const dialog = page.getByRole('dialog');
    await goTo(page, 'Connections');
    await page.getByRole('link', { name: 'Data services' }).click();
    await page.getByRole('button', { name: 'Add a data service' }).click();
    await dialog.getByRole('button', { name: /^Hunter/ }).click();
    await dialog.getByLabel('API key of Hunter').fill('a-key-of-the-test');
    await dialog.getByRole('button', { name: 'Save the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const toggle = page.getByRole('switch', { name: 'Hunter is on' });
    await toggle.click({ force: true });
    await dialog.getByText('api.hunter.io').waitFor();
    await expect
      .poll(() => dialog.getByRole('listitem').allTextContents())
      .toEqual(['First name', 'Last name', 'Company', 'Email', 'Company domain']);
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await page
      .getByRole('region', { name: 'Data services' })
      .getByText('on', { exact: true })
      .waitFor();
    const order = page.getByRole('region', { name: 'Work email' }).getByRole('listitem');
    await expect
      .poll(() => order.allTextContents())
      .toEqual([expect.stringContaining('Your directory'), expect.stringMatching(/Hunter$/)]);
    expect(await page.content()).not.toContain('a-key-of-the-test');
    await page.getByRole('button', { name: 'Manage Hunter' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the data service' }).click();
    await page.getByText('No data service yet').waitFor();
    expect(desk.complaints).toEqual([]);
  } finally {
    await desk.close();
  }
});
