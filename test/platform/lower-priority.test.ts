// Background threads run at lower CPU priority.
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const entry = new URL('../../engine/platform/lower-priority.ts', import.meta.url).href;
// Reports its priority before and after: the thread's own on Linux, otherwise the process's.
const code = `
  const { getPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  const before = getPriority();
  import('${entry}').then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    parentPort.postMessage([before, getPriority()]);
  });`;

test('lowering the priority affects only the calling thread', async () => {
  const own = getPriority();
  const worker = new Worker(code, { eval: true });
  const [[before, after]] = (await once(worker, 'message')) as [[number, number]];
  await worker.terminate();
  expect([before, after]).toEqual([own, process.platform === 'linux' ? own + 2 : own]);
  expect(getPriority()).toBe(own);
});
