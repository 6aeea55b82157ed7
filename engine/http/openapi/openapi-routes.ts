/** Gathers the REST routes as they are registered, for the API's description. */
import type { RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { ApiServer } from '../route-deps.ts';
import type { OperationDocs } from './operation-docs.ts';

/** What a route declares. */
export interface RouteSchemas {
  readonly docs: OperationDocs;
  readonly params?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response?: Readonly<Record<string, z.ZodType>>;
}

/** A route of the REST API. */
export interface RestRoute {
  /** GET, POST, … */
  readonly method: string;
  /** As the specification writes it, `/api/v1/data-enrichment/status/{job_id}/`. */
  readonly path: string;
  /** Whether it is served under /staging, and not without it. */
  readonly isStagingOnly: boolean;
  readonly schemas: RouteSchemas;
}

const stagingPrefix = '/staging';
// The tool server speaks JSON-RPC at one address, and describes its tools itself.
const isRest = (path: string) => /^\/(api\/v1\/(?!mcp\/)|(phone|email)\/)|^\/healthz$/.test(path);

/** A registered address as the specification writes it: `{id}` for `:id`, a slash at the end. */
function writePath(url: string): string {
  const path = url.replace(/:(\w+)/g, '{$1}').replace(/\/+$/, '');
  return path.startsWith('/healthz') ? path : `${path}/`;
}

/**
 * Begins to gather; every route that is added to the server from here on is seen. The list is
 * complete once the server is ready: staging's routes that stand beside live ones are left out. A
 * route without docs is refused as it is added.
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
