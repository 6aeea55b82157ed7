// Commands on a folder in use wait until its owner answers or ends.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../engine/platform/data-dir-lock.ts';
import { makePlace, type Place, runHere } from './run-desk.ts';

function makeOwnPlace(): Place {
  const place = makePlace();
  onTestFinished(() => place.remove());
  return place;
}

test('commands that each need their own engine wait for one another', async () => {
  const place = makeOwnPlace();
  const runs = await Promise.all([1, 2, 3].map(() => place.run('wallet', 'balance', '--json')));
  for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
});

test.each([
  [['wallet', 'balance', '--json']],
  [['serve', '--port', '0']],
  [['doctor', '--repair', '--yes']],
])('an owner that does not answer is waited for by %j, with a message', async (words) => {
  const place = makeOwnPlace();
  const lock = lockFolder(place.dataDir);
  let isOwned = true;
  const { code, stderr } = await runHere(place, words, {
    answer: () => false,
    hear(said, interrupt) {
      if (said.includes('Keychain: ')) interrupt.abort();
      if (!isOwned || !said.includes('Waiting for another')) return;
      isOwned = false;
      lock.release();
    },
  });
  expect(code, stderr).toBe(0);
  expect(stderr.match(/Waiting for another/g)).toHaveLength(1);
});

test('Ctrl+C ends a serve that waits for the folder', async () => {
  const place = makeOwnPlace();
  const lock = lockFolder(place.dataDir);
  const { code, stderr } = await runHere(place, ['serve', '--port', '0'], {
    answer: () => false,
    hear: (said, interrupt) => said.includes('Waiting for another') && interrupt.abort(),
  });
  lock.release();
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped by Ctrl+C.')]);
});

/** Locks and unlocks a folder repeatedly until the test ends. */
async function ownNowAndThen(dataDir: string): Promise<void> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.folder).then(({ lockFolder, isFolderLocked }) => {
      parentPort.postMessage('ready');
      for (;;) {
        try {
          lockFolder(workerData.dataDir).release();
        } catch (error) {
          if (!isFolderLocked(error)) throw error;
        }
      }
    });`;
  const folder = join(import.meta.dirname, '../../engine/platform/data-dir-lock.ts');
  const worker = new Worker(code, { eval: true, workerData: { folder, dataDir } });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, 'message');
}

test('an owner that ends during its refusal is waited for like any other', async () => {
  const place = makeOwnPlace();
  // A folder refused for its content: the refusal of an engine that got the lock, without its
  // start.
  mkdirSync(place.dataDir);
  const directory = new Database(join(place.dataDir, 'directory.db'));
  directory.pragma('user_version = 9999');
  directory.close();
  await ownNowAndThen(place.dataDir);
  for (let run = 0; run < 6; run++) {
    const { stderr } = await place.here('wallet', 'balance', '--json');
    expect(stderr).toContain('written by a newer version');
  }
});
