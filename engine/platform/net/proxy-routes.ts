// The proxy of a request: HTTPS_PROXY and NO_PROXY, otherwise, in the desktop app, the settings of
// the system. Requests to this machine have none.
import { isLoopbackHost } from './public-address.ts';

/** A way to a host: directly, or through a proxy that opens a tunnel (CONNECT). */
export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** Its scheme is http or https. It may contain a user name and a password. */
      readonly url: URL;
      readonly setBy: string;
    };

/** Finds the routes to a host, in the order in which they are tried. Rejects with ProxyUnusable. */
export type FindRoutes = (target: URL) => Promise<readonly Route[]>;

/** Settings that cannot be used, or a proxy that does not open a tunnel. */
export class ProxyUnusable extends Error {
  override name = 'ProxyUnusable';
  /** Whether no tunnel was asked for, so that the next route may be tried. */
  readonly isUnreachable: boolean;
  /** @param detail a sentence without the user name and the password */
  constructor(detail: string, isUnreachable = false, options?: ErrorOptions) {
    super(detail, options);
    this.isUnreachable = isUnreachable;
  }
}

const direct: readonly Route[] = [{ kind: 'direct' }];
const systemSettings = 'the proxy settings of the system';

export const goDirectly: FindRoutes = async () => direct;

/** A variable of the environment, in capitals or small letters. An empty one is not set. */
const readVariable = (environment: NodeJS.ProcessEnv, name: string): string =>
  (environment[name] || environment[name.toLowerCase()] || '').trim();

const notAnAddress =
  'HTTPS_PROXY is not the address of an HTTP proxy, such as http://proxy.example:8080.';

function parseProxy(text: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ProxyUnusable(notAnAddress);
}

/** Whether NO_PROXY names a host: `*`, a name with its subdomains, or an address; also by port. */
function isExempt(list: string, { hostname, port }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', onlyPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const suffix = name.replace(/^\*?\./, '');
    if (suffix === '' || (onlyPort !== undefined && onlyPort !== (port || '443'))) return false;
    return suffix === '*' || host === suffix || host.endsWith(`.${suffix}`);
  });
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/**
 * Parses the answer of a system, such as `PROXY proxy.example:8080; DIRECT`. Throws ProxyUnusable
 * if it names only kinds of proxies that cannot be used.
 */
export function parseProxyList(list: string): readonly Route[] {
  const entries = list.split(';').flatMap((entry) => entry.trim() || []);
  const routes = entries.flatMap((entry): Route[] => {
    const [kind = '', address = ''] = entry.split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [...direct];
    const scheme = schemes[kind.toUpperCase()];
    const url = scheme === undefined ? null : URL.parse(`${scheme}://${address}`);
    return url ? [{ kind: 'proxy', url, setBy: systemSettings }] : [];
  });
  if (routes.length > 0 || entries.length === 0) return routes.length > 0 ? routes : direct;
  const kinds = [...new Set(entries.map((entry) => entry.split(/\s+/)[0]))].join(', ');
  throw new ProxyUnusable(
    `The proxy settings of the system name a proxy of the kind ${kinds}, which cannot be used. ` +
      'Set HTTPS_PROXY to the address of an HTTP proxy.',
  );
}

/** @param askSystem resolves to the system's answer; null where there is none to ask */
export function createFindRoutes(
  environment: NodeJS.ProcessEnv,
  askSystem: ((origin: string) => Promise<string>) | null,
): FindRoutes {
  const proxy = readVariable(environment, 'HTTPS_PROXY');
  const noProxy = readVariable(environment, 'NO_PROXY');
  return async (target) => {
    if (isLoopbackHost(target.hostname)) return direct;
    if (proxy !== '')
      return isExempt(noProxy, target)
        ? direct
        : [{ kind: 'proxy', url: parseProxy(proxy), setBy: 'HTTPS_PROXY' }];
    // The path and the query are not passed on: a query may contain the key.
    return askSystem ? parseProxyList(await askSystem(`${target.origin}/`)) : direct;
  };
}
