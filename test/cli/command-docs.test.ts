/** The table of docs/command-line.md has a row for every command, and none for another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../engine/cli/commands.ts';

test('docs/command-line.md lists every command, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
  const section = text.split('## All commands')[1]?.split('\n## ')[0] ?? '';
  const documented = [...section.matchAll(/^\| (`.*?`(?:, `.*?`)*) \|/gm)].flatMap(
    ([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) =>
        line
          .split(' ')
          .filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'))
          .join(' '),
      ),
  );
  expect(documented.sort()).toEqual(commands.map(({ name }) => name).sort());
});
