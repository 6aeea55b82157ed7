// Connects a browser page to its window: preload, file paths, navigation and downloads.

import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { type ContentsEvents, makeEvent } from './events.ts';
import { answerInvoke, type PreloadMessage } from './ipc.ts';
import { openHost, pathHost, preloadHost } from './preload-host.ts';
import { toAppUrl } from './scheme-server.ts';

/** The members of a window's web contents that the wiring needs. */
export interface Contents extends EventEmitter<ContentsEvents> {
  openHandler: (details: { url: string }) => { action: 'allow' | 'deny' };
  /** The address that main loads itself, without a guard. */
  loading: string;
}

/** Runs the real preload in the page, in an environment like Electron's. */
export async function wirePreload(page: Page, contents: Contents, preload: string): Promise<void> {
  await page.exposeBinding('__doubleInvoke', ({ page: asking, frame }, message: PreloadMessage) =>
    answerInvoke(message, contents, asking, frame),
  );
  const cdp = await page.context().newCDPSession(page);
  await page.exposeBinding('__doublePaths', (_source, count: number) => readPaths(cdp, count));
  await page.exposeFunction('__doubleOpen', (url: string) => contents.openHandler({ url }).action);
  const hostProcess = JSON.stringify({ versions: process.versions, platform: process.platform });
  const source = JSON.stringify(readFileSync(preload, 'utf8'));
  await page.addInitScript(
    `(${pathHost})(); (${openHost})(); (${preloadHost})(${source}, ${hostProcess});`,
  );
}

/** The real paths of the files that the page has just handed over. */
async function readPaths(cdp: CDPSession, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let index = 0; index < count; index++) {
    const expression = `globalThis[Symbol.for('double.files')][${index}]`;
    const { result } = await cdp.send('Runtime.evaluate', { expression });
    const { objectId } = result;
    if (objectId === undefined) paths.push('');
    // A file created in the page has no path, as in Electron.
    else
      paths.push(
        await cdp.send('DOM.getFileInfo', { objectId }).then(
          ({ path }) => path,
          () => '',
        ),
      );
  }
  return paths;
}

interface PausedRequest {
  requestId: string;
  frameId: string;
  redirectedRequestId?: string;
  request: { url: string };
}

/** Asks main's guards before any navigation of the page. */
export async function wireNavigation(
  context: BrowserContext,
  page: Page,
  contents: Contents,
): Promise<void> {
  const cdp = await context.newCDPSession(page);
  const { frameTree } = await cdp.send('Page.getFrameTree');
  cdp.on('Fetch.requestPaused', (paused: PausedRequest) => {
    const { requestId, frameId, request } = paused;
    const isOwn = request.url === contents.loading || page.url() === 'about:blank';
    const isMainFrame = frameId === frameTree.frame.id;
    const url = toAppUrl(request.url);
    const event = makeEvent({ url, isSameDocument: false, isMainFrame, frame: null });
    const positional = [url, false, isMainFrame, 0, 0] as const;
    if (!isOwn && paused.redirectedRequestId) contents.emit('will-redirect', event, ...positional);
    else if (!isOwn) {
      // Electron sends the first for every frame, and the second for the window's own as well.
      contents.emit('will-frame-navigate', event);
      if (isMainFrame) contents.emit('will-navigate', event, ...positional);
    }
    const isRefused = event.defaultPrevented;
    const answer = isRefused
      ? cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : cdp.send('Fetch.continueRequest', { requestId });
    // A page that closes meanwhile no longer has a request.
    answer.catch(() => {});
  });
  // Intercepts documents only; other requests are streamed unchanged.
  const patterns = [{ resourceType: 'Document' as const, requestStage: 'Request' as const }];
  await cdp.send('Fetch.enable', { patterns });
}
