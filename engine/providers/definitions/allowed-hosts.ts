/** The hosts and addresses that requests of a definition may go to. */
import { isIP } from 'node:net';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import { isPublicAddress } from '../../platform/net/public-address.ts';

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

/** Whether a host, with or without a port, names this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = withoutPort(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** Whether a request of a definition may go to an address: its scheme and its host are checked. */
export function isAllowedUrl(definition: ProviderDefinition, url: URL): boolean {
  const isSecure =
    url.protocol === 'https:' || (definition.dev === true && url.protocol === 'http:');
  return isSecure && url.username === '' && definition.hosts.includes(url.host);
}

/** Whether the user entered a private address: itself, or a name that is said to have one. */
const isEntered = ({ desk, hosts }: ProviderDefinition, address: string): boolean =>
  desk !== undefined && (desk.isLocal || hosts.some((host) => withoutPort(host) === address));

/** Whether a request of a definition may connect to a resolved address. */
export const isAllowedAddress = (definition: ProviderDefinition, address: string): boolean =>
  isPublicAddress(address) ||
  (definition.dev === true && isLoopbackAddress(address)) ||
  isEntered(definition, address);
