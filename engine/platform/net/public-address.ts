/** Decides which IP addresses belong to the public internet: strangers may name no others. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Global unicast of IPv6 (IANA's IPv6 address space registry). ipaddr.js calls every address
 * `unicast` that is in none of its special ranges, unassigned space and IPv4-compatible addresses
 * included.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address is public. False if it has a zone, or is no IP address. */
export function isPublicAddress(address: string): boolean {
  // Node's parser decides what an address is: ipaddr.js also reads `0x7f.1` and `127.1`. An address
  // with a zone ("fe80::1%eth0") belongs to one link of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}
