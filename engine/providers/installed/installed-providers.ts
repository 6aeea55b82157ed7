// The providers of an environment that can be asked: built-in ones, and those whose definition is
// complete and whose key is stored. Jobs read them from a map that follows every change.
import type { EnvironmentName } from '../../contract/ids.ts';
import type { Provider } from '../../contract/provider.ts';
import type { NameServers } from '../../platform/net/name-servers.ts';
import type { FindRoutes } from '../../platform/net/proxy-routes.ts';
import type { InstalledProvider } from '../create-providers.ts';
import { openAnswerReader } from '../definitions/answer-reader.ts';
import type { BreakerState } from '../definitions/circuit-breaker.ts';
import type { DeclaredProviderDeps } from '../definitions/declared-provider.ts';
import { type ListedDefinition, listDefinitions } from '../definitions/list-definitions.ts';
import type { Wait } from '../waterfall/paid-writes.ts';
import { listSends } from '../waterfall/provider-request.table.ts';
import { insertMissingSettings } from '../waterfall/provider-setting.table.ts';
import { openUserProvider } from './open-provider.ts';
import { listKeys } from './provider-key.table.ts';
import {
  createProviderKeys,
  isKeyOf,
  type ProviderKeyDeps,
  type ProviderKeys,
} from './provider-keys.ts';

export interface InstalledDeps extends ProviderKeyDeps {
  /** Data folder of the environment, absolute. Own definitions are in its folder `providers`. */
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly builtIn: readonly InstalledProvider[];
  readonly wait: Wait;
  readonly findRoutes: FindRoutes;
  /** Tell a service whose host name does not exist from a missing network. */
  readonly dns: NameServers;
}

export interface InstalledProviders {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly keys: ProviderKeys;
  /** Reads the definition files and opens or closes providers. Call it after every change. */
  refresh(): readonly ListedDefinition[];
  readBreaker(id: string): BreakerState;
  readonly declaredDeps: DeclaredProviderDeps;
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

interface Opened {
  readonly provider: ReturnType<typeof openUserProvider>;
  readonly text: string;
}

/** Creates the installed providers of an environment. Staging has only the built-in ones. */
export function createInstalledProviders(deps: InstalledDeps): InstalledProviders {
  const { database, folder, environment, builtIn, wait } = deps;
  const reader = openAnswerReader();
  const keys = createProviderKeys(deps);
  const stopping = new AbortController();
  let definitions: readonly ListedDefinition[] = [];
  const hostsOf = (id: string) =>
    definitions.find((one) => one.id === id)?.checked.definition?.hosts ?? [];
  const declaredDeps = {
    clock: { now: () => deps.now().getTime(), wait },
    reader,
    findRoutes: deps.findRoutes,
    names: deps.dns,
    readSecret: (id: string) => keys.read({ id, hosts: hostsOf(id) }),
    listSends: (id: string, since: Date) => listSends(database, id, since.toISOString()),
  };
  const providers = new Map(builtIn.map(({ provider }) => [provider.describe().id, provider]));
  const opened = new Map<string, Opened>();
  const close = (id: string) => {
    if (opened.delete(id)) providers.delete(id);
  };
  const refresh = () => {
    definitions = environment === 'live' ? listDefinitions(folder) : [];
    const stored = listKeys(database);
    const usable = definitions.flatMap(({ id, checked: { definition } }) =>
      definition && isKeyOf(stored.get(id), definition) ? [definition] : [],
    );
    for (const id of opened.keys()) if (!usable.some((one) => one.id === id)) close(id);
    for (const definition of usable) {
      const text = JSON.stringify(definition);
      // An open provider keeps its circuit breaker and rate limits.
      if (opened.get(definition.id)?.text === text) continue;
      const provider = openUserProvider(definition, declaredDeps);
      opened.set(definition.id, { provider, text });
      providers.set(definition.id, provider);
    }
    return definitions;
  };
  insertMissingSettings(database, builtIn);
  // Without a key no provider opens, and reading the definitions would delay every start.
  if (listKeys(database).size > 0) refresh();
  return {
    providers,
    keys,
    refresh,
    declaredDeps,
    signal: stopping.signal,
    readBreaker: (id) =>
      opened.get(id)?.provider.readBreaker() ?? { state: 'closed', opensAt: null },
    stop() {
      stopping.abort(new Error('the engine is stopping'));
      return reader.stop();
    },
  };
}
