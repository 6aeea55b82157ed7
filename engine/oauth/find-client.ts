/**
 * Which program a client_id names: one that registered here, or one that describes itself in a
 * document at an https address, which is its client_id.
 */
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

/** A program as it describes itself. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** A name as it may be shown: on one line, without what turns or hides text, and not too long. */
export function cleanName(name: string | undefined): string {
  const line = (name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, clientNameCharactersMax).join('').trim() || 'Unnamed program';
}

/** Whether a client_id can be the address of a document (the draft on client id metadata). */
function isDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || !URL.canParse(id)) return false;
  const { pathname, hash, username, password, href } = new URL(id);
  return pathname !== '/' && !hash && !username && !password && href === id;
}

/** The program that a document describes; null where it does not speak of itself. */
function readDocument(id: string, document: unknown): Client | null {
  const parsed = ClientDocumentSchema.safeParse(document);
  if (!parsed.success || parsed.data.client_id !== id) return null;
  const { client_name: name, redirect_uris: redirectUris } = parsed.data;
  if (!redirectUris.every(isRedirectAllowed)) return null;
  return { id, name: cleanName(name), redirectUris };
}

/** Finds programs; documents are believed for an hour. */
export function createClientFinder(context: OauthRouteDeps) {
  const kept = new Map<string, { client: Client; expiresMs: number }>();
  const fetchClient = async (id: string, log: FastifyBaseLogger): Promise<Client | null> => {
    const known = kept.get(id);
    if (known && known.expiresMs > context.now()) return known.client;
    // Any page may lead a browser here: what it names is not asked without end.
    if (!context.registrationWindow.take('documents').allowed) return null;
    const document = await fetchDocument(id, context.documentSource).catch((error: unknown) => {
      log.info({ err: error }, 'no client metadata document');
      return null;
    });
    const client = readDocument(id, document);
    kept.delete(id);
    const [oldest] = kept.keys();
    if (kept.size >= clientDocumentsMax && oldest !== undefined) kept.delete(oldest);
    if (client) kept.set(id, { client, expiresMs: context.now() + clientDocumentKeptMs });
    return client;
  };
  return async (id: string, log: FastifyBaseLogger): Promise<Client | null> =>
    isDocumentUrl(id) ? fetchClient(id, log) : getClient(context.environment.database, id);
}
