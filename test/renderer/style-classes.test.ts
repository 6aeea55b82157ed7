// Every class that a component takes from a style file is in that file.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../renderer');

test('every class of a component is in its style file', () => {
  const files = globSync('**/*.tsx', { cwd: root });
  const missing = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const imports = source.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm);
    return [...imports].flatMap(([, name = '', path = '']) => {
      const styles = readFileSync(join(root, dirname(file), path), 'utf8');
      const used = source.matchAll(new RegExp(`(?<![\\w./'])${name}\\.(\\w+)(?![\\w./])`, 'g'));
      const absent = [...used].filter(([, one]) => !new RegExp(`\\.${one}\\b`).test(styles));
      return absent.map(([, one]) => `${file}: .${one} is not in ${path}`);
    });
  });
  expect(files.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
