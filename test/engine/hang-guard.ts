// Distinguishes a hanging call from a slow one on a busy machine.
import { setTimeout as wait } from 'node:timers/promises';

/** Time after which anything counts as hanging. */
const patienceMs = 45_000;

/** Returns a promise's result or error; throws if it is still pending after that time. */
export async function settleWithin(promise: Promise<unknown>): Promise<unknown> {
  const patience = new AbortController();
  const late = wait(patienceMs, 'late', { signal: patience.signal }).catch(() => undefined);
  const settled = promise.then(
    (value) => ({ value }),
    (value: unknown) => ({ value }),
  );
  try {
    const first = await Promise.race([settled, late]);
    if (typeof first === 'object') return first.value;
    throw new Error(`still open after ${patienceMs / 1_000} s`);
  } finally {
    patience.abort();
  }
}
