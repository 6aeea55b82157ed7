// Settings → Organisation: the rules with their source, and the controls that they lock.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Organisation, RuleInForce } from '../../../../engine/contract/team/team-config.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { openPage } from '../../open-page.tsx';

const source = { kind: 'policy_file', place: '/etc/enrichment-desk/policy.json' } as const;
const rule = (path: string, value: unknown, isLocked = true): RuleInForce => ({
  path,
  value: JSON.stringify(value),
  is_locked: isLocked,
  source,
});
const organisation: Organisation = {
  name: 'Acme',
  upstream: 'https://desk.acme.example',
  allowed_providers: ['desk'],
  sources: [source],
  rules: [
    rule('organisation', 'Acme', false),
    rule('caps.keys.per_day', '2000'),
    rule('caps.providers.desk.month', 500),
    rule('providers', { allowed: ['desk'] }),
    rule('rates.L1', { binding: 'fixed', price: '0.5' }),
    rule('retention.jobs', { binding: 'at_most', days: 90 }),
    rule('settings.infer_emails', { binding: 'default', value: true }, false),
    rule('settings.match_threshold', { binding: 'fixed', value: 0.9 }),
    rule('updates.mode', 'off'),
    rule('upstream', { address: 'https://desk.acme.example' }),
  ],
};

test('each rule is shown with its source; what is locked names its source and cannot be changed', async () => {
  await openPage('Settings', {
    'GET /app/v1/organisation': () => organisation,
    'GET /app/v1/rates': () =>
      (['L1', 'L2'] as const).map((code) => ({
        code,
        label: `Layer ${code}`,
        price: '0.5000',
        active: true,
      })),
  });
  const threshold = page.getByRole('textbox', { name: 'Match threshold' });
  await expect.element(threshold).toHaveAttribute('readonly');
  await expect.element(page.getByText(/fewer wrong ones\. Set by Acme\./)).toBeVisible();
  const days = page.getByRole('textbox', { name: 'Days without a second charge' });
  await expect.element(days).not.toHaveAttribute('readonly');
  await expect.element(page.getByRole('switch', { name: 'Infer work emails' })).toBeEnabled();
  await expect
    .element(page.getByRole('textbox', { name: 'Price of Current job' }))
    .toHaveAttribute('readonly');
  await expect.element(page.getByRole('switch', { name: 'Current job is on' })).toBeEnabled();
  await expect
    .element(page.getByRole('textbox', { name: 'Price of Company location' }))
    .not.toHaveAttribute('readonly');
  const part = page.getByRole('region', { name: 'Organisation' });
  const readRows = () =>
    part
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));
  await expect.poll(readRows).toEqual([
    ['Credits per day of a key', 'at most 2,000', 'locked', 'policy file'],
    ['Credits per month at desk', 'at most 500', 'locked', 'policy file'],
    ['Data services', 'desk', 'locked', 'policy file'],
    ['Current job', '0.5 credits', 'locked', 'policy file'],
    ['Jobs, kept', 'at most 90 days', 'locked', 'policy file'],
    ['Infer work emails', 'on', 'default for new accounts', 'policy file'],
    ['Match threshold', '0.9', 'locked', 'policy file'],
    ['Updates', 'off', 'locked', 'policy file'],
    ['The other engine', 'https://desk.acme.example', 'locked', 'policy file'],
  ]);
  await expectAccessibleAndResponsive();
});

test('without rules, Settings have no such part', async () => {
  await openPage('Settings');
  await expect.element(page.getByRole('region', { name: 'Matching and charging' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Organisation' })).not.toBeInTheDocument();
});
