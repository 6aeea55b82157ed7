// A delivery thread that ends during a post: the event is delivered, and recorded once.
import { expect, onTestFinished, test } from 'vitest';
import { openPostWorker, type PostWorker } from '../../engine/webhooks/post-on-worker.ts';
import { settleWithin } from '../engine/hang-guard.ts';
import { watchThreads } from '../engine/watch-threads.ts';
import { openReceiver } from '../webhook-receiver.ts';
import { openDeliveries } from './open-deliveries.ts';

/** Deliveries on a real thread, to a receiver without a certificate. */
async function open() {
  const threads = watchThreads();
  const receiver = await openReceiver({ certificate: null });
  const thread = openPostWorker();
  onTestFinished(() => thread.stop());
  const policy = { environment: 'staging', hosts: [] } as const;
  const post: PostWorker['post'] = (posting) =>
    thread.post({ ...posting, url: receiver.url, policy });
  const desk = openDeliveries({ post });
  const { id } = await desk.register('https://localhost:1/hook');
  return { threads, receiver, thread, desk, id };
}

test('a delivery whose thread ends before the answer is posted again and recorded once', async () => {
  const { threads, receiver, desk, id } = await open();
  receiver.answer = () => threads.kill('delivery-thread');
  desk.note();
  const first = await receiver.next();
  receiver.answer = (response) => void response.end('thank you');
  const again = await receiver.next();
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(again.body).toBe(first.body);
  await settleWithin(desk.settle());
  expect(desk.list(id)).toMatchObject([
    { state: 'delivered', attempts: 1, log: [{ number: 1, status: 200 }] },
  ]);
  desk.note({ pipeline_id: 'next' });
  await receiver.next();
  await settleWithin(desk.settle());
  expect(desk.list(id)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  expect(receiver.arrivals).toHaveLength(3);
});

test('a delivery that ends its thread each time is a failed attempt, and is retried', async () => {
  const { threads, receiver, desk, id } = await open();
  receiver.answer = () => threads.kill('delivery-thread');
  desk.note();
  await settleWithin(desk.settle());
  expect(desk.list(id)).toMatchObject([
    {
      state: 'waiting',
      log: [{ number: 1, status: null, error: expect.stringContaining('thread ended') }],
    },
  ]);
  receiver.answer = (response) => void response.end('thank you');
  await settleWithin(desk.pass(6_000));
  expect(desk.list(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('an ended thread can be stopped, and refuses calls that wait for its successor', async () => {
  const { threads, receiver, thread, desk } = await open();
  receiver.answer = () => threads.keepKilling('delivery-thread');
  desk.note();
  await receiver.next();
  const stopped = desk.stop();
  await settleWithin(thread.stop());
  await settleWithin(stopped);
});
