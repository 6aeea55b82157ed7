/** What happens with a file that the page downloads: the user is asked where it goes. */
import { join } from 'node:path';
import { app, type Session } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Whether a download comes from the app itself; a blob's address carries its origin inside. */
export const isOwnDownload = (address: string): boolean =>
  isAppUrl(address.startsWith('blob:') ? address.slice('blob:'.length) : address);

/** Asks with a save dialog for each download of our own, and refuses any other. */
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
