// The syntax of addresses: a table of cases from the RFCs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addressKey,
  isReservedDomain,
  parseAddress,
} from '../../engine/validations/parse-address.ts';

const long = (length: number) => 'a'.repeat(length);
/** A domain of a given length: labels of 63 letters, then the rest. */
const domainOf = (length: number): string => {
  const labels: string[] = [];
  for (let left = length; left > 0; left -= 64) labels.push(long(Math.min(63, left)));
  return labels.join('.');
};

test.each([
  ['ada@engines.org', 'ada', 'engines.org'],
  ['Ada.Lovelace@Engines.ORG', 'Ada.Lovelace', 'engines.org'],
  ['ada+lists@mail.engines.co.uk', 'ada+lists', 'mail.engines.co.uk'],
  ["!#$%&'*+/=?^_`{|}~-@engines.org", "!#$%&'*+/=?^_`{|}~-", 'engines.org'],
  ['a@b.cd', 'a', 'b.cd'],
  ['1@3com.com', '1', '3com.com'],
  ['ada@xn--mnchen-3ya.de', 'ada', 'xn--mnchen-3ya.de'],
  // Quoted strings, RFC 5321 4.1.2.
  ['"ada lovelace"@engines.org', '"ada lovelace"', 'engines.org'],
  ['"a@b"@engines.org', '"a@b"', 'engines.org'],
  ['"a\\"b"@engines.org', '"a\\"b"', 'engines.org'],
  ['"(no comment)"@engines.org', '"(no comment)"', 'engines.org'],
  ['"a..b"@engines.org', '"a..b"', 'engines.org'],
  // Other scripts, RFC 6531 and 5890.
  ['用户@例子.广告', '用户', 'xn--fsqu00a.xn--4rr70v'],
  ['dörte@sörensen.de', 'dörte', 'xn--srensen-90a.de'],
  ['ada@MÜNCHEN.de', 'ada', 'xn--mnchen-3ya.de'],
  ['ada@straße.de', 'ada', 'xn--strae-oqa.de'],
  ['квіточка@пошта.укр', 'квіточка', 'xn--80a1acn3a.xn--j1amh'],
  // Lengths, RFC 5321 4.5.3.1.
  [`${long(64)}@engines.org`, long(64), 'engines.org'],
  [`a@${long(63)}.org`, 'a', `${long(63)}.org`],
  [`${long(64)}@${domainOf(189)}`, long(64), domainOf(189)],
])('%s is an address', (text, local, domain) => {
  expect(parseAddress(text)).toEqual({ address: { local, domain } });
});

test.each([
  ['', 'not_an_address'],
  ['ada', 'not_an_address'],
  ['@engines.org', 'not_an_address'],
  ['ada@', 'not_an_address'],
  ['ada@home@engines.org', 'not_an_address'],
  ['ada@engines.org, bob@engines.org', 'not_an_address'],
  ['\ud800@engines.org', 'not_an_address'],
  // RFC 5322 name-addr and CFWS are not addresses of RFC 5321.
  ['Ada Lovelace <ada@engines.org>', 'display_name'],
  ['<ada@engines.org>', 'display_name'],
  ['"Lovelace, Ada" <ada@engines.org>', 'display_name'],
  ['ada(work)@engines.org', 'comment'],
  ['ada@(work)engines.org', 'comment'],
  // dot-string: no dot first, last or twice; only atext.
  ['.ada@engines.org', 'local_part_malformed'],
  ['ada.@engines.org', 'local_part_malformed'],
  ['ada..l@engines.org', 'local_part_malformed'],
  ['ada l@engines.org', 'local_part_malformed'],
  ['mailto:ada@engines.org', 'local_part_malformed'],
  ['ada\u200b@engines.org', 'local_part_malformed'],
  ['ada\u0007@engines.org', 'local_part_malformed'],
  ['do\u0308rte@engines.org', 'local_part_malformed'],
  ['"ada@engines.org', 'local_part_malformed'],
  ['"a"b"@engines.org', 'local_part_malformed'],
  ['"tab\there"@engines.org', 'local_part_malformed'],
  [`${long(65)}@engines.org`, 'local_part_too_long'],
  [`${'ö'.repeat(33)}@engines.org`, 'local_part_too_long'],
  [`${long(64)}@${domainOf(190)}`, 'address_too_long'],
  // Names of hosts, RFC 1035 and 1123.
  ['ada@engines..org', 'domain_malformed'],
  ['ada@.engines.org', 'domain_malformed'],
  ['ada@engines.org.', 'domain_malformed'],
  ['ada@-engines.org', 'domain_malformed'],
  ['ada@engines-.org', 'domain_malformed'],
  ['ada@my_engines.org', 'domain_malformed'],
  ['ada@engines.org:25', 'domain_malformed'],
  ['ada@eng%69nes.org', 'domain_malformed'],
  ['ada@engines .org', 'domain_malformed'],
  ['ada@engines.org/x', 'domain_malformed'],
  [`ada@${long(64)}.org`, 'domain_malformed'],
  [`a@${domainOf(255)}`, 'domain_malformed'],
  ['ada@xn--iñvalid.com', 'domain_malformed'],
  ['ada@127.0.0.1', 'domain_malformed'],
  ['ada@0x7f.1', 'domain_malformed'],
  ['ada@localhost', 'domain_incomplete'],
  ['ada@com', 'domain_incomplete'],
  ['ada@[192.0.2.1]', 'address_literal'],
  ['ada@[IPv6:2001:db8::1]', 'address_literal'],
])('%j is not an address: %s', (text, problem) => {
  expect(parseAddress(text)).toEqual({ problem });
});

test('any text is parsed without an error, in time that grows only with its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
      const parsed = parseAddress(text);
      expect('problem' in parsed || parsed.address.domain.includes('.')).toBe(true);
    }),
  );
  for (const text of [`${'a.'.repeat(500)}@`, `"${'\\"'.repeat(499)}`, `${'('.repeat(999)}@`])
    expect(parseAddress(text)).toHaveProperty('problem');
});

test('a domain is the same in either form of its script', () => {
  const label = fc.stringMatching(/^[a-zäöüéñ]{1,12}$/);
  fc.assert(
    fc.property(label, (name) => {
      const parsed = parseAddress(`ada@${name}.de`);
      const domain = 'address' in parsed ? parsed.address.domain : '';
      expect(parseAddress(`ada@${domain}`)).toEqual(parsed);
      expect(addressKey(`ADA@${domain}`)).toBe(addressKey(`ada@${name}.de`));
    }),
  );
});

test.each([
  ['ada@Engines.org', 'ADA@engines.ORG', true],
  ['ada@münchen.de', 'ada@xn--mnchen-3ya.de', true],
  ['ada@engines.org', 'ada+x@engines.org', false],
  ['a.da@engines.org', 'ada@engines.org', false],
  ['no address', 'No Address', false],
])('%s and %s are one address: %s', (one, other, isOne) => {
  expect(addressKey(one) === addressKey(other)).toBe(isOne);
});

test.each([
  ['example.com', true],
  ['mail.example.org', true],
  ['shop.test', true],
  ['nowhere.invalid', true],
  ['abc.onion', true],
  ['myexample.com', false],
  ['example.de', false],
  ['contest.org', false],
])('%s is reserved and never on the internet: %s', (domain, isReserved) => {
  expect(isReservedDomain(domain)).toBe(isReserved);
});
