// Tells a call that hangs from one that takes long on a busy machine.
import { setTimeout as wait } from 'node:timers/promises';

/** How long anything may take before it counts as hanging. */
const patienceMs = 45_000;

/** What a promise came to, its error included; throws where it is still open after the patience. */
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
