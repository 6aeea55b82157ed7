// Invalid usage is refused with exit code 2 and a remedy, and changes nothing.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deskCommand } from '../desk-program.ts';
import { contacts } from './lists.ts';
import { makePlace } from './run-desk.ts';

const place = makePlace();

const list = place.write('list.csv', contacts);
place.write('map.json', '{"emial": "Work Email"}');
place.write('broken.json', '{');
afterAll(() => place.remove());

const enrich = (...args: string[]) => ['enrich', ...args];
const pipeline = (...args: string[]) => ['pipeline', 'start', ...args];
const shared = (name: string, secret: string) => [
  'shared',
  name,
  '--url',
  'postgres://ann@127.0.0.1:1/team',
  '--secret-file',
  secret,
];
const out = ['--out', 'out.csv'];

test.each<[string[], string]>([
  [['bogus'], 'There is no command "bogus"'],
  [['enrih'], 'Did you mean "desk enrich"?'],
  [['directory', 'imprt'], 'Did you mean "desk directory import"?'],
  [['walet', 'balance'], 'There is no command "walet". Did you mean "desk wallet"?'],
  [['login', 'provider', 'st'], 'Did you mean "desk login provider set"?'],
  [['wallet'], '"desk wallet" needs one more word'],
  [['keys', 'create'], '--label is missing'],
  [['keys', 'create', '--lable', 'x'], 'Did you mean "--label"?'],
  [['keys', 'create', '--label'], '--label needs a value'],
  [['keys', 'create', '--label', 'x', '--rate', '0'], 'Give 1 to 6000'],
  [['keys', 'create', '--label', '--rate', '5'], '--label needs a value'],
  [['keys', 'create', '--label', 'x', '-x'], 'There is no option "-x" here'],
  [['keys', 'create', '--label', 'x', '--cap-day', '-1'], '--cap-day -1 is not a cap'],
  [['keys', 'create', '--label', 'x', '--cap-day=-1'], '--cap-day -1 is not a cap'],
  [['keys', 'set', 'x'], 'Say what to change'],
  [['keys', 'set', 'x', '--cap-month', 'all'], 'or "none"'],
  [['keys', 'set', 'x', '--cap-call', 'all'], '--cap-call all is not a cap'],
  [['keys', 'set', 'x', '--ask-above', 'much'], '--ask-above much is not a cap'],
  [['keys', 'set', 'x', '--self-approval', 'yes'], 'neither on nor off'],
  [['accounts', 'rename', 'x'], 'Usage: desk accounts rename ID NAME'],
  [['keys', 'revoke'], 'Usage: desk keys revoke ID'],
  [['accounts', 'list', 'all'], '"all" is one argument too many'],
  [['wallet', 'grant', 'many'], '"many" is not an amount'],
  [['wallet', 'grant', '0'], 'one above 0'],
  [['wallet', 'grant', '-5'], '"-5" is not an amount'],
  [['--staging', 'wallet', 'grant', 'many'], '"many" is not an amount'],
  [['wallet', 'history', '--limit', '1001'], 'Give 1 to 1000'],
  [['jobs', 'list', '--status', ''], '--status is empty. Give it a value'],
  [['jobs', 'rename', '', 'x'], 'An argument is empty. Usage: desk jobs rename JOB_ID NAME'],
  [['rates', 'set', 'L9', '1'], 'There is no rate "L9"'],
  [['rates', 'set', 'L1', '1.00001'], 'is not a price'],
  [['serve', '--port', '65536'], '--port 65536 is not a port'],
  [['serve', '--ui', 'nowhere'], 'no built interface'],
  [['directory', 'import'], 'Name a file'],
  [['directory', 'import', 'gone.csv'], 'There is no file'],
  [['directory', 'import', '.'], 'is a folder. Name a file in it'],
  [['directory', 'import', 'list.csv', '--trust', '2'], 'a number from 0 to 1'],
  [['directory', 'import', 'list.csv', '--observed', '2026-13-01'], 'YYYY-MM-DD'],
  [['directory', 'import', 'list.csv', '--mapping', 'broken.json'], 'broken.json is not JSON'],
  [['directory', 'import', 'list.csv', '--mapping', 'gone.json'], 'There is no file'],
  [['directory', 'undo', 'first'], 'not the id of an import'],
  [['directory', 'match-companies', 'list.csv'], '--out is missing'],
  [enrich('--layers', 'L1', ...out), 'Name the list to enrich'],
  [enrich('list.csv', ...out), '--layers is missing'],
  [enrich('list.csv', '--layers', 'L1'), '--out is missing'],
  [enrich('list.csv', '--layers', 'L7', ...out), 'Unknown layer "L7"'],
  [enrich('list.csv', '--layers', 'L2', ...out), 'L2 needs L1 as well'],
  [enrich('list.csv', '--layers', 'full,L1', ...out), 'must be the only code'],
  [enrich('list.csv', '--layers', ' , ', ...out), '--layers is empty'],
  [enrich('gone.csv', '--layers', 'L1', ...out), 'There is no file'],
  [enrich('list.csv', '--layers', 'L1', '--out', 'gone/out.csv'), 'there is no folder'],
  [enrich('list.csv', '--layers', 'L1', '--out', '.'), 'is a folder'],
  [enrich('list.csv', '--layers', 'L1', '--out', './lists/../list.csv'), 'is the input itself'],
  [enrich('list.csv', '--layers', 'L1', '--out', 'out.pdf'), 'ends in .csv or .xlsx or .jsonl'],
  [
    enrich('list.csv', '--layers', 'L1', ...out, '--preset', 'hubspot', '--new-people', 'out.csv'),
    'the same file. Name two',
  ],
  [['directory', 'match-companies', 'list.csv', '--out', 'out.xlsx'], 'ends in .csv'],
  [['validate-emails', 'list.csv', '--out', 'out.xlsx'], 'ends in .csv'],
  [['review', 'x', '--out', 'out.xlsx'], 'ends in .csv'],
  [enrich('list.csv', '--layers', 'L1', ...out, '--mapping', 'map.json'), 'no field "emial"'],
  [enrich('list.csv', '--layers', 'L1', ...out, '--title', 'x'.repeat(201)), 'longer than 200'],
  [enrich('list.csv', '--layers', 'L1', ...out, '--preset', 'sap'), 'salesforce-leads, hubspot'],
  [enrich('list.csv', '--layers', 'L1', ...out, '--record-id', 'Id'), 'give both'],
  [enrich('list.csv', '--resume', 'x', ...out), 'without IN'],
  [enrich('--resume', 'x', '--encoding', 'utf-8', ...out), 'without --encoding'],
  [enrich('--resume', 'x', ...out), '--resume x is not the id of a job. List the ids with "desk'],
  [enrich('list.csv', '--layers', 'L1', '--new-since', 'x', ...out), 'with "desk jobs list"'],
  [['suppress', 'remove', '--job', 'x'], '--job x is not the id of a job. List the ids with "desk'],
  [['monitors', 'create', '--job', 'x', '--title', 'T'], '--job x is not the id of a job. List'],
  [['suppress', 'remove', 'x'], 'not the id of an entry. List the ids with "desk suppress list"'],
  [['directory', 'undo', 'x'], 'not the id of an import. List the ids with "desk directory stats"'],
  [enrich('list.csv', '--layers', 'L1', '--when-offline', 'never', ...out), 'wait or leave-out'],
  [['monitors', 'create', '--title', 'T'], 'either a list or a finished job'],
  [['monitors', 'create', 'list.csv'], '--title is missing'],
  [['monitors', 'create', 'list.csv', '--title', 'T', '--at', '9'], '--at 9: give a time such as'],
  [
    ['monitors', 'run', 'x'],
    '"x" is not the id of a monitor. List the ids with "desk monitors list"',
  ],
  [['monitors', 'set', '1'], 'Say what to change'],
  [
    ['monitors', 'create', 'list.csv', '--title', 'T', '--every', 'hourly'],
    '--every hourly: give daily, weekly, monthly',
  ],
  [['monitors', 'findings', '1', '--status', 'gone'], 'or all'],
  [['pipeline'], '"desk pipeline" needs one more word'],
  [pipeline('--unlock', 'email'), 'either --filters JSON or --contacts'],
  [
    pipeline('--filters', '{}', '--contacts', 'list.csv', '--unlock', 'email'),
    'Choose the contacts',
  ],
  [pipeline('--contacts', 'list.csv'), '--unlock is missing'],
  [pipeline('--contacts', 'list.csv', '--unlock', 'fax'), 'email, phone, or both'],
  [pipeline('--contacts', 'gone.csv', '--unlock', 'email'), 'There is no file'],
  [pipeline('--contacts', 'list.csv', '--unlock', 'phone', '--verify'), 'add email to --unlock'],
  [pipeline('--filters', '{', '--unlock', 'email'), '--filters is not JSON'],
  [pipeline('--filters', '{"limit":0}', '--unlock', 'email'), '--filters: limit: '],
  [pipeline('--filters', '{"job_levl":"VP"}', '--unlock', 'email'), 'Did you mean "job_level"?'],
  [pipeline('--filters', '{}', '--unlock', 'email', '--mapping', 'broken.json'), 'is not JSON'],
  [['pipeline', 'show', 'x'], '"x" is not the id of a pipeline. List the ids with "desk'],
  [['pipeline', 'result', '00000000-0000-4000-8000-000000000000'], '--out is missing'],
  [['pipeline', 'list', '--limit', '0'], 'Give 1 to 1000'],
  [['backup', 'copy.zip'], 'Name a FILE that ends in .tar.gz'],
  [['restore', 'gone.tar.gz', '--yes'], 'There is no file'],
  [['restore', '.', '--yes'], 'is a folder. Name a file in it'],
  [['config', 'check', 'gone.json'], 'There is no file'],
  [['config', 'export', '.', '--to', 'reg'], 'is a folder'],
  [['providers', 'order', 'phone', 'No'], '"No" is not the name of a data service'],
  [['providers', 'forget', 'No'], '"No" is not the name of a data service'],
  [['providers', 'check', 'gone.json'], 'There is no file'],
  [['providers', 'check', '.'], 'is a folder'],
  [['person', 'export', 'ann@x.example'], '--out is missing'],
  [['person', 'export', 'ann@x.example', '--out', 'gone/ann.json'], 'there is no folder'],
  [['person', 'export', 'ann@x.example', '--out', 'ann.csv'], 'ends in .json'],
  [['person', 'receipts', '--out', '.'], 'is a folder'],
  [shared('undo', 'gone.secret'), 'There is no file'],
  [shared('worker', '.'), 'is a folder'],
  [shared('init', 'gone/new.secret'), 'there is no folder'],
])('desk %j is bad usage', async (args, sentence) => {
  const { code, stderr, stdout, json } = await place.here(...args, '--json');
  expect(stderr).toContain(sentence);
  expect(json).toMatchObject({ error: 'bad_usage' });
  expect(json.detail).toContain(sentence);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be written, even by root, is refused before anything is charged',
  async () => {
    const order = enrich('list.csv', '--layers', 'L1', '--yes', '--out', '/proc/self/out.csv');
    const { code, stderr } = await place.here(...order);
    expect([code, stderr]).toEqual([2, expect.stringContaining('you may not write to /proc')]);
  },
);

test('a refusal whose standard output is a file says that nothing was written to it', () => {
  const path = join(place.dir, 'secret.txt');
  const file = openSync(path, 'w');
  const args = [...deskCommand, 'keys', 'create', '--data-dir', place.dataDir];
  const { stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', file, 'pipe'] });
  closeSync(file);
  expect(String(stderr)).toContain('Nothing was written to the file of standard output.');
  expect(readFileSync(path, 'utf8')).toBe('');
});

test('no invalid command created a data folder or output, or changed the input', () => {
  expect(existsSync(place.dataDir)).toBe(false);
  expect(existsSync(join(place.dir, 'out.csv'))).toBe(false);
  expect(readFileSync(list, 'utf8')).toBe(contacts);
});

test.each([
  [[], 'desk COMMAND'],
  [['help'], 'match-companies'],
  [['--help'], 'Exit codes: 0 done'],
  [['directory', '--help'], 'directory undo'],
  [['enrich', '--help'], '--layers CODES'],
  [['help', 'enrich'], '\nA file for a CRM:\n  --preset CRM'],
  [['backup', '--help'], 'Usage: desk backup [FILE] [--list]'],
  [['suppress', 'remove', '--help'], 'desk suppress remove [ID...]'],
  [['--version'], '0.1.0'],
])('desk %j prints help on standard output', async (args, words) => {
  const { code, stdout, stderr } = await place.here(...args);
  expect(stdout).toContain(words);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('an option for the build is not in the help', async () => {
  const { stdout } = await place.here('serve', '--help');
  expect(stdout).not.toContain('--ui');
});

test('the program itself ends with the exit code and one line', async () => {
  const { code, stdout, json } = await place.run('enrih', '--json');
  expect(json).toMatchObject({ error: 'bad_usage' });
  expect(stdout).toBe(`${JSON.stringify(json)}\n`);
  expect(code).toBe(2);
});
