/**
 * Entry files of the engine's worker threads and processes, relative to the project. The build
 * makes one bundle of each, named by its key.
 */
export const workerEntries = {
  'writer-thread': 'engine/app/workers/writer.worker.ts',
  'reader-thread': 'engine/app/workers/reader.worker.ts',
  'file-thread': 'engine/app/workers/file.worker.ts',
  'directory-thread': 'engine/app/workers/directory.worker.ts',
  'match-thread': 'engine/jobs/matching/match.worker.ts',
  'delivery-thread': 'engine/webhooks/delivery.worker.ts',
  'body-thread': 'engine/http/bodies/body.worker.ts',
  'read-list-thread': 'engine/directory/import/decode/read-list.worker.ts',
  'answer-thread': 'engine/providers/definitions/read-answer.worker.ts',
  'keychain-call': 'engine/secrets/keychain.worker.ts',
  'team-worker': 'engine/shared/workers/team-worker.worker.ts',
} as const;

/** The name of a worker: of its thread in the operating system, and of its bundle. */
export type WorkerName = keyof typeof workerEntries;
