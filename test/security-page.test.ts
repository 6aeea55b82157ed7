/** docs/security.md names existing tests, and the remaining risk of every threat. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const rows = page
  .slice(page.indexOf('## Threats and defences'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

test.each(rows.map(([, threat = '', ...cells]) => [threat, cells] as const))(
  'its defence, tests and remaining risk are named: %s',
  (_threat, [defence = '', tests = '', remains = '']) => {
    expect(defence).not.toBe('');
    expect(remains).not.toBe('');
    const files = tests.match(/test\/[\w./-]+\.ts/g) ?? [];
    expect(files).not.toHaveLength(0);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
