// Names of the IPC channels between the page's preload and main.

/** One channel per method of the bridge; `command` and `updates` are messages to the page. */
export const channels = {
  versions: 'desk:versions',
  openSpreadsheet: 'desk:open-spreadsheet',
  saveAs: 'desk:save-as',
  showInFolder: 'desk:show-in-folder',
  openExternal: 'desk:open-external',
  notify: 'desk:notify',
  takeRequest: 'desk:take-request',
  readBackground: 'desk:read-background',
  chooseBackground: 'desk:choose-background',
  readUpdates: 'desk:read-updates',
  checkUpdates: 'desk:check-updates',
  chooseUpdates: 'desk:choose-updates',
  restartToUpdate: 'desk:restart-to-update',
  updates: 'desk:updates',
  command: 'desk:command',
} as const;
