// Allowed webhook addresses: by their text, and by the resolved address.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAllowedAddress, normalizeWebhookUrl } from '../../engine/webhooks/webhook-url.ts';

const live = { environment: 'live', hosts: [] } as const;
const staging = { environment: 'staging', hosts: [] } as const;

test.each([
  ['https://hooks.example.com/desk?a=1', live],
  ['https://hooks.example.com:8443/', live],
  ['https://8.8.8.8/', live],
  ['https://10.0.0.5/', { environment: 'live', hosts: ['10.0.0.5'] } as const],
  ['https://localhost:9000/', { environment: 'live', hosts: ['localhost'] } as const],
  ['http://localhost:9000/', staging],
  ['http://localhost:9000/', { environment: 'live', hosts: ['localhost'] } as const],
  ['http://127.0.0.1:9000/desk', { environment: 'live', hosts: ['127.0.0.1'] } as const],
  ['http://127.0.0.1/', staging],
  ['http://[::1]:9000/', staging],
  ['https://192.168.1.5/', staging],
])('%s is accepted', (url, policy) => {
  expect(() => normalizeWebhookUrl(url, policy)).not.toThrow();
});

test.each([
  ['http://hooks.example.com/', live, /https/],
  ['http://localhost/', live, /Allow this host first/],
  ['http://127.0.0.1/', { environment: 'live', hosts: ['localhost'] } as const, /Allow this host/],
  ['http://10.0.0.5/', { environment: 'live', hosts: ['10.0.0.5'] } as const, /https/],
  ['http://hooks.example.com/', staging, /https/],
  ['http://192.168.1.5/', staging, /https/],
  ['ftp://hooks.example.com/', live, /https/],
  ['javascript:alert(1)', live, /https/],
  ['hooks.example.com', live, /not a URL/],
  ['https://user:pass@hooks.example.com/', live, /password/],
  ['https://localhost/', live, /public internet/],
  ['https://desk.localhost./', live, /public internet/],
  ['https://127.1/', live, /public internet/],
  ['https://0x7f000001/', live, /public internet/],
  ['https://2130706433/', live, /public internet/],
  ['https://10.1.2.3/', live, /public internet/],
  ['https://169.254.169.254/latest/', live, /public internet/],
  ['https://[::1]/', live, /public internet/],
  ['https://[fe80::1]/', live, /public internet/],
  ['https://[fd00::1]/', live, /public internet/],
  ['https://[::ffff:10.0.0.1]/', live, /public internet/],
  ['https://0.0.0.0/', live, /public internet/],
  ['https://[::127.0.0.1]/', live, /public internet/],
  ['https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', live, /public internet/],
  ['https://[2002:a00:1::1]/', live, /public internet/],
  ['https://[64:ff9b::10.0.0.1]/', live, /public internet/],
  ['https://[fec0::1]/', live, /public internet/],
])('%s is refused', (url, policy, detail) => {
  expect(() => normalizeWebhookUrl(url, policy)).toThrow(detail);
});

test('an address is written in its normal form, whatever spaces and line breaks it had', () => {
  const normalize = (text: string) => normalizeWebhookUrl(text, live);
  expect(normalize(' HTTPS://Hooks.Example.com:443/a\r\nb\t c?d=e f\n')).toBe(
    'https://hooks.example.com/ab%20c?d=e%20f',
  );
  expect(normalize('https:/\\bücher.example')).toBe('https://xn--bcher-kva.example/');
  const spaced = fc.stringMatching(/^[a-z0-9ü\t\r\n "<>\\/?=#]{0,40}$/);
  fc.assert(
    fc.property(spaced, (rest) => {
      const url = normalize(`https://hooks.example.com/${rest}`);
      expect(url).toMatch(/^https:\/\/hooks\.example\.com\/[!-~]*$/);
      expect(normalize(url)).toBe(url);
    }),
  );
});

test('an address that is too long in its normal form is refused', () => {
  const text = `https://hooks.example.com/${'ü'.repeat(2_000)}`;
  expect(() => normalizeWebhookUrl(text, live)).toThrow(/^url: .*2,048/);
});

test.each([
  ['https://hooks.example.com/', '93.184.215.14', live, true],
  ['https://hooks.example.com/', '127.0.0.1', live, false],
  ['https://hooks.example.com/', '169.254.169.254', live, false],
  ['https://hooks.example.com/', '::ffff:192.168.0.1', live, false],
  ['https://hooks.example.com/', '::127.0.0.1', live, false],
  ['https://hooks.example.com/', '2001:0:4136:e378:8000:63bf:3fff:fdd2', live, false],
  ['https://hooks.example.com/', '2606:2800:220:1::1', live, true],
  [
    'https://hooks.example.com/',
    '10.0.0.5',
    { environment: 'live', hosts: ['10.0.0.5'] } as const,
    true,
  ],
  [
    'https://intra.corp/',
    '10.0.0.5',
    { environment: 'live', hosts: ['intra.corp'] } as const,
    true,
  ],
  [
    'https://other.corp/',
    '10.0.0.5',
    { environment: 'live', hosts: ['intra.corp'] } as const,
    false,
  ],
  ['https://hooks.example.com/', '192.168.0.1', staging, true],
  ['http://localhost/', '127.0.0.1', staging, true],
  ['http://localhost/', '192.168.0.1', staging, false],
  ['http://localhost/', '127.0.0.1', live, false],
  ['http://localhost/', '127.0.0.1', { environment: 'live', hosts: ['localhost'] } as const, true],
  [
    'http://localhost/',
    '192.168.0.1',
    { environment: 'live', hosts: ['localhost', '192.168.0.1'] } as const,
    false,
  ],
])('a connection to %s at %s is allowed: %#', (url, address, policy, isAllowed) => {
  expect(isAllowedAddress(new URL(url), address, policy)).toBe(isAllowed);
});
