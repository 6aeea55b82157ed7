// Which IP addresses are public, the only ones for untrusted URLs, and which are this machine.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Global unicast of IPv6 (IANA's IPv6 address space registry). ipaddr.js reports `unicast` for
 * every address outside its special ranges, including unassigned space and IPv4-compatible
 * addresses.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address is public. False if it has a zone, or is not an IP address. */
export function isPublicAddress(address: string): boolean {
  // Node's parser decides what an address is: ipaddr.js also accepts `0x7f.1` and `127.1`. An
  // address with a zone ("fe80::1%eth0") belongs to one link of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

const privateRanges: readonly string[] = ['private', 'uniqueLocal', 'carrierGradeNat'];

/**
 * Whether an IP address is one of a private network: neither this machine, nor an address of the
 * link, where cloud machines answer with their credentials.
 */
export const isPrivateNetworkAddress = (address: string): boolean =>
  isIP(address) !== 0 &&
  !address.includes('%') &&
  privateRanges.includes(ipaddr.parse(address).range());

/** A host without its port, and without the brackets of IPv6. */
export const withoutPort = (host: string): string =>
  host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

/** Whether a host, with or without a port, names this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = withoutPort(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}
