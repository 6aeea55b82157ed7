// The hosts and addresses that requests of a definition may go to.
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import {
  isLoopbackAddress,
  isPrivateNetworkAddress,
  isPublicAddress,
  withoutPort,
} from '../../platform/net/public-address.ts';

export function isAllowedUrl(definition: ProviderDefinition, url: URL): boolean {
  const isSecure =
    url.protocol === 'https:' || (definition.dev === true && url.protocol === 'http:');
  return isSecure && url.username === '' && definition.hosts.includes(url.host);
}

/** Whether the user entered a private address: itself, or a name that is said to have one. */
const isEntered = ({ desk, hosts }: ProviderDefinition, address: string): boolean =>
  desk !== undefined && (desk.isLocal || hosts.some((host) => withoutPort(host) === address));

export const isAllowedAddress = (definition: ProviderDefinition, address: string): boolean =>
  isPublicAddress(address) ||
  (definition.dev === true && isLoopbackAddress(address)) ||
  (definition.local === true && isPrivateNetworkAddress(address)) ||
  isEntered(definition, address);
