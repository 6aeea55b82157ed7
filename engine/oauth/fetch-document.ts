/**
 * Fetches a client's metadata document from the address that its client_id is: https alone, a
 * public host, no redirects, little and quickly.
 */
import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { clientDocumentMaxMs, oauthBodyBytesMax } from '../contract/limits/oauth.ts';
import { isPublicAddress } from '../platform/net/public-address.ts';

/** What tests bring: an authority of their own, and hosts on loopback. */
export interface DocumentSource {
  /** Certificates that are trusted, PEM. */
  readonly ca: string;
  readonly allowsPrivate: boolean;
}

/** Resolves a name and keeps what is public: looked at here, it cannot change before connecting. */
const lookUpPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const kept = found.filter(({ address }) => isPublicAddress(address));
    const [first] = kept;
    if (!first) return done(new Error(`${host} is no public host`), []);
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

/** The document at an address, parsed. Rejects whatever is wrong with address, host or answer. */
export async function fetchDocument(url: string, source?: DocumentSource): Promise<unknown> {
  const { protocol, hostname } = new URL(url);
  // A literal address would not be looked up at all.
  const isLiteral = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (protocol !== 'https:' || isLiteral) throw new Error('an https address with a name is needed');
  const signal = AbortSignal.timeout(clientDocumentMaxMs);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      signal,
      agent: false,
      headers: { accept: 'application/json' },
      ...(source?.allowsPrivate ? {} : { lookup: lookUpPublic }),
      ...(source ? { ca: source.ca } : {}),
    };
    get(url, options, resolve).on('error', reject);
  });
  try {
    if (answer.statusCode !== 200 || !isJson(answer)) throw new Error('no JSON document is there');
    return JSON.parse(await readText(answer)) as unknown;
  } finally {
    answer.destroy();
  }
}
