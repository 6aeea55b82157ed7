// What the tests of a process wait for, so that a time limit says more than that it has passed.

const waiting = new Set<() => string>();

/** Notes that a test may wait for a promise. */
export async function noteWait<Value>(what: () => string, promise: Promise<Value>): Promise<Value> {
  waiting.add(what);
  try {
    return await promise;
  } finally {
    waiting.delete(what);
  }
}

export const describeWaits = (): string[] => [...waiting].map((what) => what());
