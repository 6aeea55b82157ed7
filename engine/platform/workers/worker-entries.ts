/**
 * The entry files of the worker threads and processes of the engine, relative to engine/. The build
 * makes one bundle of each, named by its key.
 */
export const workerEntries = {
  'writer-thread': 'app/writer.worker.ts',
  'reader-thread': 'app/reader.worker.ts',
  'file-thread': 'app/file.worker.ts',
  'directory-thread': 'app/directory.worker.ts',
  'match-thread': 'jobs/matching/match.worker.ts',
  'delivery-thread': 'webhooks/delivery.worker.ts',
  'body-thread': 'http/bodies/body.worker.ts',
  'read-list-thread': 'directory/import/decode/read-list.worker.ts',
  'keychain-call': 'secrets/keychain.worker.ts',
} as const;

/** The name of a worker: of its thread in the system, and of its bundle. */
export type WorkerName = keyof typeof workerEntries;
