// The system's proxy settings: a thread asks, and the main thread answers.
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { findSystemProxy, serveSystemProxy } from '../../../engine/platform/net/system-proxy.ts';

const program = `
  import { parentPort } from 'node:worker_threads';
  import { findSystemProxy } from ${JSON.stringify(
    new URL('../../../engine/platform/net/system-proxy.ts', import.meta.url).href,
  )};
  const ask = findSystemProxy();
  const origins = ['https://a.example/', 'https://broken.example/', 'https://b.example/'];
  const answers = ask && origins.map((origin) => ask(origin).catch((error) => error.message));
  parentPort.postMessage(answers && (await Promise.all(answers)));
`;

async function askOnThread(): Promise<unknown> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  onTestFinished(() => void worker.terminate());
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

test('threads of a process without the app ask no one; in the app each gets its own answer', async () => {
  expect(findSystemProxy()).toBeNull();
  expect(await askOnThread()).toBeNull();
  serveSystemProxy(async (origin) => {
    if (origin.includes('broken')) throw new Error('no settings');
    return `PROXY proxy.example:8080 for ${origin}`;
  });
  expect(await askOnThread()).toEqual([
    'PROXY proxy.example:8080 for https://a.example/',
    'The app could not read the proxy settings of the system.',
    'PROXY proxy.example:8080 for https://b.example/',
  ]);
});
