/** Simulates `session`: stores the permission handlers and reports downloads to main. */
import { EventEmitter } from 'node:events';
import type { Download } from 'playwright-core';
import { protocol, toAppUrl } from './scheme-server.ts';
import { emitPreventable, note } from './state.ts';
import { dialog } from './system.ts';

class Session extends EventEmitter {
  protocol = protocol;
  setPermissionRequestHandler = () => note('session.setPermissionRequestHandler');
  setPermissionCheckHandler = () => note('session.setPermissionCheckHandler');
  setDevicePermissionHandler = () => note('session.setDevicePermissionHandler');
}
const defaultSession = new Session();

/** Electron's `session`, with the entry point of a page's download. */
export const session = {
  defaultSession,
  fromPartition: () => defaultSession,
  /** Asks main, then the user. The test's browser client stores the bytes. */
  receiveDownload(download: Download, contents: unknown): void {
    let options: unknown = {};
    const item = {
      getURL: () => toAppUrl(download.url().replace(/^blob:/, '')),
      getFilename: () => download.suggestedFilename(),
      setSaveDialogOptions: (given: unknown) => {
        options = given;
      },
    };
    if (emitPreventable(defaultSession, 'will-download', {}, item, contents)) {
      void download.cancel();
      return;
    }
    void dialog.showSaveDialog(options);
  },
};
