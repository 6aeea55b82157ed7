// DNS: mail hosts and addresses, by the system's resolver. No mail server is contacted.
import { Resolver } from 'node:dns/promises';
import { EngineError } from '../contract/errors.ts';

/** Answer for a name: its records, no records, or the name does not exist. */
export type DnsAnswer<Value> =
  | { readonly kind: 'found'; readonly values: readonly Value[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'no_such_name' }
  /** The name servers failed, refused, timed out or are unreachable: nothing is known. */
  | { readonly kind: 'no_answer' };

/** A mail host. An empty name means that the domain accepts no mail (RFC 7505). */
export interface MailHost {
  readonly name: string;
  /** The lowest is tried first. */
  readonly priority: number;
}

/** DNS client. No call ever rejects. */
export interface MailDns {
  findMailHosts(domain: string): Promise<DnsAnswer<MailHost>>;
  /** Addresses of a host, IPv4 first; IPv6 is requested only if there is none. */
  findAddresses(host: string): Promise<DnsAnswer<string>>;
  /** Ends pending and later requests without an answer. */
  stop(): void;
}

export interface MailDnsOptions {
  /** Empty: the system's. "off": no requests. Else addresses, with or without port, by comma. */
  readonly servers: string;
  /** Time limit of the first try; the second try has a longer one. */
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
      `DESK_DNS_SERVERS is ${JSON.stringify(servers)}. Send IP addresses separated by commas, ` +
        'each with an optional port, or "off".',
      { cause },
    );
  }
}

/** Creates the DNS client. Throws `validation_error` if a server is not a valid address. */
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
