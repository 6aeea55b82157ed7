/** A directory of an older version is brought up to date where it stands. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';

test('companies known under a key of the first version are found under that of this one', () => {
  const dir = mkdtempSync(join(tmpdir(), 'old-directory-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const old = new Database(join(dir, 'directory.db'));
  old.exec(readFileSync(join(migrationsDir('directory'), '001-directory.sql'), 'utf8'));
  old.exec(`
    INSERT INTO source_import (source, trust, observed_on, status, started_at)
      VALUES ('a list', 1, '2026-01-01', 'completed', '2026-01-01');
    INSERT INTO company (uuid, name, name_key, import_id, observed_on)
      VALUES ('one', 'AT&T', 't', 1, '2026-01-01'), ('two', 'Acme', 'acme', 1, '2026-01-01');
    PRAGMA user_version = 1`);
  old.close();
  const directory = openDirectory(dir);
  onTestFinished(() => void directory.close());
  const keys = directory.prepare('SELECT name_key FROM company ORDER BY id').pluck().all();
  expect(keys).toEqual(['att', 'acme']);
});
