/** Serves the built interface to browsers: its files, and for every other address its one page. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { noncePlaceholder, writePagePolicy } from '../contract/page-policy.ts';
import { isApiPath } from '../http/guards.ts';
import type { ApiServer } from '../http/server-context.ts';

const assetsKeptSeconds = 31_536_000;

/** Answers with the page, or another one, under a policy with a nonce of its own. */
export async function sendPage(
  uiDir: string,
  reply: FastifyReply,
  file = 'index.html',
): Promise<FastifyReply> {
  const page = await readFile(join(uiDir, file), 'utf8');
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', writePagePolicy(nonce))
    .send(page.replaceAll(noncePlaceholder, nonce));
}

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
    allowedPath: (path) => !isApiPath(path),
    setHeaders(reply, path) {
      // The build puts a hash of their content into the names of these files.
      if (path.startsWith(join(uiDir, 'assets')))
        reply.header('cache-control', `public, max-age=${assetsKeptSeconds}, immutable`);
    },
  });
}

/** Whether a request may be for a screen: a browser asks for HTML, at a path that is no file. */
export const isScreen = (method: string, path: string, accept = ''): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/i.test(accept) &&
  !isApiPath(path) &&
  !path.slice(path.lastIndexOf('/')).includes('.');
