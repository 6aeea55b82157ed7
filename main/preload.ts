// Exposes window.desk to the page, one function per channel. Bundled to one CommonJS file.
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { channels } from './desktop-channels.ts';
import type { DesktopBridge, DesktopCommand, UpdateState } from './desktop-contract.ts';

/** Passes messages of main on, without the event: it would give the page access to ipcRenderer. */
function listen<Message>(channel: string, listener: (message: Message) => void): () => void {
  const withoutEvent = (_event: IpcRendererEvent, message: Message) => listener(message);
  ipcRenderer.on(channel, withoutEvent);
  return () => {
    ipcRenderer.off(channel, withoutEvent);
  };
}

contextBridge.exposeInMainWorld('desk', {
  platform: process.platform,
  versions: () => ipcRenderer.invoke(channels.versions),
  openSpreadsheet: () => ipcRenderer.invoke(channels.openSpreadsheet),
  pathForFile: (file) => webUtils.getPathForFile(file),
  saveAs: (question) => ipcRenderer.invoke(channels.saveAs, question),
  showInFolder: (path) => ipcRenderer.invoke(channels.showInFolder, path),
  openExternal: (url) => ipcRenderer.invoke(channels.openExternal, url),
  notify: (notice) => ipcRenderer.invoke(channels.notify, notice),
  takeRequest: () => ipcRenderer.invoke(channels.takeRequest),
  readBackground: () => ipcRenderer.invoke(channels.readBackground),
  chooseBackground: (choice) => ipcRenderer.invoke(channels.chooseBackground, choice),
  readUpdates: () => ipcRenderer.invoke(channels.readUpdates),
  checkUpdates: () => ipcRenderer.invoke(channels.checkUpdates),
  chooseUpdates: (choice) => ipcRenderer.invoke(channels.chooseUpdates, choice),
  restartToUpdate: () => ipcRenderer.invoke(channels.restartToUpdate),
  onUpdates: (listener) => listen<UpdateState>(channels.updates, listener),
  onCommand: (listener) => listen<DesktopCommand>(channels.command, listener),
} satisfies DesktopBridge);
