// What the page says about the reason of a row.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { reasons } from '../../../../engine/contract/jobs/job.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { openPage } from '../../open-page.tsx';

test('Help explains every reason and what to do about it', async () => {
  await openPage('Help');
  expect(page.getByRole('article').elements()).toHaveLength(
    reasons.filter((reason) => reason !== '').length,
  );
  const suppressed = page.getByRole('article', { name: 'suppressed' });
  await expect
    .element(suppressed.getByRole('link', { name: 'Open the suppression list' }))
    .toHaveAttribute('href', '#/directory/suppression');
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
