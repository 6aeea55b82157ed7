/** Opens a tunnel through a proxy (CONNECT, RFC 9110, section 9.3.6). */
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { http, loadHttps } from './node-modules.ts';
import { ProxyUnusable, type Route } from './proxy-routes.ts';

type Proxy = Extract<Route, { kind: 'proxy' }>;

/** How a tunnel is opened. */
export interface TunnelOptions {
  /** Ends the tunnel, also after it is open. */
  readonly signal: AbortSignal;
  /** The authorities that a proxy with an https address is checked with. */
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
export function openTunnel(proxy: Proxy, target: URL, options: TunnelOptions): Promise<Socket> {
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
