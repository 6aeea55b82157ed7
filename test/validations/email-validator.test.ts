// The verdict on an address by its domain, with a real name server on loopback.
import { expect, test } from 'vitest';
import { domainsKeptMax } from '../../engine/contract/limits/validations.ts';
import type { ValidationReason } from '../../engine/contract/validations.ts';
import { openMailDns } from '../../engine/validations/mail-dns.ts';
import { keepDomainFindings } from '../../engine/validations/mail-domain.table.ts';
import { type DnsServer, startDnsServer, type Zone } from '../dns-server.ts';
import { openInMemory, openJudge, takesMail } from './open-validator.ts';

const mxQuestions = ({ questions }: DnsServer) =>
  questions.filter((question) => question.startsWith('MX '));

test.each<[string, Readonly<Record<string, Zone>>, ValidationReason]>([
  [
    'a domain with an MX whose host is there takes mail',
    { 'a.org': { mx: [[5, 'mx.a.org']] }, 'mx.a.org': { a: ['203.0.113.1'] } },
    'domain_accepts_mail',
  ],
  [
    'the hosts are tried in the order of their priority until one is there',
    {
      'a.org': {
        mx: [
          [9, 'ok.a.org'],
          [1, 'gone.a.org'],
        ],
      },
      'ok.a.org': { aaaa: ['2001:db8::1'] },
    },
    'domain_accepts_mail',
  ],
  ['no MX but an A: the implicit MX', { 'a.org': { a: ['203.0.113.1'] } }, 'domain_accepts_mail'],
  [
    'no MX but an AAAA: the implicit MX',
    { 'a.org': { aaaa: ['2001:db8::1'] } },
    'domain_accepts_mail',
  ],
  [
    'a null MX takes no mail, whatever its A',
    { 'a.org': { mx: [[0, '']], a: ['203.0.113.1'] } },
    'domain_refuses_mail',
  ],
  ['NXDOMAIN: there is no such domain', {}, 'domain_not_found'],
  ['a domain without MX and address has no mail host', { 'a.org': {} }, 'domain_has_no_mail_host'],
  [
    'an MX that names a host that is not there is none',
    { 'a.org': { mx: [[1, 'gone.a.org']] } },
    'domain_has_no_mail_host',
  ],
  [
    'a host at an address of nowhere is not there',
    { 'a.org': { mx: [[1, 'here.a.org']] }, 'here.a.org': { a: ['127.0.0.1', '0.0.0.0'] } },
    'domain_has_no_mail_host',
  ],
  ['SERVFAIL leaves it open', { 'a.org': { fails: 'servfail' } }, 'domain_not_answering'],
  ['REFUSED leaves it open', { 'a.org': { fails: 'refused' } }, 'domain_not_answering'],
  ['a time-out leaves it open', { 'a.org': { fails: 'silent' } }, 'domain_not_answering'],
  [
    'a host that nothing is known of leaves it open',
    {
      'a.org': {
        mx: [
          [1, 'mx.a.org'],
          [2, 'no.a.org'],
        ],
      },
      'mx.a.org': { fails: 'servfail' },
    },
    'domain_not_answering',
  ],
])('%s', async (_title, zones, reason) => {
  const { judge } = await openJudge({ zones });
  expect(await judge('ada@a.org')).toEqual([reason]);
});

test('a domain that accepts mail does not prove the mailbox: unknown, and free', async () => {
  const { statuses } = await openJudge();
  expect(await statuses('ada@engines.org')).toEqual(['unknown']);
});

test('each domain is looked up once, however many addresses it has and however it is written', async () => {
  const { judge, dns } = await openJudge({
    zones: { 'xn--mnchen-3ya.de': takesMail, 'engines.com': takesMail },
  });
  const emails = Array.from({ length: 300 }, (_, nth) => {
    const domain = ['engines.org', 'ENGINES.com', nth % 2 ? 'münchen.de' : 'xn--mnchen-3ya.de'];
    return `person${nth}@${domain[nth % 3]}`;
  });
  expect(new Set(await judge(...emails))).toEqual(new Set(['domain_accepts_mail']));
  expect(mxQuestions(dns).toSorted()).toEqual([
    'MX engines.com',
    'MX engines.org',
    'MX xn--mnchen-3ya.de',
  ]);
});

