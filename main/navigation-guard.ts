/** Keeps every window on the app's page: no navigation, no new window, no webview. */
import { app, BrowserWindow } from 'electron';
import { isAppUrl } from './app-origin.ts';
import { openExternal } from './external-links.ts';

export function setupNavigationGuard(): void {
  app.on('web-contents-created', (_created, contents) => {
    const keep = (event: { preventDefault(): void; url: string }) => {
      if (!isAppUrl(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', keep);
    contents.on('will-frame-navigate', keep);
    contents.on('will-redirect', keep);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const window = BrowserWindow.fromWebContents(contents);
      if (window) void openExternal(url, window);
      return { action: 'deny' };
    });
  });
}
