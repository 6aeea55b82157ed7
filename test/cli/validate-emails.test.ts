// `desk validate-emails`: writes the same list with the status of each address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDnsServer } from '../dns-server.ts';
import { startEngineHere } from '../engine-here.ts';
import { makePlace } from './run-desk.ts';

const contacts = [
  'Ref;Work Email;Note',
  '1; ada@takes.org ;007',
  '2;bob@gone.org;',
  '3;;nobody',
  '4;ADA@TAKES.ORG;"again, twice"',
  '5;Cy <cy@takes.org>;x',
  '',
].join('\n');

/** An engine with its own folder, for the commands. */
async function openPlace() {
  const place = makePlace();
  const dns = await startDnsServer({ 'takes.org': { a: ['203.0.113.1'] } });
  vi.stubEnv('DESK_DNS_SERVERS', dns.address);
  const engine = await startEngineHere(place.dataDir);
  onTestFinished(async () => {
    await engine.stop();
    vi.unstubAllEnvs();
    place.remove();
  });
  place.write('in.csv', contacts);
  return { place, engine, read: (name: string) => readFileSync(join(place.dir, name), 'utf8') };
}

test('every row is returned in order with the status and reason of its address', async () => {
  const { place, read } = await openPlace();
  const run = await place.here('validate-emails', 'in.csv', '--out', 'out.csv', '--yes', '--json');
  expect(run.json).toEqual({
    addresses: 3,
    counts: { valid: 0, invalid: 1, catch_all: 0, disposable: 0, role: 0, unknown: 2 },
    credits_charged: '0.1000',
    out: join(place.dir, 'out.csv'),
  });
  expect(run.code).toBe(0);
  expect(run.stderr).toContain(
    'columns not read: "Ref", "Note". They stay as they are; to read another',
  );
  expect(read('out.csv').split('\r\n')).toEqual([
    'Ref,Work Email,Note,Email validation status,Email validation reason',
    '1, ada@takes.org ,007,unknown,domain_accepts_mail',
    '2,bob@gone.org,,invalid,domain_not_found',
    '3,,nobody,,',
    '4,ADA@TAKES.ORG,"again, twice",unknown,domain_accepts_mail',
    '5,Cy <cy@takes.org>,x,unknown,domain_accepts_mail',
    '',
  ]);
  const again = ['validate-emails', 'out.csv', '--column', 'work email', '--out', 'more.csv'];
  expect((await place.here(...again, '--yes')).last).toMatch(
    /^Addresses: 3 \(1 invalid, 2 unknown\)/,
  );
  expect(read('more.csv')).toContain('Email validation reason (enriched)');
});

test('without a terminal and --yes, without a column, or without credits nothing is submitted', async () => {
  const { place, engine } = await openPlace();
  place.write('plain.csv', 'Name\nAda\n');
  place.write('empty.csv', 'Name,Email\nAda,\n');
  const refuse = async (code: number, words: RegExp, ...args: string[]) => {
    const run = await place.here('validate-emails', ...args, '--out', 'out.csv');
    expect(`${run.stderr}${run.stdout}`).toMatch(words);
    expect(run.code).toBe(code);
  };
  await refuse(2, /Add --yes/, 'in.csv');
  await refuse(2, /--column: "Name"/, 'plain.csv', '--yes');
  await refuse(2, /no column "Mail". There are "Ref"/, 'in.csv', '--column', 'Mail', '--yes');
  await refuse(2, /has no addresses/, 'empty.csv', '--yes');
  const poor = (await engine.ask('POST', '/app/v1/accounts', { name: 'Poor' })) as { id: string };
  await engine.ask('PATCH', `/app/v1/accounts/${poor.id}`, { has_budget: true });
  await refuse(3, /needs 0\.3 credits/, 'in.csv', '--yes', '--account', poor.id);
  expect(await engine.ask('GET', '/app/v1/email-validations')).toMatchObject({ count: 0 });
});
