// The address of a shared directory: a URL of PostgreSQL without its password. Outside this machine
// the server must prove its name (`sslmode=verify-full`) by a certificate of a given authority. The
// host may be the folder of the server's socket file, with "/" written as %2F.
import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { sharedAddressCharactersMax } from '../../contract/shared/limits.ts';

export interface SharedAddress {
  /** A name, an IP address, or the folder of a socket file, which begins with "/". */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Null: without TLS, which only this machine allows. */
  readonly tls: {
    /** A PEM file of the authorities, or `system` for those of this machine. */
    readonly authorities: string;
  } | null;
}

const defaultPort = 5432;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

const example = 'postgres://desk@db.example.com/team?sslmode=verify-full&sslrootcert=/path/ca.pem';

/** Other parameters change who is asked or what is checked, so they are refused, not ignored. */
const ParametersSchema = z.strictObject({
  sslmode: z.enum(['verify-full', 'disable']).optional(),
  sslrootcert: z.string().min(1).optional(),
});

const UrlSchema = z.url({ protocol: /^postgres(ql)?$/ }).max(sharedAddressCharactersMax);

/** Whether the server is reached by its socket file. */
export const isSocket = ({ host }: Pick<SharedAddress, 'host'>): boolean => host.startsWith('/');

function readTls(host: string, url: URL): SharedAddress['tls'] {
  const given = ParametersSchema.safeParse(Object.fromEntries(url.searchParams));
  if (!given.success)
    throw invalid(
      'The address may have sslmode=verify-full and sslrootcert=FILE, and nothing else after "?".',
    );
  const { sslmode, sslrootcert } = given.data;
  const isFile = isSocket({ host });
  if (isFile && sslmode === 'verify-full')
    throw invalid('A socket file has no TLS: leave out sslmode and sslrootcert.');
  const isHere = isFile || loopback.has(host);
  if (sslmode !== 'verify-full') {
    if (!isHere)
      throw invalid(
        'A server on another machine needs sslmode=verify-full and sslrootcert=FILE, the ' +
          `certificate of its authority: ${example}`,
      );
    return null;
  }
  if (!sslrootcert)
    throw invalid(
      'Name the certificate of the authority: sslrootcert=FILE, or sslrootcert=system for the ' +
        'authorities of this machine.',
    );
  return { authorities: sslrootcert };
}

/** A part of a URL without its escapes. Throws `validation_error` for escapes that are none. */
function readPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid(`The address is not one of PostgreSQL. Write ${example}`);
  }
}

/**
 * Reads an address. Throws `validation_error` with what to write instead. A password is refused,
 * because an address is stored, shown and visible to other programs as an argument.
 */
export function parseSharedAddress(text: string): SharedAddress {
  const checked = UrlSchema.safeParse(text.trim());
  if (!checked.success) throw invalid(`The address is not one of PostgreSQL. Write ${example}`);
  const url = new URL(checked.data);
  if (url.password !== '')
    throw invalid('Leave the password out of the address. It is stored in the keychain instead.');
  const host = readPart(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const database = readPart(url.pathname.slice(1));
  const user = readPart(url.username);
  if (host === '' || database === '' || database.includes('/') || user === '')
    throw invalid(`The address needs a user, a host and a database: ${example}`);
  const tls = readTls(host, url);
  return { host, port: Number(url.port || defaultPort), database, user, tls };
}

/** The address as text, in one form. It has no secret. */
export function formatSharedAddress({ host, port, database, user, tls }: SharedAddress): string {
  const shown = isSocket({ host }) ? encodeURIComponent(host) : host;
  const url = new URL(`postgres://${shown.includes(':') ? `[${shown}]` : shown}`);
  url.username = user;
  if (port !== defaultPort) url.port = String(port);
  url.pathname = `/${encodeURIComponent(database)}`;
  if (tls) {
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', tls.authorities);
  }
  return url.href;
}
