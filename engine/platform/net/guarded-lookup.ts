/** Name lookups for connections to untrusted hosts: they return only addresses that are allowed. */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** The failure of a lookup that found an address that is not allowed. */
export class AddressRefused extends Error {
  readonly code = 'EADDRESSREFUSED';
}

/**
 * Creates a lookup that resolves a name once, and fails with AddressRefused if any of its addresses
 * is not allowed: such an answer indicates an attack.
 * @param lookup defaults to the system's lookup
 */
export function createGuardedLookup(
  isAllowed: (address: string) => boolean,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  const guarded = (
    hostname: string,
    options: { all?: boolean },
    callback: (error: Error | null, found: string | LookupAddress[], family?: number) => void,
  ) =>
    lookup(hostname, { all: true, verbatim: false }, (error, found) => {
      if (error) return callback(error, []);
      const first = found[0];
      if (!first || !found.every(({ address }) => isAllowed(address)))
        return callback(new AddressRefused(), []);
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  return guarded as unknown as LookupFunction;
}
