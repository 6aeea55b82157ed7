// Simulates `net` and `autoUpdater`, of which the updater of the app uses a little.
import { EventEmitter } from 'node:events';
import { request } from 'node:http';

/** Electron's `net`: requests of Node, without redirects. */
export const net = {
  request: (options: Electron.ClientRequestConstructorOptions | string) =>
    request(options as object),
};

/** Electron's `autoUpdater`: no system updates the stand-in. */
export const autoUpdater = new EventEmitter();
