/**
 * Name servers as a source: who takes mail for a domain, and where a host is, asked through the
 * machine's own resolver. Nothing else is ever asked: no mail server hears of an address.
 */
import { Resolver } from 'node:dns/promises';
import { EngineError } from '../contract/errors.ts';

/** What name servers say of a name: what it has, that it has none, or that there is none. */
export type DnsAnswer<Value> =
  | { readonly kind: 'found'; readonly values: readonly Value[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'no_such_name' }
  /** They failed, refused, kept silent or cannot be reached: nothing is known. */
  | { readonly kind: 'no_answer' };

/** A host that takes mail; an empty name stands for "nobody" (RFC 7505). */
export interface MailHost {
  readonly name: string;
  /** The lowest is tried first. */
  readonly priority: number;
}

/** The way to name servers. No call ever rejects. */
export interface MailDns {
  findMailHosts(domain: string): Promise<DnsAnswer<MailHost>>;
  /** Addresses of a host, IPv4 first; IPv6 is asked only where there is none. */
  findAddresses(host: string): Promise<DnsAnswer<string>>;
  /** Ends what is being asked, and all that is asked later, unanswered. */
  stop(): void;
}

/** How name servers are asked. */
export interface MailDnsOptions {
  /**
   * Empty for those of the system; "off" asks nobody; else addresses with or without a port,
   * separated by commas.
   */
  readonly servers: string;
  /** The wait for the first try; the second waits longer. */
  readonly timeoutMs?: number;
}

const timeoutMsDefault = 2_500;
const tries = 2;

async function askOnce<Value>(question: () => Promise<Value[]>): Promise<DnsAnswer<Value>> {
  try {
    const values = await question();
    return values.length ? { kind: 'found', values } : { kind: 'empty' };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENODATA') return { kind: 'empty' };
    return { kind: code === 'ENOTFOUND' ? 'no_such_name' : 'no_answer' };
  }
}

const silent: MailDns = {
  findMailHosts: async () => ({ kind: 'no_answer' }),
  findAddresses: async () => ({ kind: 'no_answer' }),
  stop: () => undefined,
};

function chooseServers(resolver: Resolver, servers: string): void {
  try {
    resolver.setServers(servers.split(',').map((server) => server.trim()));
  } catch (cause) {
    throw new EngineError(
      'validation_error',
      `DESK_DNS_SERVERS is ${JSON.stringify(servers)}. Name IP addresses separated by commas, ` +
        'each with a port if need be, or say "off".',
      { cause },
    );
  }
}

/** Opens the way to name servers. Throws `validation_error` where one is no address. */
export function openMailDns({ servers, timeoutMs = timeoutMsDefault }: MailDnsOptions): MailDns {
  if (servers === 'off') return silent;
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== '') chooseServers(resolver, servers);
  let isStopped = false;
  const ask = <Value>(question: () => Promise<Value[]>): Promise<DnsAnswer<Value>> =>
    isStopped ? Promise.resolve({ kind: 'no_answer' }) : askOnce(question);
  return {
    findMailHosts: (domain) =>
      ask(async () =>
        (await resolver.resolveMx(domain)).map(({ exchange, priority }) => ({
          name: exchange,
          priority,
        })),
      ),
    async findAddresses(host) {
      const four = await ask(() => resolver.resolve4(host));
      return four.kind === 'empty' ? ask(() => resolver.resolve6(host)) : four;
    },
    stop() {
      isStopped = true;
      resolver.cancel();
    },
  };
}
