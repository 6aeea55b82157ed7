/** The interface of an entry in the registry of providers. */
import type { z } from 'zod';
import type { Provider } from '../contract/provider.ts';

/** A provider's dependencies on its process. Tests pass their own. */
export interface ProviderDeps {
  readonly fetch: typeof fetch;
  /** Waits. Rejects with the signal's reason if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A provider that an environment can use. */
export interface ProviderEntry<Schema extends z.ZodType = z.ZodType> {
  /** Checks the settings when the environment starts. */
  readonly settings: Schema;
  /** Opens the provider. It must not hold anything that needs to be closed. */
  open(settings: z.output<Schema>, deps: ProviderDeps): Provider;
}
