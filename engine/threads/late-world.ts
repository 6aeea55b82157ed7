/**
 * A world that is opened at its first use: the staging world of an installation costs nothing until
 * somebody asks for it.
 *
 *   closed ──whenOpen──> opening ──> open ──close──> ended
 *      ^─────error──────────┘
 */
import { EngineError } from '../contract/errors.ts';
import type { WorldName } from '../contract/ids.ts';
import type { SearchCalls } from '../domain/search.ts';
import type { LateWorld, ReaderCalls, World, WriterCalls } from '../domain/world.ts';

type Listener = Parameters<World['subscribe']>[0];

/** A table of calls that is looked up at each call: it may be taken before the world is open. */
const forwardCalls = <Table extends object>(find: () => Table): Table =>
  new Proxy({} as Table, {
    get: (_target, name) => (command: unknown) =>
      (find() as Record<string, (command: unknown) => unknown>)[String(name)]?.(command),
  });

/**
 * Describes a world that `open` opens at the first `whenOpen`. One that could not be opened is
 * tried again at the next. Its database, writer and reader may be used only while it is open.
 * @param folder its data folder, absolute
 */
export function openLater(
  name: WorldName,
  folder: string,
  open: (name: WorldName, folder: string) => Promise<World>,
): LateWorld {
  let world: World | null = null;
  let opening: Promise<World> | null = null;
  let hasEnded = false;
  const listeners = new Set<Listener>();
  const require = (): World => {
    if (!world) throw new Error(`the ${name} world was used before it was open`);
    return world;
  };
  return {
    name,
    folder,
    get hasEnded() {
      return hasEnded;
    },
    get isOpen() {
      return world !== null;
    },
    get database() {
      return require().database;
    },
    get directoryDatabase() {
      return require().directoryDatabase;
    },
    get provider() {
      return require().provider;
    },
    writer: forwardCalls<WriterCalls>(() => require().writer),
    reader: forwardCalls<ReaderCalls>(() => require().reader),
    search: forwardCalls<SearchCalls>(() => require().search),
    describeFault: () => world?.describeFault() ?? null,
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
        if (world !== null || hasEnded) return;
        world = opened;
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
      world = null;
      await opened?.close();
    },
  };
}
