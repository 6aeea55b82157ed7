// Entry of a file thread: serves a file worker (create-file-worker.ts) for one upload or export.
// The thread ends with it, so that its memory is freed at once.
import { parentPort, workerData } from 'node:worker_threads';
import { createEventSender, serveCalls } from '../../platform/workers/worker-rpc.ts';
import { createFileWorker, type FileWorkerCalls } from './create-file-worker.ts';

const { folder } = workerData as { folder: string };
if (parentPort)
  serveCalls<FileWorkerCalls>(
    parentPort,
    createFileWorker({ folder, onProgress: createEventSender(parentPort) }),
  );
