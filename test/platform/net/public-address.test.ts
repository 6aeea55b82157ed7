// Which addresses are public: by examples, and by IANA's registries of special ranges.
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../engine/platform/net/public-address.ts';

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '1.1.1.1',
  '223.255.255.254',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:220:1::1',
  '2a00:1450:4001:80b::200e',
  '2400:cb00::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '192.0.0.8',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  // Documentation, benchmarking, relays and sinks.
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '192.88.99.1',
  '192.31.196.1',
  '::',
  '::1',
  '::7f00:1',
  '::10.0.0.1',
  '::8.8.8.8',
  '1::1',
  '5f00::1',
  '4000::1',
  // IPv4 inside IPv6: mapped, translated, NAT64, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2001::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%lo',
  '2606::1%lo',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2620:4f:8000::1',
  'no address',
  '',
  '1.2.3',
  '0x7f.1',
  '[2606:2800:220:1::1]',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

type Range = readonly [first: string, bits: number, last: string];
/** IANA's special-purpose registries (RFC 6890), multicast, and other reserved ranges. */
const special4: readonly Range[] = [
  ['0.0.0.0', 8, '0.255.255.255'],
  ['10.0.0.0', 8, '10.255.255.255'],
  ['100.64.0.0', 10, '100.127.255.255'],
  ['127.0.0.0', 8, '127.255.255.255'],
  ['169.254.0.0', 16, '169.254.255.255'],
  ['172.16.0.0', 12, '172.31.255.255'],
  ['192.0.0.0', 24, '192.0.0.255'],
  ['192.0.2.0', 24, '192.0.2.255'],
  ['192.31.196.0', 24, '192.31.196.255'],
  ['192.52.193.0', 24, '192.52.193.255'],
  ['192.88.99.0', 24, '192.88.99.255'],
  ['192.168.0.0', 16, '192.168.255.255'],
  ['192.175.48.0', 24, '192.175.48.255'],
  ['198.18.0.0', 15, '198.19.255.255'],
  ['198.51.100.0', 24, '198.51.100.255'],
  ['203.0.113.0', 24, '203.0.113.255'],
  ['224.0.0.0', 3, '255.255.255.255'],
];
/** The same for IPv6: all but global unicast (2000::/3), and the special ranges within it. */
const special6: readonly Range[] = [
  ['::', 3, '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::', 23, '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', 32, '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', 16, '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', 48, '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', 20, '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 2, '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['8000::', 1, 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test.each([...special4, ...special6])('no address of %s/%i is public', (first, _bits, last) => {
  expect([first, last].map(isPublicAddress)).toEqual([false, false]);
});

test.each([
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.31.197.0',
  '192.52.192.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '192.175.49.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '2000::',
  '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:200::',
  '2001:db7:ffff::',
  '2001:db9::',
  '2003::',
  '2620:4f:7fff::',
  '2620:4f:8001::',
  '3ffe::',
  '3fff:1000::',
])('%s, next to a special range, is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const listOf = (ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [first, bits] of ranges) list.addSubnet(first, bits, family);
  return list;
};
const lists = { 4: listOf(special4, 'ipv4'), 6: listOf(special6, 'ipv6') };

const part = fc.oneof(
  fc.constantFrom(0, 1, 0x7f00, 0xffff, 0x2001, 0x2002, 0xdb8, 0x64, 0xff9b, 0x2620, 0x3fff),
  fc.integer({ min: 0, max: 0xffff }),
);
const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc
    .array(part, { minLength: 8, maxLength: 8 })
    .map((parts) => parts.map((one) => one.toString(16)).join(':')),
);

test('an address is public exactly if no registry lists it as special', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const family = isIP(address) as 4 | 6;
      const isSpecial = lists[family].check(address, `ipv${family}`);
      expect([address, isPublicAddress(address)]).toEqual([address, !isSpecial]);
    }),
    { numRuns: 10_000 },
  );
});
