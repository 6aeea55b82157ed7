// Which proxy a request goes through: variables of the environment, and answers of the system.
import { expect, test } from 'vitest';
import {
  createFindRoutes,
  parseProxyList,
  type Route,
} from '../../../engine/platform/net/proxy-routes.ts';

const show = (routes: readonly Route[]) =>
  routes.map((route) => (route.kind === 'direct' ? 'direct' : route.url.href));

const find = async (
  environment: NodeJS.ProcessEnv,
  address = 'https://api.finder.example/v1?key=secret',
  askSystem: ((origin: string) => Promise<string>) | null = null,
) => show(await createFindRoutes(environment, askSystem)(new URL(address)));

test.each([
  [{}, 'direct'],
  [{ HTTPS_PROXY: '' }, 'direct'],
  [{ HTTP_PROXY: 'http://proxy.example' }, 'direct'],
  [{ HTTPS_PROXY: 'http://proxy.example:8080' }, 'http://proxy.example:8080/'],
  [{ https_proxy: 'proxy.example:8080' }, 'http://proxy.example:8080/'],
  [{ HTTPS_PROXY: 'https://ann:s%40e@proxy.example' }, 'https://ann:s%40e@proxy.example/'],
  [{ HTTPS_PROXY: 'http://proxy.example', NO_PROXY: 'other.example' }, 'http://proxy.example/'],
])('with %j a request goes to %s', async (environment, expected) => {
  expect(await find(environment)).toEqual([expected]);
});

test.each([
  ['*', true],
  ['finder.example', true],
  ['.finder.example', true],
  ['*.finder.example', true],
  ['API.Finder.Example', true],
  ['a.example, finder.example', true],
  ['a.example finder.example', true],
  ['finder.example:443', true],
  ['finder.example:8443', false],
  ['inder.example', false],
  ['other.api.finder.example', false],
  ['', false],
  [',', false],
])('NO_PROXY=%s exempts the host: %s', async (noProxy, isExempt) => {
  const environment = { HTTPS_PROXY: 'http://proxy.example', no_proxy: noProxy };
  expect(await find(environment)).toEqual([isExempt ? 'direct' : 'http://proxy.example/']);
});

test.each([
  'https://localhost:8443/',
  'https://a.localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
])('a request to this machine, %s, has no proxy', async (address) => {
  const ask = async () => 'PROXY proxy.example:8080';
  expect(await find({ HTTPS_PROXY: 'http://proxy.example' }, address)).toEqual(['direct']);
  expect(await find({}, address, ask)).toEqual(['direct']);
});

test.each([
  ['10.1.2.3', 'https://10.1.2.3/'],
  ['[2001:db8::1]', 'https://[2001:db8::1]/'],
])('NO_PROXY=%s exempts the address', async (noProxy, address) => {
  expect(await find({ HTTPS_PROXY: 'http://p.example', NO_PROXY: noProxy }, address)).toEqual([
    'direct',
  ]);
});

test.each(['socks5://ann:secret@proxy.example', 'http://', 'http://a b'])(
  'HTTPS_PROXY=%s is refused without being repeated',
  async (proxy) => {
    const error = await find({ HTTPS_PROXY: proxy }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('HTTPS_PROXY is not the address of an HTTP proxy');
    expect(String(error)).not.toContain('secret');
  },
);

test('without HTTPS_PROXY the system is asked, and learns only the origin', async () => {
  const asked: string[] = [];
  const askSystem = async (origin: string) => {
    asked.push(origin);
    return 'PROXY proxy.example:8080; DIRECT';
  };
  expect(await find({}, undefined, askSystem)).toEqual(['http://proxy.example:8080/', 'direct']);
  expect(asked).toEqual(['https://api.finder.example/']);
  expect(await find({ HTTPS_PROXY: 'own.example' }, undefined, askSystem)).toEqual([
    'http://own.example/',
  ]);
  expect(asked).toHaveLength(1);
});

test.each([
  ['DIRECT', ['direct']],
  ['', ['direct']],
  ['PROXY a.example:8080', ['http://a.example:8080/']],
  ['HTTPS a.example:8443;PROXY b.example:80', ['https://a.example:8443/', 'http://b.example/']],
  ['SOCKS5 a.example:1080; PROXY b.example:3128', ['http://b.example:3128/']],
  ['SOCKS a.example:1080; DIRECT', ['direct']],
])('the answer %j of the system is %j', (list, expected) => {
  expect(show(parseProxyList(list))).toEqual(expected);
});

test.each(['SOCKS a.example:1080', 'SOCKS5 a.example:1080; SOCKS4 b.example:1080'])(
  'the answer %s, which names no HTTP proxy, is refused with words',
  (list) => {
    expect(() => parseProxyList(list)).toThrow(/SOCKS.* cannot be used\. Set HTTPS_PROXY/);
  },
);
