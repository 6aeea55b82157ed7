// Name lookups for connections to untrusted hosts: they return only addresses that are allowed.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Resolves names, as the function of `node:dns` does. */
export type Lookup = typeof systemLookup;

export class AddressRefused extends Error {
  readonly code = 'EADDRESSREFUSED';
  override message = 'the host has an address that is not allowed';
}

/**
 * Creates a lookup that resolves a name once, and fails with AddressRefused if any of its addresses
 * is not allowed: such an answer indicates an attack.
 * @param lookup defaults to the system's lookup
 */
export function createGuardedLookup(
  isAllowed: (address: string) => boolean,
  lookup: Lookup = systemLookup,
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

/** A lookup that asks once for a name: a second connection goes to the same addresses. */
export function lookUpOnce(lookup: Lookup = systemLookup): Lookup {
  const answers = new Map<string, Promise<unknown[]>>();
  const once = (host: string, options: object, callback: (...answer: unknown[]) => void) => {
    const ask = () =>
      new Promise<unknown[]>((resolve) => {
        (lookup as (...given: unknown[]) => void)(host, options, (...answer: unknown[]) =>
          resolve(answer),
        );
      });
    const answer = answers.get(host) ?? ask();
    answers.set(host, answer);
    void answer.then((given) => callback(...given));
  };
  return once as unknown as Lookup;
}

/** Rejects with AddressRefused. A name that is unknown here passes: a proxy may know it. */
export function checkName(
  host: string,
  isAllowed: (address: string) => boolean,
  lookup?: Lookup,
): Promise<void> {
  return new Promise((resolve, reject) => {
    createGuardedLookup(isAllowed, lookup)(host, { all: true }, (error) => {
      if (error instanceof AddressRefused) reject(error);
      else resolve();
    });
  });
}
