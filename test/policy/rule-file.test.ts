/** A file of rules of an organisation: where it is, what it may say, and what is refused. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRuleFile } from '../../engine/policy/rule-file.ts';
import { listTeamPlaces, policyPath } from '../../engine/policy/rule-places.ts';

/** Writes a file that only its owner can write to. */
function write(text: string, mode = 0o644): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'policy.json');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test.each([
  ['linux', '/etc/enrichment-desk/policy.json'],
  ['darwin', '/Library/Application Support/Enrichment Desk/policy.json'],
  ['win32', 'D:\\Data\\Enrichment Desk\\policy.json'],
] as const)('on %s it is %s', (platform, path) => {
  expect(policyPath(platform, 'D:\\Data')).toBe(path);
});

const asar = 'resources/app.asar/out/engine';
const mac = '/Applications/Enrichment Desk.app/Contents/Resources';
test.each([
  ['linux', `/opt/desk/${asar}`, undefined, ['/opt/desk/resources', '/opt/desk']],
  [
    'linux',
    `/tmp/.mount_x/${asar}`,
    '/home/ada/Desk.AppImage',
    ['/tmp/.mount_x/resources', '/home/ada'],
  ],
  ['darwin', `${mac}/app.asar/out/engine`, undefined, [mac, '/Applications']],
  ['linux', '/usr/lib/node_modules/desk/out/engine', undefined, ['/usr/lib/node_modules/desk']],
  ['linux', '/home/ada/desk/engine', undefined, ['/home/ada/desk']],
] as const)(
  'on %s the app in %s has team.json next to it',
  (platform, engineDir, appImage, folders) => {
    expect(listTeamPlaces(engineDir, { platform, engineDir, appImage })).toEqual(
      folders.map((folder) => `${folder}/team.json`),
    );
  },
);

test('without a file nothing is ruled', () => {
  expect(readRuleFile(join(tmpdir(), 'no-such-folder', 'policy.json'))).toBeNull();
});

test('the example of the documentation is obeyed', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');
  const [, example] = /```json\n([^`]*"binding"[^`]*)```/.exec(page) ?? [];
  expect(readRuleFile(write(`\uFEFF${example}`))).toEqual({
    retention: {
      jobs: { binding: 'at_most', days: 90 },
      tool_activity: { binding: 'fixed', days: 30 },
    },
  });
});

test.each([
  ['', /it is not JSON/],
  ['{"retention": {"jobs": 90}}', /retention\.jobs: /],
  ['{"retention": {"jobs": {"binding": "at_most", "days": 0}}}', /retention\.jobs/],
  [
    '{"retention": {"job": {"binding": "fixed", "days": 9}}}',
    /retention: .*"job".* Did you mean "jobs"\? Allowed: jobs, pipelines,/,
  ],
  ['{"retentions": {}}', /"retentions"/],
  [
    '{"settings": {"match_threshold": {"binding": "fixed", "value": 2}}}',
    /match_threshold\.value: /,
  ],
  ['{"settings": {"match_threshold": 0.8}}', /settings\.match_threshold: /],
  ['{"rates": {"L1": {"binding": "fixed", "price": "1.23456"}}}', /rates\.L1\.price: send credits/],
  ['{"caps": {"providers": {"acme": {"week": 5}}}}', /caps\.providers\.acme: .*Allowed: job, day/],
  ['{"upstream": {"address": "http://desk.example"}}', /upstream\.address: send an address/],
  ['{"updates": {"feed": "ftp://x"}}', /updates\.feed: /],
  ['[]', /expected object/i],
] as const)('%s is refused with the place of the fault', (text, fault) => {
  const path = write(text);
  const read = () => readRuleFile(path);
  expect(read).toThrow(expect.objectContaining({ code: 'policy_invalid' }));
  expect(read).toThrow(fault);
  expect(read).toThrow(path);
  expect(read).toThrow('Ask an administrator');
});

test.skipIf(process.platform === 'win32')(
  'a file that other users can write to is refused: Windows has no such mode',
  () => {
    expect(() => readRuleFile(write('{}', 0o666))).toThrow('other users can write to it');
  },
);
