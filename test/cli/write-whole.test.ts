// A file of the command line is written whole, or not at all.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeWhole } from '../../engine/cli/kit/write-whole.ts';

function makePath(): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'desk-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, path: join(folder, 'out.csv') };
}

test('replaces an existing file only when the new one is complete', async () => {
  const { folder, path } = makePath();
  writeFileSync(path, 'before');
  await writeWhole(path, async (write) => {
    write('a');
    expect(readFileSync(path, 'utf8')).toBe('before');
    write('b');
  });
  expect(readFileSync(path, 'utf8')).toBe('ab');
  expect(readdirSync(folder)).toEqual(['out.csv']);
});

test('keeps an existing file, and leaves nothing else, if writing fails', async () => {
  const { folder, path } = makePath();
  writeFileSync(path, 'before');
  const failing = writeWhole(path, async (write) => {
    write('half');
    throw new Error('the engine has gone');
  });
  await expect(failing).rejects.toThrow('the engine has gone');
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['out.csv']);
});
