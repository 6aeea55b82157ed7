// Settings → Retention: days, the preview with its consequence, and the run.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { DueItems } from '../../../../engine/contract/retention/retention.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { keepsAll } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';

const due = (items: number): DueItems => ({
  kind: 'jobs',
  days: 30,
  items,
  bytes: items * 2_000_000,
  oldest: items > 0 ? timestampExample : null,
  newest: items > 0 ? timestampExample : null,
  kept: [{ reason: 'open_review', items: 1 }],
});
const jobDays = page.getByRole('textbox', { name: 'Days of jobs' });

test('days are saved after a preview that says what goes, what stays and that it is final', async () => {
  let saved = keepsAll;
  const api = await openPage('Settings', {
    'GET /app/v1/retention': () => saved,
    'POST /app/v1/retention-previews': () => ({ kinds: [due(12)] }),
    'PATCH /app/v1/retention': ({ sent }) => {
      const days = sent.days.jobs ?? null;
      saved = {
        ...keepsAll,
        kinds: keepsAll.kinds.map((one) =>
          one.kind === 'jobs' ? { ...one, setting: days, days, source: 'account' } : one,
        ),
      };
      return saved;
    },
  });
  await expect.element(page.getByRole('button', { name: 'Preview…' })).toBeVisible();
  await jobDays.fill('30');
  await page.getByRole('button', { name: 'Preview and save…' }).click();
  await expect.element(page.getByText('12 items would be deleted now')).toBeVisible();
  await expect
    .element(page.getByText('1 stay: their review has started and has open rows.'))
    .toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Save and delete' }).click();
  await expect.element(page.getByText('The days are saved.')).toBeVisible();
  for (const route of ['POST /app/v1/retention-previews', 'PATCH /app/v1/retention'] as const)
    await expect
      .poll(() => api.askedOf(route).map(({ sent }) => sent))
      .toEqual([{ days: { jobs: 30 } }]);
  await expect.element(jobDays).toHaveValue('30');
});

test('emptied days keep forever, which needs no warning', async () => {
  const kinds = keepsAll.kinds.map((one) =>
    one.kind === 'jobs' ? { ...one, setting: 30, days: 30, source: 'account' as const } : one,
  );
  const api = await openPage('Settings', {
    'GET /app/v1/retention': () => ({ ...keepsAll, kinds }),
    'POST /app/v1/retention-previews': () => ({ kinds: [{ ...due(0), days: null, kept: [] }] }),
    'PATCH /app/v1/retention': () => keepsAll,
  });
  await jobDays.fill('');
  await page.getByRole('button', { name: 'Preview and save…' }).click();
  await expect.element(page.getByText('Everything is kept until you delete it.')).toBeVisible();
  await page.getByRole('button', { name: 'Save these days' }).click();
  await expect
    .poll(() => api.askedOf('PATCH /app/v1/retention').map(({ sent }) => sent))
    .toEqual([{ days: { jobs: null } }]);
});

test('days that the organisation sets cannot be changed; a run shows its progress', async () => {
  const kinds = keepsAll.kinds.map((one) =>
    one.kind === 'jobs'
      ? { ...one, days: 90, source: 'organisation' as const, days_max: 90, is_fixed: true }
      : one,
  );
  let run: typeof keepsAll.run = keepsAll.run;
  await openPage('Settings', {
    'GET /app/v1/retention': () => ({ ...keepsAll, kinds, run }),
    'POST /app/v1/retention-runs': () => {
      run = { ...run, state: 'deleting', started_at: timestampExample, deleted: { jobs: 1_200 } };
      return { ...keepsAll, kinds, run };
    },
  });
  await expect.element(page.getByText('90 days, set by your organisation.')).toBeVisible();
  await expect.element(jobDays).toBeDisabled();
  await expect.element(page.getByText('Nothing has been deleted yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await expect.element(page.getByText('Deleting … So far: jobs 1,200.')).toBeVisible();
});

test('while the clock is far ahead, the page says what waits, and one button confirms the date', async () => {
  const stop = { last_at: '2026-11-20T10:00:00.000Z', now: '2036-11-20T10:00:00.000Z' };
  let current: typeof keepsAll = { ...keepsAll, clock_stop: { ...stop, detail: '' } };
  const api = await openPage('Settings', {
    'GET /app/v1/retention': () => current,
    'POST /app/v1/retention-runs': () => {
      current = keepsAll;
      return current;
    },
  });
  await expect
    .element(page.getByText('Nothing is deleted until you confirm the date'))
    .toBeVisible();
  await expect
    .element(page.getByText(/shows .*2036.* last ran on this data on .*2026/))
    .toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'The date is right: delete' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/retention-runs').map(({ sent }) => sent))
    .toEqual([{ confirm_clock: true }]);
  await expect.element(page.getByRole('button', { name: 'Delete now' })).toBeVisible();
});
