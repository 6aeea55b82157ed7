/**
 * The built-in providers of each environment. Those with a definition are opened by
 * installed/installed-providers.ts.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { EnvironmentName } from '../contract/ids.ts';
import type { Provider } from '../contract/provider.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

export interface InstalledProvider {
  readonly provider: Provider;
  /** Whether it is on until its settings say otherwise. A provider that costs money never is. */
  readonly isOn: boolean;
}

/** The built-in providers of an environment: the sandbox in staging. */
export function createProviders(environment: EnvironmentName): readonly InstalledProvider[] {
  if (environment === 'live') return [];
  const sandbox = createSandboxProvider((ms, signal) => wait(ms, undefined, { signal }));
  return [{ provider: sandbox, isOn: true }];
}
