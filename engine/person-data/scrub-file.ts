// Removes deleted values from the bytes of a database file.
import Database from 'better-sqlite3';
import { EngineError } from '../contract/errors.ts';
import { explainFullFolder } from '../platform/sqlite/system-refusal.ts';

const checkpointAttemptsMax = 20;

/**
 * Writes a database again without free space, and empties its log. Blocks the thread; other
 * connections may read. Throws `unavailable` if a reader keeps the log from being emptied, or
 * the folder of temporary files is full.
 * @param path an existing file; no transaction may be open on this thread
 */
export function scrubFile(path: string): void {
  // A connection of its own: VACUUM needs a file for its copy, and the connections of the engine
  // keep temporary data in memory.
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma('busy_timeout = 10000');
    database.pragma('secure_delete = ON');
    database.pragma('temp_store = FILE');
    database.exec('VACUUM');
    for (let attempt = 1; attempt <= checkpointAttemptsMax; attempt += 1) {
      const [state] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (state?.busy === 0) return;
    }
    throw new EngineError(
      'unavailable',
      'The deletion waits until nothing reads the database, then continues automatically.',
    );
  } catch (error) {
    throw explainFullFolder(error, path);
  } finally {
    database.close();
  }
}
