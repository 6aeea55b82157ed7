/**
 * The import compared with its baseline: the same row writer with every index maintained from the
 * start.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findUnread, stageList } from '../../engine/directory/import/decode/decode-list.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { writeLists } from '../../engine/directory/import/write-lists.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { Generated } from './generate.ts';

type Import = (db: WritableDatabase, files: Generated, folder: string) => Promise<unknown>;

const importInBulk: Import = (db, { people, companies }) =>
  importDirectory(db, { peoplePath: people, companiesPath: companies });

/** The steps of importDirectory in an empty directory, with the plan of a small import. */
const importUnderIndices: Import = async (db, files, folder) => {
  const open = async (kind: 'people' | 'companies') => {
    const path = files[kind];
    return (await findUnread(path)) ?? stageList({ path, targetDir: join(folder, kind) });
  };
  const lists = { companies: await open('companies'), people: await open('people') };
  const head = { source: 'people.csv', trust: 0.8, observedOn: '2026-01-01' };
  db.exec('BEGIN IMMEDIATE');
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO source_import (source, trust, observed_on, status, started_at)
       VALUES (@source, @trust, @observedOn, 'completed', @observedOn)`,
    )
    .run(head);
  await writeLists(db, lists, {
    head: { ...head, importId: Number(lastInsertRowid) },
    mapping: undefined,
    plan: { isFresh: true, isBulk: false },
    signal: undefined,
    onProgress: undefined,
  });
  db.exec('COMMIT');
};

/** Imports both files into an empty directory; returns milliseconds. */
async function timeImport(run: Import, files: Generated, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const database = openDirectory(folder);
  const startedAt = performance.now();
  await run(database, files, folder);
  const tookMs = performance.now() - startedAt;
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return tookMs;
}

/** The speed of the import relative to the same with its indices first. */
export async function measureImport(
  files: Generated,
  folder: string,
  say: (text: string) => void,
): Promise<number> {
  const oursMs = await timeImport(importInBulk, files, folder);
  const baselineMs = await timeImport(importUnderIndices, files, folder);
  say(`import ${Math.round(oursMs)} ms, with indices first ${Math.round(baselineMs)} ms`);
  return baselineMs / oursMs;
}
