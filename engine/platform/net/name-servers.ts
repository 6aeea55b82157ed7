// Whose fault a name without an address is: the name's own, or the network's.

/** Asks name servers for the addresses of a host. Never rejects. */
export interface NameServers {
  findAddresses(
    host: string,
  ): Promise<{ readonly kind: 'found' | 'empty' | 'no_such_name' | 'no_answer' }>;
}

/** A host that has always existed: a network that cannot resolve it cannot resolve any name. */
export const rootServer = 'a.root-servers.net';

/**
 * Whether a host name has no address although this machine has a network: the name servers say so,
 * and resolve another name. A network without a way out may say so of every name. Never rejects.
 */
export async function isNameMissing(names: NameServers, host: string): Promise<boolean> {
  const [asked, known] = await Promise.all(
    [host, rootServer].map((name) => names.findAddresses(name)),
  );
  return (asked?.kind === 'no_such_name' || asked?.kind === 'empty') && known?.kind === 'found';
}
