// A database for work that does not fit in memory: in a file of the system without a name.
import Database from 'better-sqlite3';
import type { WritableDatabase } from './open-database.ts';

/**
 * Opens an empty database that is removed when it is closed, or when the process ends. SQLite
 * writes it to the system's folder for temporary files once it has more than 16 MB.
 */
export function openScratch(): WritableDatabase {
  const database = new Database('') as unknown as WritableDatabase;
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -16000');
  database.pragma('temp_store = FILE');
  return database;
}
