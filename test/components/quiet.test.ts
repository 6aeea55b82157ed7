/** What may wait loads when the page has the data of its first screen. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createQuiet } from '../../renderer/api/transport/quiet.ts';

/** Longer than the page waits for an idle moment, which a busy machine may not have. */
const timeout = 2_100;
const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout }));

/** Stops the page's clock at a time, so that a busy machine reaches no limit. */
function stopClock() {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  return now;
}

/** A request without an answer, and a wait that says whether it has ended. */
function waitBehindRequest() {
  const { countInFlight, whenQuiet } = createQuiet();
  const request = Promise.withResolvers<void>();
  const counted = countInFlight(request.promise);
  const wait = { isOver: false };
  const over = whenQuiet().then(() => {
    wait.isOver = true;
  });
  return { ...request, counted, wait, over };
}

test('an idle page is not quiet while it waits for an answer', async () => {
  stopClock();
  const { resolve, wait, over } = waitBehindRequest();
  await idle();
  await idle();
  expect(wait.isOver).toBe(false);
  resolve();
  await over;
});

test('a request that fails is no longer waited for', async () => {
  stopClock();
  const { reject, counted, over } = waitBehindRequest();
  reject(new Error('refused'));
  await expect(counted).rejects.toThrow('refused');
  await over;
});

test('an answer that does not come is waited for two seconds', async () => {
  const now = stopClock();
  const { resolve, over } = waitBehindRequest();
  now.mockReturnValue(2_000);
  await over;
  resolve();
});
