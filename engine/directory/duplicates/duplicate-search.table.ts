// The table `duplicate_search`: the last search for duplicates and how far it is.
import type { DuplicateSearch } from '../../contract/duplicates/duplicates.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface SearchRow {
  readonly number: number;
  readonly status: 'running' | 'stopped' | 'completed';
  readonly generation: number;
  readonly phase: number;
  readonly position: string;
  readonly compared: number;
  readonly blocksSkipped: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export const getSearch = (db: ReadableDatabase): SearchRow | null =>
  statement<SearchRow>(
    db,
    `SELECT number, status, generation, phase, position, compared,
       blocks_skipped AS blocksSkipped, started_at AS startedAt, ended_at AS endedAt
     FROM duplicate_search`,
  ).get() ?? null;

export const putSearch = (db: WritableDatabase, search: SearchRow): void =>
  void statement(
    db,
    `INSERT INTO duplicate_search (only, number, status, generation, phase, position, compared,
       blocks_skipped, started_at, ended_at)
     VALUES (1, @number, @status, @generation, @phase, @position, @compared, @blocksSkipped,
       @startedAt, @endedAt)
     ON CONFLICT (only) DO UPDATE SET number = excluded.number, status = excluded.status,
       generation = excluded.generation, phase = excluded.phase, position = excluded.position,
       compared = excluded.compared, blocks_skipped = excluded.blocks_skipped,
       started_at = excluded.started_at, ended_at = excluded.ended_at`,
  ).run(search);

/** The last search for the user. @param isRunning whether its thread runs now */
export function presentSearch(
  search: SearchRow | null,
  generation: number,
  isRunning: boolean,
): DuplicateSearch {
  if (!search)
    return {
      status: 'never',
      compared: 0,
      blocks_skipped: 0,
      is_outdated: false,
      ended_at: null,
    };
  // After a kill the row still says that it runs.
  const stopped = search.status === 'running' && !isRunning;
  return {
    status: stopped ? 'stopped' : search.status,
    compared: search.compared,
    blocks_skipped: search.blocksSkipped,
    is_outdated: search.generation !== generation,
    ended_at: search.endedAt,
  };
}
