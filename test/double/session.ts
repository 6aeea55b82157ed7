// Simulates `session`: stores the permission handlers and reports downloads to main.
import { EventEmitter } from 'node:events';
import type { Download } from 'playwright-core';
import { makeEvent, type SessionEvents } from './events.ts';
import { protocol, toAppOrigin, toAppUrl } from './scheme-server.ts';
import { note } from './state.ts';
import { dialog } from './system.ts';

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean },
) => void;
type CheckHandler = (contents: unknown, permission: string, origin: string) => boolean;

// Electron grants everything by default.
let handleRequest: RequestHandler = (_contents, _permission, answer) => answer(true);
let handleCheck: CheckHandler = () => true;

class Session extends EventEmitter<SessionEvents> {
  protocol = protocol;
  setPermissionRequestHandler = (handler: RequestHandler) => {
    handleRequest = handler;
  };
  setPermissionCheckHandler = (handler: CheckHandler) => {
    handleCheck = handler;
  };
  setDevicePermissionHandler = () => note('session.setDevicePermissionHandler');

  /** Asks both handlers as Chromium does: the check first, then the request of a page. */
  askPermission(contents: unknown, permission: string, requestingUrl: string): boolean {
    if (!handleCheck(contents, permission, toAppOrigin(requestingUrl))) return false;
    let isGranted = false;
    const details = { requestingUrl, isMainFrame: true };
    const answer = (granted: boolean) => {
      isGranted = granted;
    };
    handleRequest(contents, permission, answer, details);
    return isGranted;
  }
}
const defaultSession = new Session();

/** Electron's `session`, with the entry point of a page's download. */
export const session = {
  defaultSession,
  fromPartition: () => defaultSession,
  /** Asks main, then the user. The test's browser client stores the bytes. */
  receiveDownload(download: Download, contents: object): void {
    let options: unknown = {};
    const item = {
      getURL: () => toAppUrl(download.url().replace(/^blob:/, '')),
      getFilename: () => download.suggestedFilename(),
      setSaveDialogOptions: (given: unknown) => {
        options = given;
      },
    };
    const event = makeEvent({});
    const [real, from] = [item, contents] as unknown as [
      Electron.DownloadItem,
      Electron.WebContents,
    ];
    defaultSession.emit('will-download', event, real, from, null);
    if (event.defaultPrevented) {
      void download.cancel();
      return;
    }
    void dialog.showSaveDialog(options);
  },
};
