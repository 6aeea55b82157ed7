/** Which addresses are of the public internet, by a list and by a second opinion. */
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../engine/platform/net/public-address.ts';

test.each([
  ...['93.184.216.34', '8.8.8.8', '1.1.1.1', '223.255.255.254', '172.32.0.1', '100.128.0.1'],
  ...['2606:2800:220:1::1', '2a00:1450:4001:80b::200e', '2400:cb00::1'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '192.0.0.8', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  // Documentation, benchmarking, relays and sinks.
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1', '192.31.196.1'],
  ...['::', '::1', '::7f00:1', '::10.0.0.1', '::8.8.8.8', '1::1', '5f00::1', '4000::1'],
  // IPv4 inside IPv6: mapped, translated, NAT64, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:0:10.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:808:808::1', '2001::1'],
  ...['fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%lo', '2606::1%lo', 'fec0::1', 'ff02::1', '100::1'],
  ...['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '2620:4f:8000::1'],
  ...['no address', '', '1.2.3', '0x7f.1', '[2606:2800:220:1::1]'],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

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

test('what is public here is public to ipaddr.js as well', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      if (!isPublicAddress(address)) return;
      expect([address, ipaddr.parse(address).range()]).toEqual([address, 'unicast']);
    }),
    { numRuns: 5_000 },
  );
});

test('what is public is global unicast: no other part of IPv6 is', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const isGlobal = ((ipaddr.parse(address).toByteArray()[0] ?? 0) & 0xe0) === 0x20;
      if (!isGlobal) expect(isPublicAddress(address)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});
