/** The policy file of an organisation: where it is, what it may say, and what is refused. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { policyPath, readPolicyFile } from '../../engine/policy/policy-file.ts';

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

test('without a file nothing is ruled', () => {
  expect(readPolicyFile(join(tmpdir(), 'no-such-folder', 'policy.json'))).toEqual({});
});

test('the example of the documentation is obeyed', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');
  const [, example] = /```json\n([^`]*"binding"[^`]*)```/.exec(page) ?? [];
  expect(readPolicyFile(write(`\uFEFF${example}`))).toEqual({
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
  ['[]', /expected object/i],
] as const)('%s is refused with the place of the fault', (text, fault) => {
  const path = write(text);
  const read = () => readPolicyFile(path);
  expect(read).toThrow(expect.objectContaining({ code: 'policy_invalid' }));
  expect(read).toThrow(fault);
  expect(read).toThrow(path);
  expect(read).toThrow('Ask an administrator');
});

test.skipIf(process.platform === 'win32')(
  'a file that other users can write to is refused: Windows has no such mode',
  () => {
    expect(() => readPolicyFile(write('{}', 0o666))).toThrow('other users can write to it');
  },
);