test.each<[string, Zone | null, ValidationReason, number]>([
  ['a domain that takes mail', takesMail, 'domain_accepts_mail', 24 * 60],
  ['one that refuses it', { mx: [[0, '']] }, 'domain_refuses_mail', 24 * 60],
  ['one without a host', {}, 'domain_has_no_mail_host', 60],
  ['one that does not exist', null, 'domain_not_found', 60],
  ['one that does not answer', { fails: 'servfail' }, 'domain_not_answering', 5],
])(
  '%s is cached for its time, and looked up again afterwards',
  async (_, zone, reason, minutes) => {
    const { judge, dns, clock } = await openJudge();
    if (zone) dns.zones.set('a.org', zone);
    expect(await judge('ada@a.org')).toEqual([reason]);
    dns.zones.set('a.org', zone === takesMail ? {} : takesMail);
    dns.questions.length = 0;
    clock.nowMs += minutes * 60_000 - 1;
    expect(await judge('bob@a.org')).toEqual([reason]);
    expect(dns.questions).toEqual([]);
    clock.nowMs += 1;
    expect(await judge('bob@a.org')).not.toEqual([reason]);
  },
);

test('after the clock was set back, what was cached by the later time is looked up again', async () => {
  const { judge, dns, clock } = await openJudge();
  dns.zones.set('a.org', takesMail);
  clock.nowMs += 3_650 * 24 * 3_600_000;
  expect(await judge('ada@a.org')).toEqual(['domain_accepts_mail']);
  dns.zones.set('a.org', {});
  clock.nowMs -= 3_650 * 24 * 3_600_000;
  expect(await judge('ada@a.org')).toEqual(['domain_has_no_mail_host']);
});

test('the number of cached domains is limited: the oldest are removed', () => {
  const database = openInMemory('store');
  const keep = (domain: string) =>
    keepDomainFindings(database, [
      { domain, outcome: 'domain_accepts_mail', keptUntil: '2027-01-01T00:00:00.000Z' },
    ]);
  const kept = () => database.prepare('SELECT domain FROM mail_domain ORDER BY id').pluck().all();
  keep('a.org');
  keep('b.org');
  keep('a.org');
  expect(kept()).toEqual(['b.org', 'a.org']);
  // As if all others up to the limit had come meanwhile; b.org was the second.
  database.exec(`UPDATE sqlite_sequence SET seq = ${domainsKeptMax + 1}`);
  keep('c.org');
  expect(kept()).toEqual(['a.org', 'c.org']);
  keep('d.org');
  expect(kept()).toEqual(['c.org', 'd.org']);
});

test('without any network an address is unknown, never invalid; what needs none is decided', async () => {
  const closed = await startDnsServer({});
  const { address } = closed;
  await closed.close();
  for (const servers of [address, 'off']) {
    const { judge } = await openJudge({ servers });
    expect(
      await judge('ada@engines.org', 'ada@gone.org', 'no address', 'ada@mailinator.com'),
    ).toEqual([
      'network_unavailable',
      'network_unavailable',
      'not_an_address',
      'disposable_domain',
    ]);
    // A role address is decided without any network.
    expect(await judge('info@engines.org')).toEqual(['role_mailbox']);
  }
});

test('name servers that are not addresses are refused with the name of their setting', () => {
  expect(() => openMailDns({ servers: 'nonsense' })).toThrow(/^DESK_DNS_SERVERS is "nonsense"/);
});

test('an offline resolver that denies every name is not trusted', async () => {
  const { judge, dns } = await openJudge();
  dns.zones.clear();
  expect(await judge('ada@engines.org')).toEqual(['network_unavailable']);
});

test('a network that failed while the clock was ahead is tried again after the clock is right', async () => {
  const { judge, dns, clock } = await openJudge();
  const zones = new Map(dns.zones);
  const rightMs = clock.nowMs;
  clock.nowMs += 10 * 365 * 86_400_000;
  dns.zones.clear();
  expect(await judge('ada@engines.org')).toEqual(['network_unavailable']);
  for (const [name, zone] of zones) dns.zones.set(name, zone);
  clock.nowMs = rightMs;
  expect(await judge('ada@engines.org')).not.toEqual(['network_unavailable']);
});

test('a network that answers for every name, as in hotels, is not trusted', async () => {
  const { judge, dns } = await openJudge();
  dns.unknown = { a: ['10.0.0.1'] };
  expect(await judge('ada@gone.org', 'ada@engines.org')).toEqual([
    'network_unreliable',
    'network_unreliable',
  ]);
});

test('a network that ends during the lookups makes no address invalid', async () => {
  const { judge, dns, clock } = await openJudge();
  expect(await judge('ada@engines.org')).toEqual(['domain_accepts_mail']);
  dns.zones.clear();
  expect(await judge('ada@other.org')).toEqual(['network_unavailable']);
  // The network returns, and no answer of the meantime is cached.
  dns.zones.set('a.root-servers.net', { a: ['198.41.0.4'] });
  dns.zones.set('other.org', takesMail).set('mx.engines.org', { a: ['203.0.113.5'] });
  clock.nowMs += 30_000;
  expect(await judge('ada@other.org')).toEqual(['domain_accepts_mail']);
});
