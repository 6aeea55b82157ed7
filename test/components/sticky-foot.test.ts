// The one action of a long page stays in sight, wherever the page is scrolled to.
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { statusExample } from '../../engine/contract/examples.ts';
import { emptyDirectory } from './empty-desk.ts';
import { openPage } from './open-page.tsx';

test.each([
  [`/monitors/new/${statusExample.job_id}`, 'New monitor', /^Create monitor, at most/],
  ['/directory/contacts/new', 'Show emails and phones', /^Show emails and phones$/],
])('the action of %s stays in sight', async (address, title, name) => {
  await page.viewport(1280, 420);
  onTestFinished(() => page.viewport(1280, 800));
  await openPage('Jobs', {
    'GET /app/v1/jobs/:job_id': () => statusExample,
    'GET /app/v1/directory': () => ({ ...emptyDirectory, people: 3 }),
    'GET /app/v1/directory/search/values': () => ({
      industry: [],
      job_level: [],
      employee_range: [],
      revenue_range: [],
      contact_office_country: [],
    }),
    'POST /app/v1/directory/search/contacts': () => ({ total: 0, results: [] }),
  });
  location.hash = address;
  await expect.element(page.getByRole('heading', { name: title, level: 1 })).toBeInViewport();
  await expect.element(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
});
