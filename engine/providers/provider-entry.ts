/** The form of an entry in the registry of providers. */
import type { z } from 'zod';
import type { Provider } from '../contract/provider.ts';

/** What a provider needs from its process; tests pass their own. */
export interface ProviderDeps {
  readonly fetch: typeof fetch;
  /** Waits; rejects with the signal's reason if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A provider that an environment can be configured to use. */
export interface ProviderEntry<Schema extends z.ZodType = z.ZodType> {
  /** Checks the settings when the environment starts. */
  readonly settings: Schema;
  /** Opens the provider. It must hold nothing that needs closing. */
  open(settings: z.output<Schema>, deps: ProviderDeps): Provider;
}
