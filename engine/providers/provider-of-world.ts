/** What stands behind a world's directory: an upstream in the sandbox, nothing in the live one. */
import type { WorldName } from '../contract/ids.ts';
import type { Provider } from '../contract/provider.ts';
import { openSandboxProvider } from './sandbox-provider.ts';

/** Opens a world's provider; null where it has none. It holds nothing, and needs no closing. */
export const openProviderOf = (world: WorldName): Provider | null =>
  world === 'test' ? openSandboxProvider() : null;
