// Entry of a directory thread: serves a directory worker for one piece of work, then ends.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../platform/lower-priority.ts';
import { createEventSender, serveCalls } from '../../platform/workers/worker-rpc.ts';
import { createDirectoryWorker, type DirectoryWorkerCalls } from './create-directory-worker.ts';

lowerThreadPriority();
const { folder } = workerData as { folder: string };
if (parentPort)
  serveCalls<DirectoryWorkerCalls>(
    parentPort,
    createDirectoryWorker({ folder, onProgress: createEventSender(parentPort) }),
  );
