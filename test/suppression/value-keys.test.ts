// The forms in which values of the suppression list are compared.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SuppressionKind } from '../../engine/contract/suppression/suppression.ts';
import {
  listCoveringKeys,
  readValueKey,
  recognizeKind,
} from '../../engine/suppression/value-keys.ts';
import { listSpellings, secretValues, spellingsOf } from './spellings.ts';

const uuid = '8a1f0b6e-5c1d-4a53-9d55-0d4b6c1f2a3e';

test.each<[SuppressionKind, string, readonly string[]]>([
  ['email', 'ada@b.com', ['MAILTO:Ada@B.com', ' Ada Lovelace <ada@b.com> ', 'ADA@b.COM']],
  ['email', 'ada@bücher.example', ['ada@xn--bcher-kva.example', 'ADA@BÜCHER。example']],
  ['domain', 'b.com', ['B.com', 'https://www.b.com/', '@b.com', 'http://b.com:80/contact?x=1']],
  ['domain', '*.b.com', ['*.B.com', '*.www.b.com']],
  ['domain', 'xn--bcher-kva.example', ['bücher.example']],
  ['phone', '+41791234567', ['+41 79 123 45 67', '0041 79 123 45 67', 'tel:+41791234567 x12']],
  [
    'profile_url',
    'linkedin.com/in/ada',
    [
      'https://www.linkedin.com/in/Ada/',
      'linkedin.com/in/ada?trk=x',
      'http://de.linkedin.com/in/ada',
      'https://m.linkedin.com/in/ada/details/experience/',
    ],
  ],
  ['profile_url', 'x.com/ada', ['https://twitter.com/Ada', 'mobile.twitter.com/ADA?lang=de']],
  ['profile_url', 'b.com/~ada', ['https://b.com/%7Eada', 'http://www.B.com//~ada/?utm_source=x']],
  ['company', 'acme', ['ACME Inc.', 'Acme, LLC', ' acme ']],
  [
    'person',
    'ada lovelace|acme',
    ['Ada  LOVELACE | Acme Ltd', 'Lovelace, Ada | acme', 'A\u200bda Ｌovelace|Ac\u00adme'],
  ],
  ['person', uuid, [uuid.toUpperCase()]],
])('every spelling of a %s has the key %s', (kind, key, spellings) => {
  for (const text of spellings) expect([text, readValueKey(kind, text)]).toEqual([text, key]);
});

test('a cell of thousands of labels has no more keys than a name of the DNS can have', () => {
  const host = `${'a.'.repeat(30_000)}example`;
  expect(listCoveringKeys('domain', host).length).toBeLessThan(260);
});

test('no spelling of an email, a phone or a profile URL has another key', () => {
  for (const kind of ['email', 'phone', 'profile_url'] as const) {
    const key = readValueKey(kind, secretValues[kind]);
    // Without its country code, a number is one only where its country is known.
    const isReadable = (text: string) => kind !== 'phone' || /^[^1-9]*(?:\+|0|%2b|＋)/i.test(text);
    const check = (text: string) => {
      expect([text, readValueKey(kind, text)]).toEqual([text, isReadable(text) ? key : '']);
    };
    for (const text of listSpellings(kind)) check(text);
    fc.assert(fc.property(spellingsOf(kind).filter(isReadable), check), { numRuns: 300 });
  }
});

test.each<[SuppressionKind, string]>([
  ['email', 'ada'],
  ['domain', 'localhost'],
  ['domain', '127.0.0.1'],
  ['phone', '12345'],
  ['profile_url', 'https://b.com/'],
  ['person', 'Ada Lovelace'],
  ['person', ' | Acme'],
  ['company', '  '],
])('a %s cannot be %j', (kind, text) => {
  expect(readValueKey(kind, text)).toBe('');
});

test.each([
  ['ada@b.com', 'email'],
  ['@b.com', 'domain'],
  ['*.b.com', 'domain'],
  ['b.com', 'domain'],
  ['https://b.com/', 'domain'],
  ['https://linkedin.com/in/ada', 'profile_url'],
  ['+41 79 123 45 67', 'phone'],
  [uuid, 'person'],
  ['Ada Lovelace | Acme', 'person'],
  ['Acme', null],
])('%s is recognised as %s', (text, kind) => {
  expect(recognizeKind(text)).toBe(kind);
});

test('a domain covers itself and its subdomains; its wildcard the subdomains alone', () => {
  const covers = (entry: string, host: string) =>
    listCoveringKeys('email', `ada@${host}`).includes(`domain:${readValueKey('domain', entry)}`);
  expect(covers('b.com', 'b.com')).toBe(true);
  expect(covers('b.com', 'mail.eu.b.com')).toBe(true);
  expect(covers('*.b.com', 'mail.eu.b.com')).toBe(true);
  expect(covers('*.b.com', 'b.com')).toBe(false);
  expect(covers('b.com', 'notb.com')).toBe(false);
  expect(covers('mail.b.com', 'b.com')).toBe(false);
});

test('a domain covers pages on it, except on a host where anyone has a page', () => {
  expect(listCoveringKeys('profile_url', 'b.com/team/ada')).toContain('domain:b.com');
  expect(listCoveringKeys('profile_url', 'linkedin.com/in/ada')).not.toContain(
    'domain:linkedin.com',
  );
});
