// Searches and merges in a directory of lists.
import type { DuplicateKind } from '../../../engine/contract/duplicates/duplicates.ts';
import { listPairs } from '../../../engine/directory/duplicates/duplicate.table.ts';
import { readDuplicate } from '../../../engine/directory/duplicates/duplicates.routes.ts';
import { mergeRecords } from '../../../engine/directory/duplicates/merge-records.ts';
import { searchDuplicates } from '../../../engine/directory/duplicates/search-duplicates.ts';
import { undoMerge } from '../../../engine/directory/duplicates/undo-merge.ts';
import { buildIndex } from '../../../engine/directory/index/index-build.ts';
import type { WritableDatabase } from '../../../engine/platform/sqlite/open-database.ts';

const at = '2026-11-23T08:00:00.000Z';
const author = 'Local workspace';

/** Searches from the beginning. */
export const search = (db: WritableDatabase, signal = new AbortController().signal) =>
  searchDuplicates(db, buildIndex(db), {
    restart: false,
    signal,
    now: () => new Date(at),
    onProgress: () => undefined,
    write: async (work) => work(),
  });

export function listNames(db: WritableDatabase, kind: DuplicateKind = 'person'): string[][] {
  const pairs = listPairs(db, { kind, status: 'open' }, { offset: 0, limit: 100 });
  return pairs.map(({ id }) =>
    readDuplicate(db, id, undefined)
      .records.map(({ name }) => name)
      .sort(),
  );
}

export const merge = (
  db: WritableDatabase,
  survivor: string,
  other: string,
  more: { choices?: Record<string, string>; kind?: DuplicateKind; acrossLegalForms?: boolean } = {},
) =>
  mergeRecords(db, {
    kind: 'person',
    choices: {},
    acrossLegalForms: false,
    survivor,
    other,
    at,
    author,
    ...more,
  });

export const undo = (db: WritableDatabase, mergeId: number) =>
  undoMerge(db, { mergeId, at, author });
