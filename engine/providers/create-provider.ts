/**
 * What stands behind an environment's directory: an upstream in the sandbox, nothing in the live
 * one.
 */
import type { EnvironmentName } from '../contract/ids.ts';
import type { Provider } from '../contract/provider.ts';
import { openSandboxProvider } from './sandbox-provider.ts';

/**
 * Opens an environment's provider; null where it has none. It holds nothing, and needs no closing.
 */
export const createProvider = (environment: EnvironmentName): Provider | null =>
  environment === 'staging' ? openSandboxProvider() : null;
