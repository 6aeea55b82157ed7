// The databases of an engine that has stopped, without their write-ahead logs.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Writes the logs into the databases. On a busy machine a thread may end after the writer and leave
 * a log: its pages hide the damage of a database.
 */
export function mergeLogs(dataDir: string): void {
  for (const name of globSync('**/*.db', { cwd: dataDir })) {
    const database = new Database(join(dataDir, name));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  }
}
