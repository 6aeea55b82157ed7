// Entry of the reader thread: serves a reader (create-reader.ts) to the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import { createReader, type ReaderWorkerCalls } from './create-reader.ts';

const { folder } = workerData as { folder: string };
if (parentPort) serveCalls<ReaderWorkerCalls>(parentPort, createReader({ folder }));
