// Kills the engine while deliveries wait and during an attempt: none is lost, each arrives with its
// id, in order, and requests are answered during many deliveries.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentPaths } from '../../engine/contract/ids.ts';
import type { CreatedWebhook, DeliveryPage } from '../../engine/contract/webhooks.ts';
import { stagingFolder } from '../../engine/platform/data-files.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { noteEvent } from '../../engine/webhooks/outbox.table.ts';
import { startEngineProcess } from '../engine-process.ts';
import { authorityPath, openReceiver } from '../webhook-receiver.ts';

function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

function noteEnds(folder: string, count: number): void {
  const database = openStore(folder);
  const { id: accountId } = database.prepare('SELECT id FROM account').get() as { id: number };
  inTransaction(database, () => {
    for (let n = 0; n < count; n += 1)
      noteEvent(database, {
        accountId,
        kind: 'pipeline.completed',
        data: { n },
        at: new Date().toISOString(),
      });
  });
  database.close();
}

test('killed between an end and its delivery, and between a delivery and its record, none is lost', async () => {
  const dataDir = makeDataDir();
  const env = { NODE_EXTRA_CA_CERTS: authorityPath };
  const receiver = await openReceiver();
  const options = { env, stderr: 'pipe' } as const;
  let engine = await startEngineProcess(dataDir, [], options);
  await engine.ask('PUT', '/app/v1/webhook-hosts', { hosts: ['localhost'] });
  const body = { url: receiver.url, events: ['pipeline.completed'] };
  const webhook = (await engine.ask('POST', '/api/v1/webhooks/', body)) as CreatedWebhook;
  await engine.kill();
  noteEnds(dataDir, 3);
  // The first answer never arrives: the engine is killed while it waits.
  receiver.answer = () => undefined;
  engine = await startEngineProcess(dataDir, [], options);
  const interrupted = await receiver.next();
  await engine.kill();
  receiver.answer = (response) => void response.end();
  engine = await startEngineProcess(dataDir, [], options);
  const arrived = [await receiver.next(), await receiver.next(), await receiver.next()];
  expect(arrived.map(({ body: text }) => JSON.parse(text).data.n)).toEqual([0, 1, 2]);
  expect(arrived[0]?.headers['webhook-id']).toBe(interrupted.headers['webhook-id']);
  const path = `/app/v1/webhooks/${webhook.id}/deliveries`;
  await expect
    .poll(async () => ((await engine.ask('GET', path)) as DeliveryPage).results)
    .toMatchObject(Array(3).fill({ state: 'delivered', attempts: [{ number: 1, status: 200 }] }));
  expect(receiver.arrivals).toHaveLength(4);
  expect(await engine.stop()).toBe(0);
});

const deliveries = 10_000;
const long = { tags: ['full'] };

test(
  '10,000 waiting deliveries are made in order, and requests are answered meanwhile',
  long,
  async () => {
    const dataDir = makeDataDir();
    const receiver = await openReceiver({ certificate: null });
    let engine = await startEngineProcess(dataDir, ['--staging'], { stderr: 'pipe' });
    const staging = environmentPaths.staging;
    const body = { url: receiver.url, events: ['pipeline.completed'] };
    await engine.ask('POST', `${staging}/api/v1/webhooks/`, body);
    await engine.kill();
    noteEnds(join(dataDir, stagingFolder), deliveries);
    engine = await startEngineProcess(dataDir, [], { stderr: 'pipe' });
    await receiver.next();
    // Reads and synced writes of both environments, one after the other, during the deliveries.
    const askedAt: number[] = [];
    for (let asked = 0; asked < 20; asked += 1) {
      await engine.ask('GET', `${staging}/api/v1/webhooks/`);
      await engine.ask('POST', '/app/v1/wallet/grants', { credits: '1' });
      await engine.ask('POST', `${staging}/app/v1/keys`, { label: `key ${asked}` });
      askedAt.push(receiver.arrivals.length);
    }
    expect(askedAt.at(-1)).toBeLessThan(deliveries);
    for (let taken = 1; taken < deliveries; taken += 1) await receiver.next();
    const order = receiver.arrivals.map(({ body: text }) => JSON.parse(text).data.n);
    expect(order).toEqual(Array.from({ length: deliveries }, (_, n) => n));
    expect(await engine.stop()).toBe(0);
  },
);
