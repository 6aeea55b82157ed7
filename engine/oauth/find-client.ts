// Resolves a client_id to a client: one that registered here, or one with a metadata document at
// the https URL that is its client_id.
import type { FastifyBaseLogger } from 'fastify';
import {
  clientDocumentKeptMs,
  clientDocumentsMax,
  clientNameCharactersMax,
} from '../contract/limits/oauth.ts';
import { ClientDocumentSchema } from '../contract/oauth.ts';
import { isRedirectAllowed } from '../platform/net/redirect-uri.ts';
import { fetchDocument } from './fetch-document.ts';
import { getClient } from './oauth-client.table.ts';
import type { OauthRouteDeps } from './route-deps.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** A client's name on one line, without control and bidirectional characters, and cut. */
export function cleanName(name: string | undefined): string {
  const line = (name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, clientNameCharactersMax).join('').trim() || 'Unnamed program';
}

/** Whether a client_id can be the URL of a document (OAuth Client ID Metadata Document draft). */
function isDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || !URL.canParse(id)) return false;
  const { pathname, hash, username, password, href } = new URL(id);
  return pathname !== '/' && !hash && !username && !password && href === id;
}

/** The client that a document describes; null if the document has another client_id. */
function readDocument(id: string, document: unknown): Client | null {
  const parsed = ClientDocumentSchema.safeParse(document);
  if (!parsed.success || parsed.data.client_id !== id) return null;
  const { client_name: name, redirect_uris: redirectUris } = parsed.data;
  if (!redirectUris.every(isRedirectAllowed)) return null;
  return { id, name: cleanName(name), redirectUris };
}

/** Creates the client lookup. Documents are cached for an hour. */
export function createClientFinder(context: OauthRouteDeps) {
  const kept = new Map<string, { client: Client; fetchedMs: number }>();
  const fetchClient = async (id: string, log: FastifyBaseLogger): Promise<Client | null> => {
    const known = kept.get(id);
    // The clock may have been set back since.
    if (known && Math.abs(context.now() - known.fetchedMs) < clientDocumentKeptMs)
      return known.client;
    // Any page can send a browser here, so fetches are rate-limited.
    if (!context.registrationWindow.take('documents').allowed) return null;
    const document = await fetchDocument(id, context.documentSource).catch((error: unknown) => {
      log.info({ err: error }, 'no client metadata document');
      return null;
    });
    const client = readDocument(id, document);
    kept.delete(id);
    const [oldest] = kept.keys();
    if (kept.size >= clientDocumentsMax && oldest !== undefined) kept.delete(oldest);
    if (client) kept.set(id, { client, fetchedMs: context.now() });
    return client;
  };
  return async (id: string, log: FastifyBaseLogger): Promise<Client | null> =>
    isDocumentUrl(id) ? fetchClient(id, log) : getClient(context.environment.database, id);
}
