// Opens one connection to a host outside this machine, which no other request uses or has used:
// directly, to an address that is allowed, or in a tunnel through a proxy, which learns the host
// and resolves it. The certificate of the host is checked on both ways. No byte of a request is
// sent.
import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import {
  AddressRefused,
  checkName,
  createGuardedLookup,
  type Lookup,
  lookUpOnce,
} from './guarded-lookup.ts';
import { http, loadHttps, loadTls } from './node-modules.ts';
import { type FindRoutes, ProxyUnusable, type Route } from './proxy-routes.ts';

type Proxy = Extract<Route, { kind: 'proxy' }>;

interface TunnelOptions {
  readonly signal: AbortSignal;
  readonly secureContext?: SecureContext | undefined;
}

const authorize = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;

function describeStatus({ url, setBy }: Proxy, status: number, target: string): string {
  if (status !== 407)
    return (
      `The proxy ${url.host} did not open a connection to ${target} (status ${status}). ` +
      'Ask its administrator to allow this host.'
    );
  return url.username === ''
    ? `The proxy ${url.host} asks for a user name and a password. Set HTTPS_PROXY to ` +
        `http://USER:PASSWORD@${url.host}.`
    : `The proxy ${url.host} refused the user name or the password in ${setBy}.`;
}

/**
 * Opens a tunnel to a host and a port. Only the proxy resolves the name. Throws ProxyUnusable, with
 * the error of the connection as its cause.
 */
function openTunnel(proxy: Proxy, target: URL, options: TunnelOptions): Promise<Socket> {
  const { url, setBy } = proxy;
  const host = `${target.hostname}:${target.port || '443'}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isSecure = url.protocol === 'https:';
  const start = (isSecure ? loadHttps() : http).request;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const request = start({
    method: 'CONNECT',
    agent: false,
    path: host,
    signal: options.signal,
    host: name,
    // By default it is the name in the header `host`.
    servername: isIP(name) === 0 ? name : '',
    port: url.port || (isSecure ? 443 : 80),
    // Otherwise NODE_TLS_REJECT_UNAUTHORIZED would decide.
    rejectUnauthorized: true,
    headers: { host, ...(url.username !== '' && { 'proxy-authorization': authorize(url) }) },
    ...(options.secureContext && { secureContext: options.secureContext }),
  });
  let isConnected = false;
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
    });
  });
  request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
    if (statusCode >= 200 && statusCode < 300) return resolve(socket);
    socket.destroy();
    reject(new ProxyUnusable(describeStatus(proxy, statusCode, target.hostname)));
  });
  request.once('error', (error: NodeJS.ErrnoException) => {
    const code = error.code ?? error.name;
    const what = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)
      ? `has a certificate that is not trusted (${code})`
      : error.name === 'AbortError'
        ? 'did not answer in time'
        : `${isConnected ? 'gave no answer' : 'cannot be reached'} (${code})`;
    const detail = `The proxy ${url.host} ${what}. Check ${setBy}.`;
    reject(new ProxyUnusable(detail, !isConnected, { cause: error }));
  });
  request.end();
  return promise;
}

// The certificate authorities of the system, for networks that replace certificates by their own.
// Reading them takes a third of a second, so they are read only after a certificate was refused.

/** The list that the context was made from, and the context. */
let made: { readonly usual: readonly string[]; readonly context: SecureContext } | null = null;

function readOrSkip(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** The usual authorities, those of the system, and those of DESK_EXTRA_CA_CERTS. */
function trustSystem(): SecureContext {
  const tls = loadTls();
  const usual = tls.getCACertificates('default');
  if (made?.usual === usual) return made.context;
  const system = readOrSkip(() => tls.getCACertificates('system'));
  // Electron removes Node's own variable, NODE_EXTRA_CA_CERTS, from the packed app.
  const path = process.env.DESK_EXTRA_CA_CERTS;
  const extra = readOrSkip(() => (path ? [readFileSync(path, 'utf8')] : []));
  const context = tls.createSecureContext({ ca: [...new Set([...usual, ...system, ...extra])] });
  made = { usual, context };
  return context;
}

/** The context of `trustSystem` if it was made; undefined for the usual authorities. */
const readTrusted = (): SecureContext | undefined =>
  made !== null && made.usual === loadTls().getCACertificates('default') ? made.context : undefined;

/**
 * Connects with the usual authorities, and once more with those of the system if the certificate is
 * of an unknown one. Nothing is sent before the certificate is checked.
 */
async function connectTrusted<Value>(
  attempt: (secureContext: SecureContext | undefined) => Promise<Value>,
): Promise<Value> {
  const known = readTrusted();
  try {
    return await attempt(known);
  } catch (error) {
    if (known || !isUntrusted(error)) throw error;
    return attempt(trustSystem());
  }
}

const untrusted = /^(UNABLE_TO_(GET_ISSUER|VERIFY)|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/;

function isUntrusted(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException;
  return untrusted.test(code ?? '') || (cause !== undefined && isUntrusted(cause));
}

export interface RequestRoutes {
  /** Whether the request may connect to an address, without a proxy. */
  isAllowed(address: string): boolean;
  readonly findRoutes: FindRoutes;
  /** Somebody else chose the host: before a proxy is asked, its addresses here are checked. */
  readonly isHostUntrusted?: boolean | undefined;
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

/** Settles as a promise does, or rejects with the reason of the signal, whichever is first. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: settled, resolve, reject } = Promise.withResolvers<Value>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return settled;
}

async function whenOpen(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Socket> {
  // Errors after this belong to the user of the socket, who may have left.
  socket.on('error', () => undefined);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const close = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  socket.once(event, () => resolve(socket)).once('error', reject);
  socket.once('close', close);
  try {
    return await orAborted(promise, signal);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    socket.off('close', close);
  }
}

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

/** Connects directly, for https only up to TCP. */
export function connectDirectly(
  url: URL,
  { isAllowed, lookup }: Pick<RequestRoutes, 'isAllowed' | 'lookup'>,
  signal: AbortSignal,
): Promise<Socket> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const guarded = createGuardedLookup(isAllowed, lookup);
  return whenOpen(connect({ host: hostOf(url), port, lookup: guarded }), 'connect', signal);
}

/**
 * Opens a connection: for https, after its handshake. Rejects with AddressRefused, ProxyUnusable,
 * the error of the connection, or the reason of the signal.
 */
export async function openConnection(
  url: URL,
  { isAllowed, findRoutes, isHostUntrusted = false, lookup }: RequestRoutes,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const host = hostOf(url);
  // An IP address in the URL is not resolved, so it is checked here.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new AddressRefused();
  const ways = { isAllowed, lookup: lookUpOnce(lookup) };
  if (url.protocol !== 'https:') return connectDirectly(url, ways, signal);
  const routes = await orAborted(findRoutes(url), signal);
  if (isHostUntrusted && routes.some(({ kind }) => kind === 'proxy'))
    await orAborted(checkName(host, isAllowed, ways.lookup), signal);
  return connectTrusted(async (secureContext) => {
    const attempt = { signal, secureContext };
    const socket =
      (await findTunnel(url, async () => routes, attempt)) ??
      (await connectDirectly(url, ways, signal));
    const servername = isIP(host) === 0 ? host : '';
    const secured = loadTls().connect({
      socket,
      host,
      servername,
      ALPNProtocols: ['http/1.1'],
      // Otherwise NODE_TLS_REJECT_UNAUTHORIZED would decide.
      rejectUnauthorized: true,
      ...(secureContext && { secureContext }),
    });
    return whenOpen(secured, 'secureConnect', signal);
  });
}
