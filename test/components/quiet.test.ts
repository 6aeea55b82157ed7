// What may wait loads when the page has the data of its first screen.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createQuiet } from '../../renderer/api/transport/quiet.ts';

const idle = () => new Promise((resolve) => requestIdleCallback(resolve));

/**
 * Stops the page's clock, so that a busy machine reaches no limit, and makes every frame an idle
 * moment: a browser without a window may have none.
 */
function stopClock() {
  vi.stubGlobal('requestIdleCallback', requestAnimationFrame);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => {
    now.mockRestore();
    vi.unstubAllGlobals();
  });
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
