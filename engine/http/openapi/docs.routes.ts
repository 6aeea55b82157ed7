// GET /openapi.json: the OpenAPI document. GET /docs: the page that shows it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { interfaceDir } from '../../platform/paths.ts';
import { baseUrlOf } from '../guards.ts';
import type { ApiServer, RouteDeps } from '../route-deps.ts';
import { sendPage } from '../send-interface-page.ts';
import { describeServers, writeDocument } from './openapi-document.ts';
import type { RestRoute } from './openapi-routes.ts';
import type { Json } from './openapi-schemas.ts';

const page = 'docs.html';
const icon = 'favicon.svg';
/** Folders of the built interface that contain the parts of the page. */
const partFolders = ['assets', 'reference'];

/** Adds /docs, also if another shell shows the interface; none without a built one. */
function addReference(server: ApiServer, uiDir: string | null): void {
  const root = uiDir ?? interfaceDir();
  if (!existsSync(join(root, page))) return;
  for (const path of ['/docs', '/docs.html'])
    server.get(path, (_request, reply) => sendPage(root, reply, page));
  if (uiDir !== null) return;
  for (const [at, folder] of partFolders.entries())
    server.register(fastifyStatic, {
      root: join(root, folder),
      prefix: `/${folder}/`,
      index: false,
      cacheControl: false,
      decorateReply: at === 0,
    });
  server.get(`/${icon}`, (_request, reply) => reply.sendFile(icon, root));
}

/**
 * Adds GET /openapi.json and /docs. Neither needs a key, because they contain no account's data.
 * @param listRoutes the REST routes; complete when the server is ready
 */
export function addDescriptionRoute(
  server: ApiServer,
  { version, uiDir }: Pick<RouteDeps, 'version' | 'uiDir'>,
  listRoutes: () => readonly RestRoute[],
): void {
  let written: Json | null = null;
  server.get('/openapi.json', async (request, reply) => {
    written ??= writeDocument(listRoutes(), version);
    const servers = describeServers(baseUrlOf(request));
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ ...written, servers }));
  });
  addReference(server, uiDir);
}
