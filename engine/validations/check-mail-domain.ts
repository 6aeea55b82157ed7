/**
 * Whether a domain takes mail (RFC 5321, 5.1; RFC 7505), and whether this network can be believed
 * when it says that one does not.
 */
import { randomBytes } from 'node:crypto';
import type { ValidationReason } from '../contract/validations.ts';
import type { DnsAnswer, MailDns, MailHost } from './mail-dns.ts';

/** What became of asking for a domain; each is a reason of its own. */
export type DomainOutcome = Extract<
  ValidationReason,
  | 'domain_accepts_mail'
  | 'domain_not_found'
  | 'domain_refuses_mail'
  | 'domain_has_no_mail_host'
  | 'domain_not_answering'
>;
/** Why nothing that the network says counts; null where it can be believed. */
export type NetworkProblem = Extract<
  ValidationReason,
  'network_unavailable' | 'network_unreliable'
> | null;

// A domain with so many mail hosts that are not there has none for our purpose.
const mailHostsTriedMax = 5;

// Addresses of nowhere and of whoever asks: no mail gets there.
const isElsewhere = (address: string): boolean =>
  !/^(?:0\.|127\.|::1?$|::ffff:(?:0|127)\.)/i.test(address);

async function findOutHost(dns: MailDns, host: string): Promise<DomainOutcome> {
  const answer = await dns.findAddresses(host);
  if (answer.kind === 'no_answer') return 'domain_not_answering';
  return answer.kind === 'found' && answer.values.some(isElsewhere)
    ? 'domain_accepts_mail'
    : 'domain_has_no_mail_host';
}

/** One mail host that can be found is enough; one that nothing is known of leaves it open. */
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
 * Whether a domain takes mail: its mail hosts, else the domain's own address (the implicit MX).
 * Never rejects.
 */
export async function checkMailDomain(dns: MailDns, domain: string): Promise<DomainOutcome> {
  const answer: DnsAnswer<MailHost> = await dns.findMailHosts(domain);
  if (answer.kind === 'no_such_name') return 'domain_not_found';
  if (answer.kind === 'no_answer') return 'domain_not_answering';
  return answer.kind === 'found' ? findOutHosts(dns, answer.values) : findOutHost(dns, domain);
}

/** A host that has been there as long as the internet: a network without it knows no names. */
const rootServer = 'a.root-servers.net';

/** Names that nobody has: one that may not exist, and one that does not. */
const listNobodysNames = (): string[] =>
  ['invalid', 'com'].map((zone) => `desk-${randomBytes(12).toString('hex')}.${zone}`);

/**
 * Tries the network itself. One that does not know a root server is cut off, also where it answers
 * that no name exists; one that finds names of nobody is a hotel's, and lies of every other too.
 * Never rejects.
 */
export async function checkNetwork(dns: MailDns): Promise<NetworkProblem> {
  const [root, ...nobody] = await Promise.all(
    [rootServer, ...listNobodysNames()].map((name) => dns.findAddresses(name)),
  );
  if (nobody.some(({ kind }) => kind === 'found')) return 'network_unreliable';
  if (root?.kind !== 'found') return 'network_unavailable';
  return null;
}
