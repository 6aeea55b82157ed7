/** Exposes window.desk to the page, one function per channel. Bundled to one CommonJS file. */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { channels } from './desktop-channels.ts';
import type { DesktopBridge, DesktopCommand } from './desktop-contract.ts';

contextBridge.exposeInMainWorld('desk', {
  platform: process.platform,
  versions: () => ipcRenderer.invoke(channels.versions),
  openSpreadsheet: () => ipcRenderer.invoke(channels.openSpreadsheet),
  pathForFile: (file) => webUtils.getPathForFile(file),
  saveAs: (question) => ipcRenderer.invoke(channels.saveAs, question),
  showInFolder: (path) => ipcRenderer.invoke(channels.showInFolder, path),
  openExternal: (url) => ipcRenderer.invoke(channels.openExternal, url),
  notify: (notice) => ipcRenderer.invoke(channels.notify, notice),
  onCommand: (listener) => {
    // The event would give the page access to ipcRenderer.
    const withoutEvent = (_event: IpcRendererEvent, command: DesktopCommand) => listener(command);
    ipcRenderer.on(channels.command, withoutEvent);
    return () => {
      ipcRenderer.off(channels.command, withoutEvent);
    };
  },
} satisfies DesktopBridge);
