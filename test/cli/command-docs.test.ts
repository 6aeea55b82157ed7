// The table of commands, and the table of docs/command-line.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandModules, groupOf, loadCommands } from '../../engine/cli/commands.ts';
import { parseLine } from '../../engine/cli/parse-line.ts';

test('docs/command-line.md lists every command, and no other', async () => {
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
  expect(documented.sort()).toEqual((await loadCommands()).map(({ name }) => name).sort());
});

test.for(commandModules)(
  'every command of a module begins with its word: $word',
  async (module) => {
    for (const { name } of await module.load()) expect(name.split(' ')[0]).toBe(module.word);
  },
);

test('the help lists every command once, under the heading of its subject', async () => {
  const line = await parseLine(['--help']);
  const help = 'text' in line ? line.text : '';
  const sections = help.split(/\n(?=\S.*:\n)/).slice(2);
  const listed = sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const names = lines.flatMap((one) => /^ {2}(\S+(?: \S+)*)/.exec(one)?.[1] ?? []);
    return names.map((name) => [heading, name]);
  });
  const commands = await loadCommands();
  expect(listed).toEqual(commands.map((command) => [`${groupOf(command)}:`, command.name]));
  expect(sections.length).toBeLessThan(12);
});
