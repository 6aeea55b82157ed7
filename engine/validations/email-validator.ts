// Validates batches of addresses: syntax, reports of the directory's sources, and each domain once.
// Findings about domains are returned, so that the caller stores them with the verdicts.
import { randomBytes } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { bounceKeptDays, verifiedKeptDays } from '../contract/limits/directory.ts';
import { domainLookupsMax } from '../contract/limits/validations.ts';
import {
  type EmailVerdict,
  statusOfReason,
  type ValidationReason,
  validationReasons,
} from '../contract/validations.ts';
import { isRoleMailbox } from '../directory/normalize/normalize-email.ts';
import { isDisposableDomain } from '../directory/normalize/reference-tables.ts';
import { type EmailReport, findEmailReport } from '../directory/read/find-email-reports.ts';
import { rootServer } from '../platform/net/name-servers.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import type { DnsAnswer, MailDns, MailHost } from './mail-dns.ts';
import { type DomainFinding, findDomain } from './mail-domain.table.ts';
import { type Address, isReservedDomain, parseAddress } from './parse-address.ts';

type DomainOutcome = Extract<
  ValidationReason,
  | 'domain_accepts_mail'
  | 'domain_not_found'
  | 'domain_refuses_mail'
  | 'domain_has_no_mail_host'
  | 'domain_not_answering'
>;
/** Why the network's answers do not count; null if they do. */
type NetworkProblem = Extract<
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

