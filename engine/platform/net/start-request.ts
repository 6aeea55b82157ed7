/**
 * Starts one request to a host outside this machine, on a connection of its own: directly, to an
 * address that is allowed, or in a tunnel through a proxy, which learns the host and resolves it.
 * The certificate of the host is checked on both ways.
 */
import type { ClientRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { createGuardedLookup, type Lookup } from './guarded-lookup.ts';
import { http, loadHttps, loadTls } from './node-modules.ts';
import { openTunnel } from './open-tunnel.ts';
import { type FindRoutes, ProxyUnusable } from './proxy-routes.ts';

/** A request. Its body is written by the caller. */
export interface StartedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a request may go. */
export interface RequestRoutes {
  /** Whether the request may connect to an address, without a proxy. */
  isAllowed(address: string): boolean;
  /** The proxies of an https request. One over http has none. */
  readonly findRoutes: FindRoutes;
  /** Defaults to the system's lookup. */
  readonly lookup?: Lookup | undefined;
}

/** An attempt to connect: what ends it, and the authorities that are trusted. */
export interface ConnectAttempt {
  readonly signal: AbortSignal;
  readonly secureContext: SecureContext | undefined;
}

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Opens a tunnel through the first proxy that can be reached; null to connect directly. */
export async function findTunnel(
  url: URL,
  findRoutes: FindRoutes,
  attempt: ConnectAttempt,
): Promise<Socket | null> {
  const routes = url.protocol === 'https:' ? await findRoutes(url) : [];
  for (const [nth, route] of routes.entries()) {
    if (route.kind === 'direct') return null;
    try {
      return await openTunnel(route, url, attempt);
    } catch (error) {
      const isLast = nth === routes.length - 1;
      if (isLast || !(error instanceof ProxyUnusable) || !error.isUnreachable) throw error;
    }
  }
  return null;
}

/** Opens a connection of its own, which no other request uses or has used. */
export async function startRequest(
  { url, method, headers }: StartedRequest,
  { isAllowed, findRoutes, lookup }: RequestRoutes,
  attempt: ConnectAttempt,
): Promise<ClientRequest> {
  const { signal, secureContext } = attempt;
  const tunnel = await findTunnel(url, findRoutes, attempt);
  const start = (url.protocol === 'https:' ? loadHttps() : http).request;
  const trust = secureContext && { secureContext };
  if (tunnel === null)
    return start(url, {
      ...{ method, headers, agent: false, signal, ...trust },
      lookup: createGuardedLookup(isAllowed, lookup),
    });
  const host = hostOf(url);
  const servername = isIP(host) === 0 ? host : '';
  const createConnection = () => loadTls().connect({ socket: tunnel, host, servername, ...trust });
  return start(url, { method, headers, signal, createConnection });
}
