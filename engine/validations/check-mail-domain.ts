/**
 * Checks whether a domain accepts mail (RFC 5321, 5.1; RFC 7505), and whether this network's
 * negative answers can be trusted.
 */
import { randomBytes } from 'node:crypto';
import type { ValidationReason } from '../contract/validations.ts';
import { rootServer } from '../platform/net/name-servers.ts';
import type { DnsAnswer, MailDns, MailHost } from './mail-dns.ts';

/** Outcome of a domain's lookup. Each is also a validation reason. */
export type DomainOutcome = Extract<
  ValidationReason,
  | 'domain_accepts_mail'
  | 'domain_not_found'
  | 'domain_refuses_mail'
  | 'domain_has_no_mail_host'
  | 'domain_not_answering'
>;
/** Why the network's answers do not count; null if they do. */
export type NetworkProblem = Extract<
  ValidationReason,
  'network_unavailable' | 'network_unreliable'
> | null;

// If this many mail hosts of a domain do not exist, it is treated as having none.
const mailHostsTriedMax = 5;

// Unspecified and loopback addresses cannot receive mail.
const isElsewhere = (address: string): boolean =>
  !/^(?:0\.|127\.|::1?$|::ffff:(?:0|127)\.)/i.test(address);

async function findOutHost(dns: MailDns, host: string): Promise<DomainOutcome> {
  const answer = await dns.findAddresses(host);
  if (answer.kind === 'no_answer') return 'domain_not_answering';
  return answer.kind === 'found' && answer.values.some(isElsewhere)
    ? 'domain_accepts_mail'
    : 'domain_has_no_mail_host';
}

/** One mail host that exists is enough. One without an answer leaves the result open. */
async function findOutHosts(dns: MailDns, hosts: readonly MailHost[]): Promise<DomainOutcome> {
  const named = hosts.filter(({ name }) => name !== '');
  if (named.length === 0) return 'domain_refuses_mail';
  const inOrder = named.toSorted((a, b) => a.priority - b.priority);
  let outcome: DomainOutcome = 'domain_has_no_mail_host';
  for (const { name } of inOrder.slice(0, mailHostsTriedMax)) {
    const found = await findOutHost(dns, name);
    if (found === 'domain_accepts_mail') return found;
    if (found === 'domain_not_answering') outcome = found;
  }
  return outcome;
}

/**
 * Whether a domain accepts mail: by its mail hosts, otherwise by its own address (the implicit MX).
 * Never rejects.
 */
export async function checkMailDomain(dns: MailDns, domain: string): Promise<DomainOutcome> {
  const answer: DnsAnswer<MailHost> = await dns.findMailHosts(domain);
  if (answer.kind === 'no_such_name') return 'domain_not_found';
  if (answer.kind === 'no_answer') return 'domain_not_answering';
  return answer.kind === 'found' ? findOutHosts(dns, answer.values) : findOutHost(dns, domain);
}

/** Names that do not exist: one in a reserved zone, and one random name in a real zone. */
const listNobodysNames = (): string[] =>
  ['invalid', 'com'].map((zone) => `desk-${randomBytes(12).toString('hex')}.${zone}`);

/**
 * Tests the network itself. A network that cannot resolve a root server is offline, even if it
 * answers that the name does not exist. A network that resolves random names is a captive portal,
 * and its other answers are wrong too. Never rejects.
 */
export async function checkNetwork(dns: MailDns): Promise<NetworkProblem> {
  const [root, ...nobody] = await Promise.all(
    [rootServer, ...listNobodysNames()].map((name) => dns.findAddresses(name)),
  );
  if (nobody.some(({ kind }) => kind === 'found')) return 'network_unreliable';
  if (root?.kind !== 'found') return 'network_unavailable';
  return null;
}
