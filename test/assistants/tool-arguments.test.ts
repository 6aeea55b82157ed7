// Accepted forms of tool arguments, and the errors of all others.
import { expect, test } from 'vitest';
import { tools } from '../../engine/contract/assistants/tools.ts';
import { toolIssuesMax } from '../../engine/contract/limits/assistants.ts';
import type { Json } from '../http/open-api-desk.ts';
import { changeDirectory } from '../lookup/lookup-desk.ts';
import { openToolDesk, shareToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

const uuid = '00000000-0000-4000-8000-000000000000';
const rows = [{ email: 'ada@engines.example' }];

test('one value is accepted for a list of one, and digits for a number', async () => {
  const desk = await openDesk();
  const same: [string, Json, Json][] = [
    ['search_contacts', { limit: '2', offset: '1' }, { limit: 2, offset: 1 }],
    ['search_companies', { limit: '1' }, { limit: 1 }],
    [
      'unlock_contacts',
      { uuids: uuid, unlock_type: 'email' },
      { uuids: [uuid], unlock_type: 'email' },
    ],
    [
      'validate_emails',
      { emails: 'one@example.com', dry_run: true },
      { emails: ['one@example.com'], dry_run: true },
    ],
    [
      'enrich_list',
      { rows, selected_layers: 'L1', dry_run: true },
      { rows, selected_layers: ['L1'], dry_run: true },
    ],
    [
      'validate_emails',
      { emails: '["one@example.com"]', dry_run: 'true' },
      { emails: ['one@example.com'], dry_run: true },
    ],
    [
      'search_contacts',
      { company_name: '["Engines","Looms"]', job_title: null },
      { company_name: ['Engines', 'Looms'] },
    ],
    [
      'search_contacts',
      { company_name: '```json\n["Engines"]\n```' },
      { company_name: ['Engines'] },
    ],
    ['search_contacts', { job_title: 'Head of Sales' }, { job_title: ['Head of Sales'] }],
    ['search_contacts', { jobTitle: 'CEO', limit: 'None' }, { job_title: ['CEO'] }],
    ['search_contacts', { arguments: { 'job-title': ['CEO'] } }, { job_title: ['CEO'] }],
    ['search_contacts', { filters: '{"job_title": "CEO"}' }, { job_title: ['CEO'] }],
    [
      'unlock_contacts',
      { uuids: `['${uuid}']`, unlockType: ['EMAIL'] },
      { uuids: [uuid], unlock_type: 'email' },
    ],
    [
      'validate_emails',
      { emails: "['one@example.com']", dry_run: 'True' },
      { emails: ['one@example.com'], dry_run: true },
    ],
    [
      'enrich_list',
      { rows: "[{'Email': 'ada@engines.example'}]", selectedLayers: ['l1'], dryRun: 1 },
      { rows, selected_layers: ['L1'], dry_run: true },
    ],
    [
      'enrich_list',
      { rows: JSON.stringify(rows), selected_layers: '["L1"]', dry_run: true },
      { rows, selected_layers: ['L1'], dry_run: true },
    ],
    [
      'enrich_list',
      { rows: rows[0], selected_layers: 'full', dry_run: true },
      { rows, selected_layers: ['full'], dry_run: true },
    ],
  ];
  for (const [name, loose, strict] of same) {
    const answer = await desk.tool(name, loose);
    expect([name, answer.isError]).toEqual([name, false]);
    expect(answer).toEqual(await desk.tool(name, strict));
  }
  const started = await desk.tool('validate_emails', { emails: 'one@unanswered.org' });
  const { job_id } = started.data;
  const status = { job_id, limit: '5', offset: '0' };
  expect((await desk.tool('check_email_validation_status', status)).isError).toBe(false);
  expect(await desk.readWallet()).toBe('99999.9000 0.0000');
});

test('ambiguous arguments are refused: several values in a string, numbers in other notations', async () => {
  const desk = await openDesk();
  const refusals: [string, Json, RegExp][] = [
    ['validate_emails', { emails: 'a@b.example, c@d.example' }, /emails: .*array/],
    ['validate_emails', { emails: 'a@b.example;c@d.example' }, /emails: .*array/],
    ['validate_emails', { emails: '["a@b.example"' }, /emails: .*array/],
    ['validate_emails', { emails: 'a@b.example\nc@d.example' }, /emails: .*array/],
    ['validate_emails', { emails: '' }, /emails: .*array/],
    ['validate_emails', { emails: { 0: 'a@b.example' } }, /emails: .*array/],
    ['enrich_list', { rows, selected_layers: 'L1,L2' }, /selected_layers: .*array/],
    ['enrich_list', { rows, selected_layers: 'L9' }, /selected_layers\[0\]: .*"L1"/],
    ['enrich_list', { rows: 'ada@engines.example', selected_layers: ['L1'] }, /rows: .*array/],
    ['unlock_contacts', { uuids: 5, unlock_type: 'email' }, /uuids: .*array/],
    ...['1e2', '0x10', ' 5', '5 ', '5.0', '-5', '+5', '05', '', '5,000', '9'.repeat(20)].map(
      (limit): [string, Json, RegExp] => ['search_contacts', { limit }, /limit: .*number/],
    ),
    ['search_contacts', { limit: '101' }, /limit: .*100/],
    ['search_contacts', { limit: true }, /limit: .*number/],
  ];
  for (const [name, args, words] of refusals) {
    const { isError, said } = await desk.tool(name, args);
    expect([JSON.stringify(args), isError]).toEqual([JSON.stringify(args), true]);
    expect(said).toMatch(words);
    expect(said).toMatch(/\. \(validation_error\)$/);
  }
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('an unknown argument is refused with the allowed ones, the most similar first', async () => {
  const desk = await openDesk();
  const ask = async (name: string, args: Json) => (await desk.tool(name, args)).said;
  expect(await ask('search_contacts', { job_titel: 'CEO' })).toBe(
    'Unrecognized key: "job_titel". Did you mean "job_title"? Allowed: ' +
      `${Object.keys(tools.search_contacts.input.shape).join(', ')}. (validation_error)`,
  );
  expect(await ask('search_contacts', { jobTitel: 'CEO' })).toMatch(/Did you mean "job_title"\?/);
  const twice = { jobTitle: 'CEO', 'job-title': 'CFO' };
  expect(await ask('search_contacts', twice)).toMatch(/Did you mean "job_title"\?/);
  const nested = await ask('enrich_list', {
    rows: [{ emial: 'a@b.example' }],
    selected_layers: ['L1'],
  });
  expect(nested).toMatch(/^rows\[0\]: .*"emial"\. Did you mean "email"\? Allowed: first_name, /);
  const meant = { rows: [{ linkedin: 'x', organisation: 'y' }], selected_layers: ['L1'] };
  expect(await ask('search_contacts', { title: 'CEO' })).toMatch(/Did you mean "job_title"\?/);
  expect(await ask('enrich_list', meant)).toMatch(/Did you mean "profile_url", "company_name"\?/);
  expect(await ask('enrich_email', { email: 'a@b.example' })).toMatch(/Allowed: profile_url, /);
  expect(await ask('enrich_email', { quite_another: 1 })).not.toMatch(/Did you mean/);
  expect(await ask('check_wallet', { account: 1 })).toBe(
    'Unrecognized key: "account". No keys are allowed. (validation_error)',
  );
  const long = await ask('check_wallet', { ['x'.repeat(100_000)]: 1 });
  expect(long.length).toBeLessThan(300);
});

test('a missing argument is named', async () => {
  const desk = await openDesk();
  const { said } = await desk.tool('unlock_contacts', {});
  expect(said).toMatch(/^uuids: Missing; expected array\./);
});

test('several errors are reported at once, up to a limit', async () => {
  const desk = await openDesk();
  const two = await desk.tool('unlock_contacts', { uuids: ['x'], unlock_type: 'fax' });
  expect(two.said).toMatch(/uuids\[0\]: .* unlock_type: .*"phone".*\(validation_error\)$/);
  const emails = Array.from({ length: 9 }, () => '');
  const { said } = await desk.tool('validate_emails', { emails });
  expect(said.match(/emails\[\d\]: it is empty\./g)).toHaveLength(toolIssuesMax);
  expect(said).toMatch(/ And 6 more\. \(validation_error\)$/);
});

test('a call with invalid arguments is in the activity, and costs nothing', async () => {
  const desk = await openDesk();
  await desk.tool('search_contacts', { job_titel: 'CEO' });
  await expect
    .poll(async () => (await desk.app('GET', 'assistants/calls')).data)
    .toMatchObject([
      {
        tool: 'search_contacts',
        arguments: '{"job_titel":"CEO"}',
        outcome: 'refused',
        detail: expect.stringMatching(/Did you mean/),
        credits_charged: '0.0000',
      },
    ]);
});

test('an unknown tool is an error of the protocol, not of a tool', async () => {
  const desk = await openDesk();
  const params = { name: 'search_people', arguments: {} };
  const { body } = await desk.rpc({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  expect(body).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: expect.stringMatching(/search_people/) },
  });
});

test('a bug is answered with its id and a code, without its cause', async () => {
  const desk = await openToolDesk();
  changeDirectory(desk, 'ALTER TABLE person RENAME TO inner_words');
  const errors: unknown[][] = [];
  const { error } = console;
  console.error = (...words: unknown[]) => errors.push(words);
  const answer = await desk.tool('search_contacts').finally(() => {
    console.error = error;
  });
  expect(answer.isError).toBe(true);
  const [, id] = /\(([0-9a-f-]{36})\).* \(internal_error\)$/.exec(answer.said) ?? [];
  expect(String(errors[0]?.[0])).toContain(id);
  expect(answer.said).not.toMatch(/person|table/);
});
