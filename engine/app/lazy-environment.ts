/**
 * An environment that is opened on first use, so that the staging environment costs nothing until
 * it is used.
 *
 *   closed ──whenOpen──> opening ──> open ──close──> ended
 *      ^─────error──────────┘
 */
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { SearchCalls } from '../directory/search/search-directory.ts';
import type { Environment, LazyEnvironment } from './environment.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { WriterCalls } from './writer-calls.ts';

type Listener = Parameters<Environment['subscribe']>[0];

/**
 * A table of calls that is resolved on each call, so that it can be passed on before the
 * environment is open.
 */
const forwardCalls = <Table extends object>(find: () => Table): Table =>
  new Proxy({} as Table, {
    get: (_target, name) => (command: unknown) =>
      (find() as Record<string, (command: unknown) => unknown>)[String(name)]?.(command),
  });

/**
 * Creates an environment that `open` opens on the first `whenOpen`; after a failure, the next
 * `whenOpen` tries again. Its database, writer and reader may be used only while it is open.
 * @param folder its data folder, absolute
 */
export function createLazyEnvironment(
  name: EnvironmentName,
  folder: string,
  open: (name: EnvironmentName, folder: string) => Promise<Environment>,
): LazyEnvironment {
  let environment: Environment | null = null;
  let opening: Promise<Environment> | null = null;
  let hasEnded = false;
  const listeners = new Set<Listener>();
  const require = (): Environment => {
    if (!environment) throw new Error(`the ${name} environment was used before it was open`);
    return environment;
  };
  return {
    name,
    folder,
    get hasEnded() {
      return hasEnded;
    },
    get isOpen() {
      return environment !== null;
    },
    get database() {
      return require().database;
    },
    get directoryDatabase() {
      return require().directoryDatabase;
    },
    writer: forwardCalls<WriterCalls>(() => require().writer),
    reader: forwardCalls<ReaderCalls>(() => require().reader),
    search: forwardCalls<SearchCalls>(() => require().search),
    describeFault: () => environment?.describeFault() ?? null,
    describeReadOnly: () => environment?.describeReadOnly() ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async whenOpen() {
      if (hasEnded) throw new EngineError('unavailable', 'The engine is stopping.');
      opening ??= open(name, folder);
      const mine = opening;
      try {
        const opened = await mine;
        if (environment !== null || hasEnded) return;
        environment = opened;
        opened.subscribe((event, accountId) => {
          for (const listener of listeners) listener(event, accountId);
        });
      } catch (error) {
        if (opening === mine) opening = null;
        throw error;
      }
    },
    async close() {
      hasEnded = true;
      const opened = await opening?.catch(() => null);
      environment = null;
      await opened?.close();
    },
  };
}
