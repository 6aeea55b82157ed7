// The verdict on an address by reports of the directory's sources, and by itself.
import { expect, test } from 'vitest';
import { bounceKeptDays, verifiedKeptDays } from '../../engine/contract/limits/directory.ts';
import type { ValidationReason } from '../../engine/contract/validations.ts';
import { findEmailReport } from '../../engine/directory/read/find-email-reports.ts';
import type { Row } from '../directory/list-folder.ts';
import { planOn } from '../migrations/plan-statements.ts';
import { dayBefore, openInMemory, openJudge, openLists, takesMail } from './open-validator.ts';

const ada: Row = { Name: 'Ada Lovelace', Company: 'Engines', Email: 'Ada@engines.org' };

test.each<[string, Row, number, ValidationReason]>([
  ['verified lately', { 'Email status': 'verified' }, verifiedKeptDays, 'verified_by_source'],
  ['verified too long ago', { 'Email status': 'valid' }, verifiedKeptDays + 1, 'report_too_old'],
  ['bounced', { 'Email status': 'bounced' }, bounceKeptDays, 'reported_invalid'],
  ['bounced too long ago', { 'Email status': 'bounced' }, bounceKeptDays + 1, 'report_too_old'],
  ['a catch-all', { 'Email status': 'catch-all' }, 1, 'reported_catch_all'],
  ['a catch-all long ago', { 'Email status': 'accept all' }, 400, 'report_too_old'],
  ['an office', { 'Email status': 'role' }, 4000, 'reported_role'],
  ['a throw-away', { 'Email status': 'disposable' }, 4000, 'reported_disposable'],
  ['nothing', {}, 1, 'domain_accepts_mail'],
  ['of someone who left', { 'Email status': 'valid', Current: 'no' }, 1, 'domain_accepts_mail'],
  [
    'a bounce of someone who left',
    { 'Email status': 'bounced', Current: 'no' },
    1,
    'reported_invalid',
  ],
  [
    'of a suppressed person',
    { 'Email status': 'valid', Suppressed: 'yes' },
    1,
    'domain_accepts_mail',
  ],
])("a source's report: %s", async (_title, row, days, reason) => {
  const lists = openLists();
  const { judge } = await openJudge({ lists });
  await lists.importPeople([{ ...ada, ...row }], { observed: dayBefore(days) });
  expect(await judge('ada@ENGINES.org')).toEqual([reason]);
});

test('reports of a source with a trust below one half are ignored', async () => {
  const lists = openLists();
  const { judge } = await openJudge({ lists });
  await lists.importPeople([{ ...ada, 'Email status': 'valid' }], {
    observed: dayBefore(1),
    trust: 0.4,
  });
  expect(await judge('ada@engines.org')).toEqual(['domain_accepts_mail']);
});

test.each<[string, string, string, ValidationReason]>([
  ['a later bounce outdoes a verification', 'valid', 'bounced', 'reported_invalid'],
  ['a later verification outdoes a bounce', 'bounced', 'valid', 'verified_by_source'],
])('%s', async (_title, before, after, reason) => {
  const lists = openLists();
  const { judge } = await openJudge({ lists });
  const says = (status: string, days: number) =>
    lists.importPeople([{ ...ada, 'Email status': status }], {
      observed: dayBefore(days),
      source: `${status} list`,
    });
  await says(before, 20);
  await says(after, 10);
  expect(await judge('ada@engines.org')).toEqual([reason]);
});

test('a repeated report is as fresh as its last date', async () => {
  const lists = openLists();
  const { judge } = await openJudge({ lists });
  for (const [source, days] of [
    ['one', 300],
    ['two', 10],
  ] as const)
    await lists.importPeople([{ ...ada, 'Email status': 'valid' }], {
      observed: dayBefore(days),
      source,
    });
  expect(await judge('ada@engines.org')).toEqual(['verified_by_source']);
});

test('a positive report counts only if the domain accepts mail today', async () => {
  const lists = openLists();
  const { judge, dns } = await openJudge({ lists });
  await lists.importPeople(
    [
      { ...ada, 'Email status': 'valid' },
      { Name: 'Bob Ray', Company: 'Gone', Email: 'bob@gone.org', 'Email status': 'valid' },
      { Name: 'Cy Lo', Company: 'Mute', Email: 'cy@mute.org', 'Email status': 'catch-all' },
    ],
    { observed: dayBefore(1) },
  );
  dns.zones.set('mute.org', { fails: 'servfail' });
  expect(await judge('ada@engines.org', 'bob@gone.org', 'cy@mute.org')).toEqual([
    'verified_by_source',
    'domain_not_found',
    'domain_not_answering',
  ]);
});

test('an address in another script is found in the directory in either form', async () => {
  const lists = openLists();
  const { judge, dns } = await openJudge({ lists });
  dns.zones.set('xn--mnchen-3ya.de', takesMail);
  await lists.importPeople([{ ...ada, Email: 'ada@münchen.de', 'Email status': 'valid' }], {
    observed: dayBefore(1),
  });
  expect(await judge('ada@münchen.de', 'ADA@xn--mnchen-3ya.de')).toEqual([
    'verified_by_source',
    'verified_by_source',
  ]);
});

test.each<[string, ValidationReason]>([
  ['info@engines.org', 'role_mailbox'],
  ['info@gone.org', 'domain_not_found'],
  ['ada@mailinator.com', 'disposable_domain'],
  ['ada@inbox.mailinator.com', 'disposable_domain'],
  ['ada@example.com', 'domain_reserved'],
  ['ada@engines.example', 'domain_reserved'],
  ['ada@[192.0.2.1]', 'address_literal'],
  ['Ada <ada@engines.org>', 'display_name'],
])('%s is %s', async (email, reason) => {
  const { judge } = await openJudge();
  expect(await judge(email)).toEqual([reason]);
});

test('in staging the domains of examples accept mail, and reports stay fresh', async () => {
  const lists = openLists();
  const { judge, dns } = await openJudge({ lists, isStaging: true });
  await lists.importPeople(
    [{ ...ada, Email: 'enriched@sandbox.example', 'Email status': 'valid' }],
    {
      observed: dayBefore(2_000),
    },
  );
  expect(
    await judge('enriched@sandbox.example', 'ada@sandbox.example', 'ada@nowhere.invalid'),
  ).toEqual(['verified_by_source', 'domain_accepts_mail', 'domain_reserved']);
  expect(dns.questions).toEqual([]);
});

test('reports on an address are found by an index', () => {
  const db = openInMemory('directory');
  const plans = planOn(db, () => expect(findEmailReport(db, ['ada@engines.org'])).toBeNull());
  expect(plans.join('\n')).toContain('employment_email (email=?)');
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
});
