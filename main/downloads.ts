// Downloads of the page: the user chooses where each is saved.
import { join } from 'node:path';
import { app, type Session } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Whether a download comes from the app itself. The URL of a blob contains its origin. */
export const isOwnDownload = (address: string): boolean =>
  isAppUrl(address.startsWith('blob:') ? address.slice('blob:'.length) : address);

/** Shows a save dialog for each download of the app, and cancels any other. */
export function setupDownloads(session: Session): void {
  session.on('will-download', (event, item) => {
    if (!isOwnDownload(item.getURL())) {
      event.preventDefault();
      return;
    }
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ defaultPath });
  });
}
