// Decides whether this machine has a network: by the error of a request, and by a connection.
import { isNameMissing, type NameServers } from './name-servers.ts';
import { connectDirectly, findTunnel, hostOf } from './open-connection.ts';
import { type FindRoutes, ProxyUnusable } from './proxy-routes.ts';

/** What the system says without a network: no route to the host, or no name server. */
const offlineCodes: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** Whether a connection never reached host or proxy. One that refuses or hangs was reached. */
export function isOfflineError(error: unknown): boolean {
  if (error instanceof ProxyUnusable) return error.isUnreachable;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isOfflineError);
  return offlineCodes.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** What the system says of a name without an address, with a network or without one. */
const nameCodes: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENOTFOUND']);

/** Whether a connection failed because the name of its host, or of its proxy, has no address. */
export const isNameError = (error: unknown): boolean =>
  nameCodes.has((error as NodeJS.ErrnoException | null)?.code ?? '');

export interface ReachOptions {
  /** Ends the attempt. Without an answer until then, the host was not reached. */
  readonly signal: AbortSignal;
  readonly findRoutes: FindRoutes;
  isAllowed(address: string): boolean;
  /** Name servers that tell a missing name from a missing network. */
  readonly names?: NameServers | undefined;
}

/**
 * Opens a connection to a host, or a tunnel by way of its proxy, and closes it. Returns whether
 * there is a network: a host whose name is missing is reached as far as the network goes.
 */
export async function reachHost(url: URL, options: ReachOptions): Promise<boolean> {
  const { signal, findRoutes, names } = options;
  try {
    const tunnel = await findTunnel(url, findRoutes, { signal, secureContext: undefined });
    const socket = tunnel ?? (await connectDirectly(url, options, signal));
    socket.on('error', () => undefined);
    socket.destroy();
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!isOfflineError(error)) return true;
    return names !== undefined && isNameError(error) && isNameMissing(names, hostOf(url));
  }
}
