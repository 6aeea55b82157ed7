/** Stands in for `session`: keeps the permission handlers, and tells main of downloads. */
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

/** Electron's `session`, and the way a page's download comes in. */
export const session = {
  defaultSession,
  fromPartition: () => defaultSession,
  /** Asks main, then the user; the bytes stay where the test's own browser client puts them. */
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