/** By its mail hosts, otherwise by its own address (the implicit MX). Never rejects. */
async function checkMailDomain(dns: MailDns, domain: string): Promise<DomainOutcome> {
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
async function checkNetwork(dns: MailDns): Promise<NetworkProblem> {
  const [root, ...nobody] = await Promise.all(
    [rootServer, ...listNobodysNames()].map((name) => dns.findAddresses(name)),
  );
  if (nobody.some(({ kind }) => kind === 'found')) return 'network_unreliable';
  if (root?.kind !== 'found') return 'network_unavailable';
  return null;
}

// Decides the verdict of an address from everything that is known about it. Pure functions
// (docs/decisions, "What makes an email valid").

interface AddressFacts {
  readonly isDisposable: boolean;
  readonly isRole: boolean;
  /** The newest report of a source; null without one. */
  readonly report: EmailReport | null;
  /** The outcome of the domain's lookup, or the network problem that prevented it. */
  readonly domain: DomainOutcome | Exclude<NetworkProblem, null>;
}

const dayMs = 86_400_000;

const keptDays: Readonly<Record<EmailReport['status'], number>> = {
  valid: verifiedKeptDays,
  catch_all: verifiedKeptDays,
  invalid: bounceKeptDays,
  disposable: Number.POSITIVE_INFINITY,
  role: Number.POSITIVE_INFINITY,
};

/** Whether a report is too old to count. A report without a valid day is too old. */
function isTooOld(report: EmailReport, now: Date): boolean {
  const ageDays = Math.floor((now.getTime() - Date.parse(report.observedOn)) / dayMs);
  return !(ageDays <= keptDays[report.status]);
}

/**
 * Decides verdicts that do not depend on the network; null if the domain has to be looked up.
 * @param facts `report` only if it is not too old
 */
function decideOffline(
  facts: Pick<AddressFacts, 'isDisposable' | 'report'>,
): ValidationReason | null {
  if (facts.isDisposable) return 'disposable_domain';
  if (facts.report?.status === 'disposable') return 'reported_disposable';
  return facts.report?.status === 'invalid' ? 'reported_invalid' : null;
}

/**
 * Decides with the outcome of the domain's lookup. A positive report counts only if the domain
 * accepts mail today. A role address is recognised by the address alone.
 * @param facts `report` only if it is not too old
 * @param hadOldReport whether there is a report that is too old
 */
function decideByDomain(
  facts: Omit<AddressFacts, 'isDisposable'>,
  hadOldReport: boolean,
): ValidationReason {
  const { domain, report } = facts;
  if (validationReasons[domain].status === 'invalid') return domain;
  const takesMail = domain === 'domain_accepts_mail';
  if (takesMail && report?.status === 'valid') return 'verified_by_source';
  if (takesMail && report?.status === 'catch_all') return 'reported_catch_all';
  if (facts.isRole) return 'role_mailbox';
  if (report?.status === 'role') return 'reported_role';
  return takesMail && hadOldReport ? 'report_too_old' : domain;
}

export interface ValidatorDeps {
  /** engine.db, which caches domains. */
  readonly database: ReadableDatabase;
  /** directory.db, on its own connection or attached to engine.db. */
  readonly directoryDatabase: ReadableDatabase;
  readonly dns: MailDns;
  now(): Date;
  /** In the staging environment the example domains accept mail, and reports never expire. */
  readonly isStaging: boolean;
}

export interface ValidatedEmails {
  /** One for each address, in order. */
  readonly verdicts: readonly EmailVerdict[];
  /** Findings about domains, for `keepDomainFindings` in any transaction. */
  readonly findings: readonly DomainFinding[];
}

export interface EmailValidator {
  /**
   * Validates a batch of addresses as sent. Charges, holds and stores nothing: the caller charges
   * each verdict that `isDecided` at `priceValidation`. Never rejects because of the network.
   */
  validateEmails(emails: readonly string[]): Promise<ValidatedEmails>;
  stop(): void;
}

type DomainState = DomainOutcome | Exclude<NetworkProblem, null>;

const hourMs = 3_600_000;
/** How long each outcome is cached. The resolver does not expose the TTL of the records. */
const keptMs: Readonly<Record<DomainOutcome, number>> = {
  domain_accepts_mail: 24 * hourMs,
  domain_refuses_mail: 24 * hourMs,
  domain_has_no_mail_host: hourMs,
  domain_not_found: hourMs,
  domain_not_answering: hourMs / 12,
};
/** How long the state of the network is cached. */
const networkKeptMs = 30_000;

interface OpenAddress extends Address {
  readonly at: number;
  readonly report: EmailReport | null;
  readonly hadOldReport: boolean;
}

const isDisposable = (domain: string): boolean => {
  const labels = domain.split('.');
  return labels.slice(0, -1).some((_label, nth) => isDisposableDomain(labels.slice(nth).join('.')));
};

/** Decides without the network. Returns the addresses whose domain must be looked up. */
function decideAlone(
  deps: ValidatorDeps,
  emails: readonly string[],
): { reasons: (ValidationReason | null)[]; open: OpenAddress[] } {
  const open: OpenAddress[] = [];
  const isReserved = (domain: string) =>
    isReservedDomain(domain) && !(deps.isStaging && domain.endsWith('.example'));
  const list = readSuppressionList(deps.database);
  const reasons = emails.map((text, at): ValidationReason | null => {
    if (list.hasEmail(text)) return 'suppressed';
    const parsed = parseAddress(text);
    if ('problem' in parsed) return parsed.problem;
    const { local, domain } = parsed.address;
    if (isReserved(domain)) return 'domain_reserved';
    const spellings = new Set([`${local}@${domain}`, `${local}@${domainToUnicode(domain)}`]);
    const report = findEmailReport(deps.directoryDatabase, [...spellings]);
    const hadOldReport = report !== null && !deps.isStaging && isTooOld(report, deps.now());
    const facts = { isDisposable: isDisposable(domain), report: hadOldReport ? null : report };
    const reason = decideOffline(facts);
    if (reason === null) open.push({ at, local, domain, report: facts.report, hadOldReport });
    return reason;
  });
  return { reasons, open };
}

/** Runs `work` for each item, with a limited number at a time. */
async function doEach<Item>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const doNext = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, doNext));
}

const isDead = (outcome: DomainOutcome): boolean => validationReasons[outcome].status === 'invalid';

