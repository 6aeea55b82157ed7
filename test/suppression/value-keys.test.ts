/** The forms in which values of the suppression list are compared. */
import { expect, test } from 'vitest';
import type { SuppressionKind } from '../../engine/contract/suppression/suppression.ts';
import {
  listCoveringKeys,
  readValueKey,
  recognizeKind,
} from '../../engine/suppression/value-keys.ts';

const uuid = '8a1f0b6e-5c1d-4a53-9d55-0d4b6c1f2a3e';

test.each<[SuppressionKind, string, readonly string[]]>([
  ['email', 'ada@b.com', ['MAILTO:Ada@B.com', ' Ada Lovelace <ada@b.com> ', 'ADA@b.COM']],
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
    ],
  ],
  ['company', 'acme', ['ACME Inc.', 'Acme, LLC', ' acme ']],
  ['person', 'ada lovelace|acme', ['Ada  LOVELACE | Acme Ltd', 'ada lovelace|acme']],
  ['person', uuid, [uuid.toUpperCase()]],
])('every spelling of a %s has the key %s', (kind, key, spellings) => {
  for (const text of spellings) expect([text, readValueKey(kind, text)]).toEqual([text, key]);
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
