/**
 * Fetches a client's metadata document from the URL that is its client_id: only https, only a
 * public host, no redirects, limited in size and time.
 */
import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { clientDocumentMaxMs, oauthBodyBytesMax } from '../contract/limits/oauth.ts';
import { loadHttps } from '../platform/net/node-modules.ts';
import { isPublicAddress } from '../platform/net/public-address.ts';

/** For tests: their own certificate authority, and hosts on loopback. */
export interface DocumentSource {
  /** Trusted certificates, PEM. */
  readonly ca: string;
  readonly allowsPrivate: boolean;
}

/**
 * Resolves a name and keeps only public addresses. Checked during the lookup of the connection, so
 * the address cannot change afterwards.
 */
const lookUpPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const kept = found.filter(({ address }) => isPublicAddress(address));
    const [first] = kept;
    if (!first) return done(new Error(`${host} is not a public host`), []);
    return options.all ? done(null, kept) : done(null, first.address, first.family);
  });

const isJson = ({ headers }: IncomingMessage) =>
  /^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');

async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > oauthBodyBytesMax) throw new Error('the document is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The document at a URL, parsed. Rejects if the URL, the host or the response is invalid. */
export async function fetchDocument(url: string, source?: DocumentSource): Promise<unknown> {
  const { protocol, hostname } = new URL(url);
  // The lookup is not called for an IP address.
  const isLiteral = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (protocol !== 'https:' || isLiteral)
    throw new Error('an https URL with a host name is required');
  const signal = AbortSignal.timeout(clientDocumentMaxMs);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      signal,
      agent: false,
      headers: { accept: 'application/json' },
      ...(source?.allowsPrivate ? {} : { lookup: lookUpPublic }),
      ...(source ? { ca: source.ca } : {}),
    };
    loadHttps().get(url, options, resolve).on('error', reject);
  });
  try {
    if (answer.statusCode !== 200 || !isJson(answer))
      throw new Error('the response is not a JSON document');
    return JSON.parse(await readText(answer)) as unknown;
  } finally {
    answer.destroy();
  }
}
