// Fetches a client's metadata document from the URL that is its client_id: only https, only a
// public host, no redirects, limited in size and time.
import { isIP } from 'node:net';
import { clientDocumentMaxMs, oauthBodyBytesMax } from '../contract/limits/oauth.ts';
import { hostOf } from '../platform/net/open-connection.ts';
import { isPublicAddress } from '../platform/net/public-address.ts';
import { sendOutside } from '../platform/net/send-outside.ts';
import { findOwnRoutes } from '../platform/net/system-proxy.ts';

/** For tests: hosts on loopback, and other limits. */
export interface DocumentSource {
  isAllowed(address: string): boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const publicHosts: DocumentSource = { isAllowed: isPublicAddress };

/** The document at a URL, parsed. Rejects if the URL, the host or the response is invalid. */
export async function fetchDocument(
  address: string,
  source: DocumentSource = publicHosts,
): Promise<unknown> {
  const url = new URL(address);
  if (url.protocol !== 'https:' || isIP(hostOf(url)) !== 0)
    throw new Error('an https URL with a host name is required');
  const { status, headers, body, fault } = await sendOutside(
    { url, method: 'GET', headers: { accept: 'application/json' }, body: null },
    {
      timeoutMs: clientDocumentMaxMs,
      ...source,
      isHostUntrusted: true,
      findRoutes: findOwnRoutes,
      answerBytesMax: oauthBodyBytesMax,
    },
  );
  if (fault) throw fault;
  if (status !== 200 || !/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw new Error('the response is not a JSON document');
  return JSON.parse(body.toString('utf8')) as unknown;
}
