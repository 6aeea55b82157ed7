// The requests that a loopback server answers: the table of Host, Origin and Fetch Metadata.
import { expect, test } from 'vitest';
import { findRefusal } from '../../engine/http/guards.ts';
import { parsePublicUrl } from '../../engine/http/public-url.ts';

const api = '/api/v1/data-enrichment/layers/';
const plain = {
  method: 'GET',
  path: api,
  host: '127.0.0.1:43117',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
};
const own = 'http://127.0.0.1:43117';

test.each([
  ['a program on this machine', {}],
  ['localhost by name', { host: 'localhost:43117' }],
  ['a host in capitals', { host: 'LOCALHOST:43117' }],
  ['the other loopback', { host: '[::1]:43117' }],
  ['our own page', { origin: own, fetchSite: 'same-origin', fetchMode: 'cors' }],
  ['our own page by name', { host: 'localhost:43117', origin: 'http://localhost:43117' }],
  ['the page of the desktop app', { origin: 'app://desk' }],
  ['an address typed by hand', { path: '/', fetchSite: 'none', fetchMode: 'navigate' }],
  [
    'a link of another site to the page',
    { path: '/', fetchSite: 'cross-site', fetchMode: 'navigate' },
  ],
])('%s is answered', (_who, headers) => {
  expect(findRefusal({ ...plain, ...headers }, 43_117)).toBeNull();
});

test.each([
  ['a name that was rebound to this machine', { host: 'evil.example:43117' }],
  ['another port', { host: '127.0.0.1:43118' }],
  ['no port', { host: '127.0.0.1' }],
  ['no host', { host: undefined }],
  ['a host with a dot behind', { host: 'localhost.:43117' }],
  ['a page of another port', { origin: 'http://localhost:5173' }],
  ['a page of the other name', { origin: 'http://localhost:43117' }],
  ['a page over https', { origin: 'https://127.0.0.1:43117' }],
  ['a page without an origin', { origin: 'null' }],
  ['a page of another site', { fetchSite: 'cross-site' }],
  ['a page of another site after one of our own', { fetchSite: 'same-origin, cross-site' }],
  ['a page of a site that is named in another way', { fetchSite: 'CROSS-SITE' }],
  ['a page of another port without an Origin', { fetchSite: 'same-site', fetchMode: 'no-cors' }],
  ['a link of another site to the API', { fetchSite: 'cross-site', fetchMode: 'navigate' }],
  [
    'a link of another site to staging',
    { path: `/staging${api}`, fetchSite: 'cross-site', fetchMode: 'navigate' },
  ],
  [
    'a form of another site',
    { path: '/', method: 'POST', fetchSite: 'cross-site', fetchMode: 'navigate' },
  ],
])('%s is refused', (_who, headers) => {
  expect(findRefusal({ ...plain, ...headers }, 43_117)).toMatch(/\. .*\.$/);
});

const publicUrl = parsePublicUrl('https://desk.team.example');
const outside = { ...plain, host: 'desk.team.example' };

test.each([
  ['the public host', {}],
  ['the public host in capitals', { host: 'Desk.Team.Example' }],
  ['the page at the public address', { origin: 'https://desk.team.example' }],
  ['this machine, as ever', { host: plain.host, origin: own }],
])('behind a proxy, %s is answered', (_who, headers) => {
  expect(findRefusal({ ...outside, ...headers }, 43_117, publicUrl)).toBeNull();
});

test.each([
  ['another host', { host: 'team.example' }],
  ['a host below it', { host: 'a.desk.team.example' }],
  ['its port on this machine', { host: 'desk.team.example:43117' }],
  ['a page of it without TLS', { origin: 'http://desk.team.example' }],
  ['a page of it at another port', { origin: 'https://desk.team.example:8443' }],
  ['a page of this machine', { origin: own }],
  ['a page of the public address at this machine', { host: plain.host, origin: publicUrl.origin }],
  ['a page of another site', { origin: 'https://evil.example' }],
])('behind a proxy, %s is refused', (_who, headers) => {
  expect(findRefusal({ ...outside, ...headers }, 43_117, publicUrl)).toMatch(/\. .*\.$/);
});

test('without a public address, its host is refused', () => {
  expect(findRefusal(outside, 43_117)).toMatch(/Host header/);
});

test.each([
  'http://desk.team.example',
  'desk.team.example',
  'https://desk.team.example/path',
  'https://user@desk.team.example',
  'https://desk.team.example/?a=1',
  'https://',
])('%s is no public address', (text) => {
  expect(() => parsePublicUrl(text)).toThrow('https://desk.team.example');
});
