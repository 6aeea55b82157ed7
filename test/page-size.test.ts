// The size of the built interface.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const pageDir = resolve(import.meta.dirname, '../out/renderer');
const startBytesMax = 150_000;

test('what the first screen waits for is at most 150 kB of compressed code', () => {
  const html = readFileSync(join(pageDir, 'index.html'), 'utf8');
  // The entry, and the files that it imports before it runs.
  const files = [...html.matchAll(/(?:src|href)="[./]*(assets\/[^"]+\.js)"/g)].map(
    ([, file]) => file!,
  );
  const sizes = files.map((file) => {
    const code = readFileSync(join(pageDir, file));
    return [file, gzipSync(code, { level: 9 }).length] as const;
  });
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(files.length).toBeGreaterThan(0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(startBytesMax);
});
