// Serves app://desk: the built page, requests to the engine, and 404 for anything else.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { protocol } from 'electron';
import { noncePlaceholder, writePagePolicy } from '../engine/contract/page-policy.ts';
import { appHost, appScheme } from './app-origin.ts';
import type { EngineProcess } from './engine-process.ts';
import {
  forwardRequest,
  forwardToEngine,
  isEnginePath,
  isOwnRequest,
  refuse,
} from './engine-proxy.ts';
import { failurePath, writeFailurePage, writeStartingPage } from './failure-page.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export const contentTypeOf = (file: string): string =>
  contentTypes[extname(file)] ?? 'application/octet-stream';

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/**
 * The file for a path of the page, or null if the path is outside the page's folder. A last segment
 * without a dot is a screen of the interface, for which the file is index.html.
 * @param folder absolute path of the built page
 * @param pathname as in a URL, still percent-encoded
 */
export function findPageFile(folder: string, pathname: string): string | null {
  const path = decodePath(pathname);
  if (path === null || path.includes('\0')) return null;
  const file = resolve(folder, `.${path}`);
  // Encoded dots and slashes survive URL parsing, so the resolved path is checked.
  if (file !== folder && !file.startsWith(folder + sep)) return null;
  const isScreen = !path.slice(path.lastIndexOf('/')).includes('.');
  return isScreen ? resolve(folder, 'index.html') : file;
}

export interface PageSource {
  /** Absolute folder of the built page. */
  folder: string;
  /** URL of the development server that serves the page instead, or null. */
  devUrl: string | null;
  engine: EngineProcess;
}

/** Registers app:// as a scheme with its own origin. Must run before Electron is ready. */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }]);
}

const createNonce = (): string => randomBytes(16).toString('base64');

function secure(response: Response, policy: string): Response {
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', policy);
  headers.set('x-content-type-options', 'nosniff');
  // Not no-referrer: with it, Chromium sends `Origin: null` for forms on the page itself.
  headers.set('referrer-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

const htmlResponse = (html: string): Response =>
  new Response(html, { headers: { 'content-type': contentTypeOf('index.html') } });

async function readPageFile(folder: string, pathname: string, nonce: string): Promise<Response> {
  const file = findPageFile(folder, pathname);
  const bytes = file === null ? null : await readFile(file).catch(() => null);
  if (file === null || bytes === null) return refuse('not_found');
  if (file.endsWith('.html')) return htmlResponse(fillNonce(bytes.toString(), nonce));
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': contentTypeOf(file) } });
}

const fillNonce = (html: string, nonce: string): string => html.replaceAll(noncePlaceholder, nonce);

async function readDevFile(request: Request, devUrl: string, nonce: string): Promise<Response> {
  const answer = await forwardRequest(request, devUrl, {});
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return answer;
  return htmlResponse(fillNonce(await answer.text(), nonce));
}

function answerFailurePath(request: Request, engine: EngineProcess, nonce: string): Response {
  if (request.method === 'POST' && isOwnRequest(request.headers)) {
    engine.restart();
    return htmlResponse(writeStartingPage(nonce));
  }
  const { state } = engine;
  return htmlResponse(
    state.name === 'failed' ? writeFailurePage(nonce, state.sentence) : writeStartingPage(nonce),
  );
}

/** Additional sources of the development server's page, for hot reload. */
const listDevSources = (nonce: string, devUrl: string | null): Record<string, string[]> =>
  devUrl === null
    ? {}
    : {
        'script-src': [`'nonce-${nonce}'`],
        'connect-src': [`ws://${new URL(devUrl).host}`],
      };

async function answerAppRequest(request: Request, source: PageSource): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  const nonce = createNonce();
  const policy = writePagePolicy(nonce, listDevSources(nonce, source.devUrl));
  if (host !== appHost) return secure(refuse('not_found'), policy);
  if (isEnginePath(pathname))
    return secure(await forwardToEngine(request, () => source.engine.whenReady()), policy);
  if (pathname === failurePath)
    return secure(
      answerFailurePath(request, source.engine, nonce),
      writePagePolicy(nonce, { 'form-action': ["'self'"] }),
    );
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return secure(refuse('not_found'), policy);
  if (source.devUrl !== null)
    return secure(await readDevFile(request, source.devUrl, nonce), policy);
  return secure(await readPageFile(source.folder, pathname, nonce), policy);
}

/** Handles app:// requests. Call when Electron is ready. */
export function setupAppProtocol(source: PageSource): void {
  protocol.handle(appScheme, (request) => answerAppRequest(request, source));
}
