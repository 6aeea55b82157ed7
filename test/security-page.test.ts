// docs/security.md names existing tests, and the remaining risk of every threat.
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

/** The rows of the table of attackers, with the cell of their tests. */
const attackers = page
  .slice(page.indexOf('## Attackers'), page.indexOf('## Threats and defences'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attacker|---)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, attacker = '', defence = '', tests = '', remains = '']) => {
    return [attacker, { defence, tests, remains }] as const;
  });

test('every kind of attacker has a row', () => {
  const names = attackers.map(([attacker]) => attacker).join('\n');
  for (const kind of ['user of the machine', 'web page', 'workbook', 'definition', 'webhook'])
    expect(names).toContain(kind);
  for (const kind of ['assistant', 'laptop', 'key', 'dependency', 'team.json', 'update feed'])
    expect(names).toContain(kind);
});

test.each(attackers)('its tests have the named titles: %s', (_attacker, row) => {
  expect([row.defence, row.remains]).not.toContain('');
  const named = row.tests.split(/; (?=`test)/).map((one) => /^`(test\/[^`]+)` "(.+)"$/.exec(one));
  expect(named).not.toContain(null);
  for (const [, file = '', title = ''] of named as RegExpExecArray[])
    expect(readFileSync(join(root, file), 'utf8')).toContain(title.replaceAll('\\"', '"'));
});
