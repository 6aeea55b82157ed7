/** Which addresses are of the public internet: what a stranger names may lead nowhere else. */
import { BlockList, isIP } from 'node:net';

const blocked = new BlockList();
/** Special-purpose ranges (IANA's registries, RFC 6890). */
const ranges: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];
for (const [network, bits] of ranges)
  blocked.addSubnet(network, bits, isIP(network) === 6 ? 'ipv6' : 'ipv4');

/** Whether an IP address is public. IPv4 inside IPv6 is looked at as IPv4. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
