// A stand-in for Electron's main-process module with the machine's own Chromium, for machines
// without the Electron binary. It proves wiring, never the sandbox or native behaviour.
export { app } from './app.ts';
export { nativeImage, powerMonitor, Tray } from './background.ts';
export { ipcMain } from './ipc.ts';
export { Menu } from './menu.ts';
export { autoUpdater, net } from './net.ts';
export { protocol } from './scheme-server.ts';
export { session } from './session.ts';
export { seen } from './state.ts';
export { dialog, Notification, nativeTheme, screen, shell } from './system.ts';
export { utilityProcess } from './utility-process.ts';
export { BrowserWindow } from './windows.ts';