/** Looks up new domains. If the network is not trusted before or after, nothing counts. */
async function askForDomains(
  deps: ValidatorDeps,
  domains: readonly string[],
  readNetwork: (isFresh: boolean) => Promise<NetworkProblem>,
): Promise<Map<string, DomainState>> {
  const problem = await readNetwork(false);
  if (problem) return new Map(domains.map((domain) => [domain, problem]));
  const found = new Map<string, DomainOutcome>();
  await doEach(domains, domainLookupsMax, async (domain) => {
    found.set(domain, await checkMailDomain(deps.dns, domain));
  });
  const outcomes = [...found.values()];
  if (outcomes.every((outcome) => outcome === 'domain_accepts_mail')) return found;
  // The connection may have been lost meanwhile, so negative answers are confirmed with a second
  // test.
  const later = await readNetwork(true);
  if (!later) return found;
  return new Map(
    [...found].map(([domain, outcome]) => [
      domain,
      isDead(outcome) || outcome === 'domain_not_answering' ? later : outcome,
    ]),
  );
}

/** The cached outcome of a domain, unless it is too old or the clock was set back since. */
function findCached({ database, now }: ValidatorDeps, domain: string): DomainOutcome | null {
  const known = findDomain(database, domain);
  if (!known) return null;
  const outcome = known.outcome as DomainOutcome;
  const leftMs = Date.parse(known.keptUntil) - now().getTime();
  return leftMs > 0 && leftMs <= keptMs[outcome] ? outcome : null;
}

async function findDomains(
  deps: ValidatorDeps,
  domains: ReadonlySet<string>,
  readNetwork: (isFresh: boolean) => Promise<NetworkProblem>,
): Promise<{ states: Map<string, DomainState>; findings: DomainFinding[] }> {
  const states = new Map<string, DomainState>();
  for (const domain of domains) {
    const isExample = deps.isStaging && domain.endsWith('.example');
    const known = isExample ? 'domain_accepts_mail' : findCached(deps, domain);
    if (known !== null) states.set(domain, known);
  }
  const unknownDomains = [...domains].filter((domain) => !states.has(domain));
  if (unknownDomains.length === 0) return { states, findings: [] };
  const answers = await askForDomains(deps, unknownDomains, readNetwork);
  const nowMs = deps.now().getTime();
  const findings = [...answers].flatMap(([domain, state]) => {
    states.set(domain, state);
    if (!(state in keptMs)) return [];
    const keptUntil = new Date(nowMs + keptMs[state as DomainOutcome]).toISOString();
    return [{ domain, outcome: state, keptUntil }];
  });
  return { states, findings };
}

export function createEmailValidator(deps: ValidatorDeps): EmailValidator {
  let network: { problem: NetworkProblem; checkedMs: number } | null = null;
  const readNetwork = async (isFresh: boolean): Promise<NetworkProblem> => {
    // The clock may have been set back since.
    const isKept = network && Math.abs(deps.now().getTime() - network.checkedMs) < networkKeptMs;
    if (isFresh || !network || !isKept) {
      const problem = await checkNetwork(deps.dns);
      network = { problem, checkedMs: deps.now().getTime() };
    }
    return network.problem;
  };
  return {
    async validateEmails(emails) {
      const { reasons, open } = decideAlone(deps, emails);
      const domains = new Set(open.map(({ domain }) => domain));
      const { states, findings } = await findDomains(deps, domains, readNetwork);
      for (const { at, local, domain, report, hadOldReport } of open) {
        const isRole = isRoleMailbox(`${local}@${domain}`);
        const state = states.get(domain) ?? 'network_unavailable';
        const facts = { isRole, report, domain: state };
        reasons[at] = decideByDomain(facts, hadOldReport);
      }
      const verdicts = emails.map((email, at): EmailVerdict => {
        const reason = reasons[at];
        if (!reason) throw new Error('an address has no verdict');
        return { email, status: statusOfReason(reason), reason };
      });
      return { verdicts, findings };
    },
    stop: () => deps.dns.stop(),
  };
}
