/** Serves the built interface to browsers: its files, and its page for every screen. */

import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { isApiPath } from '../http/guards.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendPage } from '../http/send-interface-page.ts';

const assetsKeptSeconds = 31_536_000;

/**
 * Adds the files of the interface.
 * @param uiDir absolute path of the built interface
 */
export function addInterface(server: ApiServer, uiDir: string): void {
  for (const path of ['/', '/index.html'])
    server.get(path, (_request, reply) => sendPage(uiDir, reply));
  server.register(fastifyStatic, {
    root: uiDir,
    prefix: '/',
    index: false,
    cacheControl: false,
    // The build writes compressed copies (scripts/compress-files.mjs).
    preCompressed: true,
    allowedPath: (path) => !isApiPath(path),
    setHeaders(reply, path) {
      // The build adds a content hash to the names of these files.
      if (path.startsWith(join(uiDir, 'assets')))
        reply.header('cache-control', `public, max-age=${assetsKeptSeconds}, immutable`);
    },
  });
}

/**
 * Whether a request may be for a screen: a browser requests HTML, and the path has no file
 * extension.
 */
export const isScreen = (method: string, path: string, accept = ''): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/i.test(accept) &&
  !isApiPath(path) &&
  !path.slice(path.lastIndexOf('/')).includes('.');
