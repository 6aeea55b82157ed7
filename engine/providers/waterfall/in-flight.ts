// The subjects that each provider is being asked about, by all jobs, pipelines and lookups of an
// environment, so that two of them never pay for the same answer.

export interface InFlight {
  /** Resolves when no request about any of the subjects is open; null if there is none now. */
  whenFree(provider: string, subjects: readonly string[]): Promise<unknown> | null;
  hold(provider: string, subjects: readonly string[]): () => void;
}

export function createInFlight(): InFlight {
  const open = new Map<string, Set<Promise<void>>>();
  const nameOf = (provider: string, subject: string) => `${provider} ${subject}`;
  return {
    whenFree(provider, subjects) {
      const waits = subjects.flatMap((one) => [...(open.get(nameOf(provider, one)) ?? [])]);
      return waits.length === 0 ? null : Promise.all(waits);
    },
    hold(provider, subjects) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const names = subjects.map((subject) => nameOf(provider, subject));
      for (const name of names) open.set(name, (open.get(name) ?? new Set()).add(promise));
      return () => {
        for (const name of names) {
          const held = open.get(name);
          held?.delete(promise);
          if (held?.size === 0) open.delete(name);
        }
        resolve();
      };
    },
  };
}
