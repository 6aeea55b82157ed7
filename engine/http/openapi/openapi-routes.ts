// Collects the REST routes as they are registered, for the OpenAPI document.
import type { RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { OperationDocs } from '../../contract/operation-docs.ts';
import type { ApiServer } from '../route-deps.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Documentation in the OpenAPI document. Every route of the REST API has it. */
    readonly docs?: OperationDocs;
  }
}

export interface RouteSchemas {
  readonly docs: OperationDocs;
  readonly params?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response?: Readonly<Record<string, z.ZodType>>;
}

export interface RestRoute {
  /** GET, POST, … */
  readonly method: string;
  /** In OpenAPI syntax: `/api/v1/data-enrichment/status/{job_id}/`. */
  readonly path: string;
  readonly isStagingOnly: boolean;
  readonly schemas: RouteSchemas;
}

const stagingPrefix = '/staging';
// The tool server speaks JSON-RPC at one URL and describes its own tools.
const isRest = (path: string) => /^\/(api\/v1\/(?!mcp\/)|(phone|email)\/)|^\/healthz$/.test(path);

/** A registered path in OpenAPI syntax: `{id}` for `:id`, with a trailing slash. */
function writePath(url: string): string {
  const path = url.replace(/:(\w+)/g, '{$1}').replace(/\/+$/, '');
  return path.startsWith('/healthz') ? path : `${path}/`;
}

/**
 * Starts to collect every route that is added to the server from now on. The list is complete when
 * the server is ready, and omits staging routes that also exist in live. Throws if a route without
 * docs is added.
 */
export function gatherRoutes(server: ApiServer): () => readonly RestRoute[] {
  const found = new Map<string, RestRoute>();
  server.addHook('onRoute', (options: RouteOptions) => {
    const isStaging = options.url.startsWith(`${stagingPrefix}/`);
    const path = writePath(isStaging ? options.url.slice(stagingPrefix.length) : options.url);
    if (!isRest(path)) return;
    for (const method of [options.method].flat()) {
      const key = `${method} ${path}`;
      const isKnownLive = found.get(key)?.isStagingOnly === false;
      if (isStaging && isKnownLive) continue;
      if (!options.schema?.docs) throw new Error(`${key} has no docs in its schema`);
      const schemas = options.schema as RouteSchemas;
      found.set(key, { method, path, isStagingOnly: isStaging, schemas });
    }
  });
  return () => [...found.values()];
}
