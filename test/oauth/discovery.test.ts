// Specification, section C: authorization metadata at <server-url>/.well-known/…, and at the
// addresses of RFC 8414 and RFC 9728, for the host name of the request.
import { expect, test } from 'vitest';
import { openOauthDesk } from './open-oauth-desk.ts';

const serverDocument = (origin: string, issuer: string, authorize: string) => ({
  issuer,
  authorization_endpoint: origin + authorize,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

test.each([
  ['/.well-known/oauth-authorization-server', '', '/oauth/authorize'],
  ['/api/v1/mcp/.well-known/oauth-authorization-server', '/api/v1/mcp', '/oauth/server/authorize'],
  ['/.well-known/oauth-authorization-server/api/v1/mcp', '/api/v1/mcp', '/oauth/server/authorize'],
])(
  '%s describes the authorization server under the requested host name',
  async (path, issuer, authorize) => {
    const desk = await openOauthDesk();
    for (const name of ['127.0.0.1', 'localhost']) {
      const origin = `http://${name}:${new URL(desk.url).port}`;
      for (const slash of ['', '/']) {
        const { status, body, headers } = await desk.ask(path + slash, {
          headers: { host: new URL(origin).host },
        });
        // fetch sends the host of the address, so the other name is requested itself.
        const own = body.issuer.startsWith(origin) ? origin : desk.url;
        expect([status, body]).toEqual([200, serverDocument(own, own + issuer, authorize)]);
        expect(headers.get('access-control-allow-origin')).toBe(null);
      }
      const response = await fetch(origin + path);
      expect(await response.json()).toEqual(serverDocument(origin, origin + issuer, authorize));
    }
  },
);

test.each([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/v1/mcp',
  '/api/v1/mcp/.well-known/oauth-protected-resource',
])('%s names the tool server and its authorization server (RFC 9728)', async (path) => {
  const desk = await openOauthDesk();
  const { status, body } = await desk.ask(path);
  expect([status, body]).toEqual([
    200,
    {
      resource: `${desk.url}/api/v1/mcp`,
      authorization_servers: [desk.url],
      bearer_methods_supported: ['header'],
      resource_name: 'Enrichment Desk',
    },
  ]);
});

test('the host name of the request is returned as iss (RFC 9207)', async () => {
  const desk = await openOauthDesk();
  const issuer = `${desk.url}/api/v1/mcp`;
  const query = `client_id=${desk.clientId}&response_type=code&state=s`;
  const { sentTo } = await desk.ask(`/oauth/server/authorize?${query}`);
  expect([sentTo?.error, sentTo?.iss]).toEqual(['invalid_request', issuer]);
});

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/api/v1/mcp',
  '/api/v1/mcp/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/else',
  '/.well-known/oauth-protected-resource/api/v1',
  '/.well-known/anything',
  '/oauth',
  '/oauth/anything',
])('%s is a 404 in JSON, never the interface', async (path) => {
  const desk = await openOauthDesk({ uiDir: import.meta.dirname });
  const { status, body } = await desk.ask(path);
  expect([status, typeof body]).toEqual([404, 'object']);
});
