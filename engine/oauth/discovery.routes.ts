// Discovery (RFC 8414, RFC 9728) under the client's own host. Other paths below are 404.
import type { FastifyRequest } from 'fastify';
import { environmentPaths } from '../contract/ids.ts';
import { baseUrlOf } from '../http/guards.ts';
import type { ApiServer } from '../http/route-deps.ts';
import type { OauthRouteDeps } from './route-deps.ts';

const toolPath = '/api/v1/mcp';
const asPlace = '/.well-known/oauth-authorization-server';
const resourcePlace = '/.well-known/oauth-protected-resource';

/**
 * The authorization server has two issuers: the host, which is the usual one, and the tool server,
 * for clients that use its URL as the issuer (docs/api.md, "Authorizing assistants"). The issuer is
 * part of every answer, so each has its own authorization path.
 */
export const issuers = [
  { path: '', authorizePath: '/oauth/authorize' },
  { path: toolPath, authorizePath: '/oauth/server/authorize' },
] as const;
export type Issuer = (typeof issuers)[number];

export const issuerUrl = (request: FastifyRequest, basePath: string, { path }: Issuer): string =>
  baseUrlOf(request) + basePath + path;

/**
 * The resources of an environment that a token may be requested for (RFC 8707), under the three
 * host names of this machine and the public address.
 */
export function listResources({ basePath, address }: OauthRouteDeps): string[] {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${address.port}`);
  const names = address.publicUrl ? [...own, address.publicUrl.origin] : own;
  return names.flatMap((name) => [name + basePath, name + basePath + toolPath]);
}

const describeServer = (request: FastifyRequest, basePath: string, issuer: Issuer) => {
  const base = baseUrlOf(request) + basePath;
  return {
    issuer: issuerUrl(request, basePath, issuer),
    authorization_endpoint: base + issuer.authorizePath,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    revocation_endpoint: `${base}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
};

const describeResource = (request: FastifyRequest, basePath: string) => ({
  resource: baseUrlOf(request) + basePath + toolPath,
  authorization_servers: [baseUrlOf(request) + basePath],
  bearer_methods_supported: ['header'],
  resource_name: 'Enrichment Desk',
});

/**
 * Adds the documents of every environment, without opening it. Each is served where its standard
 * puts it (the path after the well-known part) and where docs/api.md does (before it).
 */
export function addDiscoveryRoutes(
  server: ApiServer,
  environments: readonly OauthRouteDeps[],
): void {
  for (const basePath of environments.map(
    ({ environment }) => environmentPaths[environment.name],
  )) {
    for (const issuer of issuers) {
      const path = basePath + issuer.path;
      for (const url of new Set([asPlace + path, path + asPlace]))
        server.get(url, async (request) => describeServer(request, basePath, issuer));
    }
    const resource = basePath + toolPath;
    const places = [basePath, resource].flatMap((path) => [
      resourcePlace + path,
      path + resourcePlace,
    ]);
    for (const url of new Set(places))
      server.get(url, async (request) => describeResource(request, basePath));
  }
}
