// A receiver's response is stored without secrets: tables and properties.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { webhookExcerptCharactersMax } from '../../engine/contract/limits/webhooks.ts';
import { shortenAnswer } from '../../engine/webhooks/deliver-webhooks.ts';

const html = (text: string) => text.replace(/[+/=]/g, (char) => `&#${char.charCodeAt(0)};`);
const unicode = (text: string) =>
  text.replace(/[+/=]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
const coreOf = (secret: string) => secret.replace('whsec_', '').replace('=', '');

/** The forms in which receivers repeat what they received. */
const writings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'without its prefix': (secret) => secret.slice(6),
  'without its padding': coreOf,
  'in JSON that escapes slashes': (secret) => secret.replaceAll('/', '\\/'),
  'in JSON within JSON': (secret) => secret.replaceAll('/', '\\\\\\/'),
  'in JSON of ASCII letters alone': unicode,
  'in a URL': encodeURIComponent,
  'in HTML': html,
  'in base64 for URLs': (secret) => Buffer.from(secret.slice(6), 'base64').toString('base64url'),
  'in hexadecimal': (secret) => Buffer.from(secret.slice(6), 'base64').toString('hex'),
  'in upper-case hexadecimal': (secret) =>
    Buffer.from(secret.slice(6), 'base64').toString('hex').toUpperCase(),
};

const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const makeSecret = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
/** Whether two texts share this many consecutive characters. */
const shares = (text: string, secret: string, length: number): boolean =>
  Array.from({ length: Math.max(0, secret.length - length + 1) }, (_, at) => at).some((at) =>
    text.includes(secret.slice(at, at + length)),
  );

test.each(Object.entries(writings))('a secret %s is hidden, wherever it is', (_how, write) => {
  fc.assert(
    fc.property(
      secretBytes,
      fc.string({ maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      (bytes, before, behind) => {
        const secret = makeSecret(bytes);
        const written = write(secret);
        const excerpt = shortenAnswer(`${before} ${written} ${behind}`, [secret]);
        expect(shares(excerpt, written, 12)).toBe(false);
        expect(excerpt).toContain('[hidden]');
      },
    ),
  );
});

test('hiding a secret also hides its prefix and padding', () => {
  const secret = makeSecret(new Uint8Array(32).fill(251));
  expect(shortenAnswer(`got ${secret}.`, [secret])).toBe('got [hidden].');
});

test('at most seven characters of a truncated secret at the end are kept', () => {
  const lengths = fc.integer({ min: 0, max: 43 });
  fc.assert(
    fc.property(secretBytes, lengths, fc.boolean(), (bytes, length, hasPrefix) => {
      const secret = makeSecret(bytes);
      const piece = coreOf(secret).slice(0, length);
      const excerpt = shortenAnswer(`Refused: ${hasPrefix ? 'whsec_' : ''}${piece}`, [secret]);
      expect(shares(excerpt, coreOf(secret), 8)).toBe(false);
    }),
  );
});

const signature = 'v1,bm9ib2R5IG11c3Qgc2VlIHRoaXMgc2lnbmF0dXJl';
const digest = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';

test.each([
  [`sent ${signature}`, 'sent v1,[hidden]'],
  [`expected ${signature.slice(3)}, got x`, 'expected [hidden], got x'],
  [`{"x-service-signature":"${digest}"}`, '{"x-service-signature":"[hidden]"}'],
  [`got ${digest.toUpperCase()}`, 'got [hidden]'],
])('a signature is hidden in %s', (answer, excerpt) => {
  expect(shortenAnswer(answer, [signature, digest])).toBe(excerpt);
});

test.each([
  ['use whsec_c29tZWJvZHkgZWxzZQ== here', 'use [hidden] here'],
  ['key sk_live_0123456789abcdef is unknown', 'key [hidden] is unknown'],
  ['{"password":"hunter2","ok":false}', '{"password":"[hidden]","ok":false}'],
  ['{\\"api_key\\":\\"a b\\",\\"n\\":1}', '{\\"api_key\\":\\"[hidden]\\",\\"n\\":1}'],
  ["DB_PASSWORD => 'let me in', x", "DB_PASSWORD => '[hidden]', x"],
  ['authorization: Bearer abc.def-123 next', 'authorization: [hidden] next'],
  ['?access_token=a1b2c3d4&page=2', '?access_token=[hidden]&page=2'],
])('%s is stored as %s, even if it is another secret', (answer, excerpt) => {
  expect(shortenAnswer(answer, [])).toBe(excerpt);
});

test.each([
  'invalid signature: timestamp is 7200 seconds old',
  'token: expired',
  'The secret is missing. Set WEBHOOK_SECRET and start again.',
  '{"error":"unknown event","event":"pipeline.completed","id":"evt_1"}',
])('%s is kept, because it helps a person', (answer) => {
  expect(shortenAnswer(answer, [signature, digest])).toBe(answer);
});

test('the excerpt is one line of at most 500 characters, whatever arrives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4_096 }), (answer) => {
      const excerpt = shortenAnswer(answer, [signature, digest]);
      expect(excerpt.length).toBeLessThanOrEqual(webhookExcerptCharactersMax);
      expect(excerpt).not.toMatch(/[\p{Cc}\n]/u);
    }),
  );
  expect(shortenAnswer(' a\r\n\tb\0c ', [])).toBe('a b c');
});
