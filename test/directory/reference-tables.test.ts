// The reference tables are what their scripts make of the kept sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { getDomain } from 'tldts';
import { expect, test } from 'vitest';
import {
  isDisposableDomain,
  isFreeMailDomain,
  registrableDomain,
} from '../../engine/directory/normalize/reference-tables.ts';
import { resourcesDir } from '../../engine/platform/paths.ts';
import { listLegalForms } from '../../scripts/reference/generate-legal-forms.mjs';
import { listOrganisationWords } from '../../scripts/reference/generate-organisation-words.mjs';
import { listPublicSuffixes } from '../../scripts/reference/generate-public-suffixes.mjs';
import { uniteMailDomains } from '../../scripts/reference/refresh-mail-domains.mjs';

const read = (file: string): string => {
  const bytes = readFileSync(join(resourcesDir(), 'reference', file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};

test.each([
  ['legal_forms.csv', listLegalForms],
  ['organisation_words.csv', listOrganisationWords],
  ['public_suffixes.txt.gz', listPublicSuffixes],
])('%s is generated from the kept source', async (file, generate) => {
  expect(read(file)).toBe(await generate());
});

test('lists of mail domains are united: folded, sorted, each domain in one of them', () => {
  const free = [' Mail.example ', 'thrown.example', 'free.example', 'free.example', 'no domain'];
  expect(uniteMailDomains(free, ['thrown.example'])).toEqual({
    free: ['free.example', 'mail.example'],
    disposable: ['thrown.example'],
  });
  const [shippedFree, shippedDisposable] = ['free', 'disposable'].map((kind) =>
    read(`${kind}_mail_domains.txt.gz`).trim().split('\n'),
  ) as [string[], string[]];
  expect(uniteMailDomains(shippedFree, shippedDisposable)).toEqual({
    free: shippedFree,
    disposable: shippedDisposable,
  });
});

test('a domain of disposable mail is one of free mail too', () => {
  expect(isFreeMailDomain('gmail.com')).toBe(true);
  expect(isDisposableDomain('gmail.com')).toBe(false);
  expect([isFreeMailDomain, isDisposableDomain].map((is) => is('mailinator.com'))).toEqual([
    true,
    true,
  ]);
  expect(isFreeMailDomain('ibm.com')).toBe(false);
});

test.each([
  ['mail.example.co.uk', 'example.co.uk'],
  ['www.example.com', 'example.com'],
  ['sub.acme.github.io', 'acme.github.io'],
  ['careers.bbc.uk', 'bbc.uk'],
  ['a.b.lincoln.k12.or.us', 'lincoln.k12.or.us'],
  ['shop.city.kawasaki.jp', 'city.kawasaki.jp'],
  ['a.b.other.kawasaki.jp', 'b.other.kawasaki.jp'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['', ''],
])('the registered part of %j is %j', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain);
});

test('the registered part of a host is that of tldts', () => {
  const suffixes = read('public_suffixes.txt.gz').trim().split('\n');
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
  const suffix = fc
    .constantFrom(...suffixes, 'com', 'de', 'example')
    .map((rule) => rule.replace(/^!/, ''));
  fc.assert(
    fc.property(fc.array(label, { maxLength: 3 }), suffix, label, (labels, rule, any) => {
      const host = [...labels, rule.replace('*', any)].join('.');
      const expected = getDomain(host, { allowPrivateDomains: true }) ?? host;
      expect(registrableDomain(host)).toBe(expected);
    }),
  );
});
