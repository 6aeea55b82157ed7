/**
 * @module-tag full
 *
 * A newer version of the program on an older data folder, and the older version afterwards.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { automaticBackupsFolder } from '../../engine/platform/data-files.ts';

const root = resolve(import.meta.dirname, '../..');

/** Runs a version of `desk` from its sources; returns its result, also that of a refusal. */
async function runDesk(source: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const program = join(source, 'engine/cli/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    ...args,
    '--json',
  ]).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

test('the newer version keeps a backup, and the older one restores it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'desk-versions-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const newer = join(dir, 'newer');
  cpSync(join(root, 'engine'), join(newer, 'engine'), { recursive: true });
  for (const name of ['node_modules', 'resources', 'package.json'])
    symlinkSync(join(root, name), join(newer, name));
  writeFileSync(join(newer, 'engine/migrations/002-more.sql'), 'CREATE TABLE more (x) ;');
  const dataDir = join(dir, 'data');
  const at = ['--data-dir', dataDir];
  await runDesk(root, ['wallet', 'grant', '7', ...at]);

  expect(await runDesk(newer, ['wallet', 'balance', ...at])).toMatchObject({
    available: '100007.0000',
  });
  const [name = '', ...others] = readdirSync(join(dataDir, automaticBackupsFolder));
  expect([name, others]).toEqual([
    expect.stringMatching(/^[\dTZ-]+-before-migration\.tar\.gz$/),
    [],
  ]);
  expect(await runDesk(newer, ['audit', 'list', ...at])).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({
        action: 'backup_made',
        actor_kind: 'engine',
        details: expect.objectContaining({ before: 'migration' }),
      }),
    ]),
  });

  const read = () => ['engine.db', 'directory.db'].map((file) => readFileSync(join(dataDir, file)));
  const migrated = read();
  expect(await runDesk(root, ['wallet', 'balance', ...at])).toMatchObject({
    error: 'database_too_new',
  });
  expect(read()).toEqual(migrated);

  const archive = join(dataDir, automaticBackupsFolder, name);
  await runDesk(root, ['restore', archive, '--yes', ...at]);
  expect(await runDesk(root, ['wallet', 'balance', ...at])).toMatchObject({
    available: '100007.0000',
  });
  expect(readdirSync(join(dataDir, automaticBackupsFolder))).toEqual([name]);
});
