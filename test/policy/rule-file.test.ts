// A file of rules of an organisation: where it is, what it may say, and what is refused.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  ['{"caps": {"keys": {"per_day": "5"}},\n"caps": {}}', /it has "caps" twice, again in line 2\./],
  ['{"caps": {"keys": {"per_day": "5", "per_d\\u0061y": "900"}}}', /"per_day" twice/],
  ['{"__proto__": {"caps": {}}}', /"__proto__"/],
  ['{"constructor": {}}', /"constructor"/],
  ['{"settings": {"match_threshold": {"binding": "fixed", "value": 1e400}}}', /match_threshold/],
  ['{"settings": {"match_threshold": {"binding": "fixed", "value": NaN}}}', /it is not JSON/],
  ['{"settings": {"free_repeat_days": {"binding": "fixed", "value": 9e15}}}', /free_repeat_days/],
  [`{"organisation": "${'x'.repeat(2 ** 20)}"}`, /it has more than \d+ bytes/],
  [`${'['.repeat(200_000)}`, /it (is not JSON|has more than)/],
] as const)('%s is refused with the place of the fault', (text, fault) => {
  const path = write(text);
  const read = () => readRuleFile(path);
  expect(read).toThrow(expect.objectContaining({ code: 'policy_invalid' }));
  expect(read).toThrow(fault);
  expect(read).toThrow(path);
  expect(read).toThrow('Ask an administrator');
});

/** What a file is that another user can change, or that is none. Windows has no such modes. */
const otherFiles: Readonly<Record<string, readonly [make: () => string, fault: string]>> = {
  'that other users can write to': [() => write('{}', 0o666), 'other users can write to it'],
  'that the group can write to': [() => write('{}', 0o664), 'other users can write to it'],
  'behind a link that other users can write to': [
    () => linkTo(write('{}', 0o646)),
    'other users can write to it',
  ],
  'that is a folder': [() => withinFolder((path) => mkdirSync(path)), 'it is not a plain file'],
  'that is a named pipe': [
    () => withinFolder((path) => execFileSync('mkfifo', [path])),
    'it is not a plain file',
  ],
  'that is a device': [() => linkTo('/dev/zero'), 'it is not a plain file'],
};

function withinFolder(make: (path: string) => void): string {
  const path = write('{}');
  rmSync(path);
  make(path);
  return path;
}
const linkTo = (target: string) => withinFolder((path) => symlinkSync(target, path));

test.skipIf(process.platform === 'win32').each(Object.entries(otherFiles))(
  'a file %s is refused',
  (_what, [make, fault]) => {
    expect(() => readRuleFile(make())).toThrow(fault);
  },
);

// Only an administrator can give a file to another user.
test('a file that belongs to another user is refused', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'Only root may give a file to another user.');
  const path = write('{}');
  chownSync(path, 12_345, 12_345);
  expect(() => readRuleFile(path)).toThrow('it belongs to another user');
});
