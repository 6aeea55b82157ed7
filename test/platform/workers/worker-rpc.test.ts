// Calls between threads: every call settles, whatever happens to the thread or the message.
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkerClient } from '../../../engine/platform/workers/worker-rpc.ts';
import { threadMemory } from '../../../engine/platform/workers/worker-url.ts';
import { settleWithin } from '../../engine/hang-guard.ts';

interface Calls {
  echo(command: unknown): Promise<unknown>;
  wait(command: null): Promise<never>;
  crash(command: unknown): Promise<never>;
}

const root = join(import.meta.dirname, '../../..');
const errors = pathToFileURL(join(root, 'engine/contract/errors.ts')).href;
const engine = pathToFileURL(join(root, 'engine/platform/workers/worker-rpc.ts')).href;
/** The calls of a thread; commands that are not listed are not answered. */
const program = (commands: string) => `
  import(${JSON.stringify(engine)}).then(({ serveCalls }) => {
    const { parentPort } = require('node:worker_threads');
    serveCalls(parentPort, {
      echo: async (command) => command,
      wait: () => new Promise(() => setInterval(() => undefined, 1_000)),
      ${commands}
    });
  });`;

/** Starts a thread; it ends with the test. */
function open(commands = '', options = {}) {
  const worker = new Worker(program(commands), { eval: true, ...options });
  onTestFinished(async () => void (await worker.terminate()));
  return { worker, thread: createWorkerClient<Calls>(worker) };
}

test.each([
  ['an uncaught error', 'crash: () => queueMicrotask(() => { throw new Error("boom"); }),', 'boom'],
  ['a malformed message', '', 'null'],
  ['process.exit', 'crash: () => process.exit(3),', 'ended with 3'],
  [
    'a lack of memory',
    'crash: () => { const all = []; for (;;) all.push(Array(1e5).fill(all.length)); },',
    'memory',
  ],
])(
  '%s of a thread refuses the waiting calls, and every later one at once',
  async (_what, commands, cause) => {
    const { worker, thread } = open(commands, { resourceLimits: { maxOldGenerationSizeMb: 24 } });
    worker.on('error', () => undefined);
    expect(await thread.calls.echo(1)).toBe(1);
    const waiting = settleWithin(thread.calls.wait(null));
    if (commands) void settleWithin(thread.calls.crash(null));
    else worker.postMessage(null);
    await once(worker, 'exit').catch(() => undefined);
    const later = settleWithin(thread.calls.echo(2));
    for (const refused of [await waiting, await later]) {
      expect(refused).toMatchObject({ code: 'unavailable' });
      expect(String((refused as Error).cause)).toContain(cause);
    }
  },
);

test('all threads together fit the heap of 4 GB that they share in Electron', () => {
  const httpThreadMb = 256;
  const limits = Object.values(threadMemory);
  const total = limits.reduce(
    (sum, { maxYoungGenerationSizeMb, maxOldGenerationSizeMb, threadsMax }) =>
      sum + threadsMax * (maxYoungGenerationSizeMb + maxOldGenerationSizeMb),
    httpThreadMb,
  );
  expect(total).toBeLessThan(4_096);
});

test('a thread that is being stopped accepts no more calls', async () => {
  const { thread } = open();
  const waiting = settleWithin(thread.calls.wait(null));
  const ending = thread.terminate();
  expect(await settleWithin(thread.calls.echo(1))).toMatchObject({ code: 'unavailable' });
  await ending;
  expect(await waiting).toMatchObject({ code: 'unavailable' });
});

test('a thread that does not start refuses its calls', async () => {
  const worker = new Worker(new URL('file:///nowhere/absent.mjs'));
  const thread = createWorkerClient<Calls>(worker);
  expect(await settleWithin(thread.calls.echo(1))).toMatchObject({ code: 'unavailable' });
  expect(await settleWithin(thread.calls.echo(2))).toMatchObject({ code: 'unavailable' });
});

test('a refusal thrown before the first answer is the refusal of its calls', async () => {
  const code = `import(${JSON.stringify(errors)}).then(({ EngineError }) => {
    throw new EngineError('validation_error', 'This file is from a newer version.');
  });`;
  const thread = createWorkerClient<Calls>(new Worker(code, { eval: true }));
  const refusal = { code: 'validation_error', detail: 'This file is from a newer version.' };
  expect(await settleWithin(thread.calls.echo(1))).toMatchObject(refusal);
  expect(await settleWithin(thread.calls.echo(2))).toMatchObject(refusal);
});

test('a value that cannot be copied is refused on either side, and the thread continues', async () => {
  const { thread } = open('crash: () => () => undefined,');
  const [sent, answered] = await Promise.all([
    settleWithin(thread.calls.echo(() => undefined)),
    settleWithin(thread.calls.crash(null)),
  ]);
  expect(String(sent)).toContain('could not be cloned');
  expect(String(answered)).toContain('could not be cloned');
  expect(await thread.calls.echo('still here')).toBe('still here');
});

test('a thrown value without a message is refused like any other', async () => {
  const { thread } = open('crash: async () => { throw Object.create(null); },');
  expect(await settleWithin(thread.calls.crash(null))).toBeInstanceOf(Error);
  expect(await thread.calls.echo('still here')).toBe('still here');
});

test('a wait that a refusal ended is that refusal in the caller', async () => {
  const { thread } = open(`async crash() {
    const { EngineError } = await import(${JSON.stringify(errors)});
    const signal = AbortSignal.abort(new EngineError('busy'));
    await require('node:timers/promises').setTimeout(1, null, { signal });
  },`);
  expect(await settleWithin(thread.calls.crash(null))).toMatchObject({ code: 'busy' });
});

test('a lack of memory in a thread of a thread is reported, and is not a bug', async () => {
  const error = "Object.assign(new Error(), { code: 'ERR_WORKER_OUT_OF_MEMORY' })";
  const { thread } = open(`crash: async () => { throw ${error}; },`);
  const refusal = { code: 'unavailable', detail: expect.stringContaining('memory') };
  expect(await settleWithin(thread.calls.crash(null))).toMatchObject(refusal);
});

test('an unreadable message refuses the waiting calls, on either side', async () => {
  const { worker, thread } = open(
    `crash: () => parentPort.emit('messageerror', new Error('unreadable')),`,
  );
  expect(await thread.calls.echo(1)).toBe(1);
  const here = settleWithin(thread.calls.wait(null));
  worker.emit('messageerror', new Error('unreadable'));
  expect(String(await here)).toContain('could not be read');
  const there = settleWithin(thread.calls.wait(null));
  void settleWithin(thread.calls.crash(null));
  expect(String(await there)).toContain('could not be read');
  expect(await thread.calls.echo('still here')).toBe('still here');
});

test('of the calls refused by an end the oldest is marked, because the thread worked on it', async () => {
  const { worker, thread } = open();
  expect(await thread.calls.echo(1)).toBe(1);
  const asked = [1, 2, 3].map(() => settleWithin(thread.calls.wait(null)));
  worker.postMessage(null);
  expect(await Promise.all(asked)).toMatchObject([
    { wasRunning: true },
    { wasRunning: false },
    { wasRunning: false },
  ]);
  expect(await settleWithin(thread.calls.echo(2))).toMatchObject({ wasRunning: false });
});
