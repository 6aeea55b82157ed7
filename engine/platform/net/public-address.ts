/** Which addresses are of the public internet: what a stranger names may lead nowhere else. */
import { BlockList, isIP } from 'node:net';

/** A network and its prefix length in bits. */
type Range = readonly [network: string, bits: number];

/** Special-purpose ranges of IPv4 (IANA's registry, RFC 6890). */
const specialRanges4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/**
 * All that IPv6 assigns as global unicast. Every form that holds an IPv4 address (mapped,
 * compatible, translated, NAT64) is outside of it, and so is every local one.
 */
const globalRanges6: readonly Range[] = [['2000::', 3]];
/** Special-purpose ranges in it: Teredo and others of the IETF, documentation, 6to4, sinks. */
const specialRanges6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

function makeList(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family);
  return list;
}

const special4 = makeList(specialRanges4, 'ipv4');
const special6 = makeList(specialRanges6, 'ipv6');
const global6 = makeList(globalRanges6, 'ipv6');

/** Whether an IP address is public. False if it names an interface, or is no IP address. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone ("fe80::1%eth0") belongs to one link of this machine.
  if (address.includes('%')) return false;
  if (isIP(address) === 4) return !special4.check(address, 'ipv4');
  if (isIP(address) !== 6) return false;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
