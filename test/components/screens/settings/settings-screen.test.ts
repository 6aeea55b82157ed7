/** The Settings screen: where the encryption key of secrets is. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { openPage } from '../../open-page.tsx';

test.each([
  ['keychain', 'the key is in the keychain of the system', 'keychain'],
  ['file', 'the key is in engine.key in the data folder.', 'file'],
  ['unavailable', 'unlock the keychain', 'not available'],
] as const)('Settings show where the encryption key is: %s', async (place, detail, word) => {
  await openPage('Settings', { 'GET /app/v1/secret-key': () => ({ place, detail }) });
  await expect.element(page.getByText(word, { exact: true })).toBeVisible();
  const sentence = `${detail[0]?.toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;
  await expect.element(page.getByText(sentence)).toBeVisible();
  if (place === 'file') await expectAccessibleAndResponsive();
});
