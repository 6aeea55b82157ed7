/**
 * The registry of providers, and the configuration of which provider each environment uses behind
 * the directory. CONTRIBUTING.md says how to add one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { EnvironmentName } from '../contract/ids.ts';
import type { Provider } from '../contract/provider.ts';
import type { ProviderDeps, ProviderEntry } from './provider-entry.ts';
import { sandboxProvider } from './sandbox-provider.ts';

/** Every provider, by the name in the configuration. */
const registry = { sandbox: sandboxProvider } as const satisfies Record<string, ProviderEntry>;

type ProviderName = keyof typeof registry;

/** A provider with its settings. Secrets are read from environment variables. */
type ProviderChoice = {
  [Name in ProviderName]: {
    readonly name: Name;
    settings(env: NodeJS.ProcessEnv): z.input<(typeof registry)[Name]['settings']>;
  };
}[ProviderName];

/** The provider for rows that the directory cannot answer; null for none. */
const choices: Readonly<Record<EnvironmentName, ProviderChoice | null>> = {
  live: null,
  staging: { name: 'sandbox', settings: () => ({}) },
};

const systemDeps: ProviderDeps = {
  fetch: globalThis.fetch,
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** Opens a provider. Throws an Error with its name if its settings are not valid. */
export function openProvider(
  choice: ProviderChoice,
  deps: ProviderDeps,
  env: NodeJS.ProcessEnv = process.env,
): Provider {
  const entry: ProviderEntry = registry[choice.name];
  const settings = entry.settings.safeParse(choice.settings(env));
  if (settings.success) return entry.open(settings.data, deps);
  throw new Error(`settings of provider ${choice.name}: ${z.prettifyError(settings.error)}`);
}

/**
 * Opens the provider of an environment; null if it has none. A provider does not need to be closed.
 */
export function createProvider(environment: EnvironmentName): Provider | null {
  const choice = choices[environment];
  return choice && openProvider(choice, systemDeps);
}
