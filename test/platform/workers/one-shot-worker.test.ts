// A thread for one piece of work: an engine that closes waits for it, also while it ends.
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FileWorkerCalls } from '../../../engine/app/workers/create-file-worker.ts';
import { findEngineError } from '../../../engine/contract/errors.ts';
import { openStore } from '../../../engine/platform/sqlite/open-store.ts';
import { createPassingWork } from '../../../engine/platform/workers/one-shot-task.ts';
import {
  startOneShotWorker,
  type WorkerHost,
} from '../../../engine/platform/workers/one-shot-worker.ts';
import { watchThreads } from '../../engine/watch-threads.ts';

/** A folder with an open writer, and a thread that reads it. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'desk-thread-'));
  const database = openStore(folder);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const host: WorkerHost = {
    folder,
    onProgress: () => undefined,
    isClosing: false,
    startPassing: startOneShotWorker,
    working: new Set(),
  };
  const threads = watchThreads();
  const worker = startOneShotWorker<FileWorkerCalls>(host, 'file-thread');
  // It has opened its files when it answers.
  await worker.calls.cancel(null);
  const [thread] = threads.list('file-thread');
  if (!thread) throw new Error('no file thread was started');
  return { folder, database, host, worker, exit: once(thread, 'exit') };
}

test('a thread is known until it has ended, and leaves nothing behind', async () => {
  const { host, worker, exit } = await open();
  const ended = worker.end();
  expect(host.working.size).toBe(1);
  await Promise.all([ended, exit]);
  expect(host.working.size).toBe(0);
});

test('a close during the end of a thread waits for it, so the writer closes its files last', async () => {
  const { folder, database, host, worker } = await open();
  const ended = worker.end();
  await Promise.all([...host.working].map((thread) => thread.abandon()));
  database.close();
  expect(existsSync(join(folder, 'engine.db-wal'))).toBe(false);
  await ended;
});

test('work that an end stops is refused to its caller, and is no bug', async () => {
  const work = createPassingWork();
  const waiting = work.run(once(new EventEmitter(), 'answer', { signal: work.signal }));
  const thrown = waiting.catch(findEngineError);
  await work.end();
  expect(await thrown).toMatchObject({ code: 'unavailable' });
});

test('no thread is started while the engine closes', async () => {
  const { host, worker } = await open();
  host.isClosing = true;
  expect(() => startOneShotWorker(host, 'file-thread')).toThrow('The engine is stopping.');
  await worker.end();
});
