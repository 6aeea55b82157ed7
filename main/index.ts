/** Electron's main process: the setup steps in order. */
import { join } from 'node:path';
import { app, BrowserWindow, session, utilityProcess } from 'electron';
import { portDefault } from '../engine/contract/limits/platform.ts';
import { registerAppScheme, setupAppProtocol } from './app-protocol.ts';
import { setupDesktopHandlers } from './desktop-handlers.ts';
import { setupDownloads } from './downloads.ts';
import { pickEngineEnvironment } from './engine-environment.ts';
import { EngineProcess } from './engine-process.ts';
import { setupMenu } from './menu.ts';
import { setupNavigationGuard } from './navigation-guard.ts';
import { setupPermissions } from './permissions.ts';
import { setupQuit } from './quit.ts';
import { setupUpdates } from './updates/setup-updates.ts';
import { setupUpdateHandlers } from './updates/update-handlers.ts';
import { focusWindow, openWindow } from './window.ts';

const here = import.meta.dirname;
const preload = join(here, '../preload/preload.cjs');

function forkEngine() {
  const child = utilityProcess.fork(join(here, '../engine/utility.js'), [], {
    serviceName: 'Enrichment Desk engine',
    stdio: 'pipe',
    env: pickEngineEnvironment(process.env),
  });
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  return child;
}

function setupWindow(engine: EngineProcess): void {
  openWindow(preload, engine);
  app.on('second-instance', focusWindow);
  // On macOS the app keeps running without a window.
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow(preload, engine);
  });
}

function setupApp(): void {
  const engine = new EngineProcess({
    fork: forkEngine,
    port: Number(process.env.DESK_PORT ?? portDefault),
    findProxy: (origin) => session.defaultSession.resolveProxy(origin),
  });
  const devUrl = app.isPackaged ? null : (process.env.DESK_DEV_URL ?? null);
  app.enableSandbox();
  registerAppScheme();
  setupNavigationGuard();
  setupQuit(engine);
  // Not `await app.whenReady()`: Electron emits 'ready' only after this module has finished.
  void app.whenReady().then(() => {
    const updates = setupUpdates(engine);
    engine.start();
    setupPermissions(session.defaultSession);
    setupDownloads(session.defaultSession);
    setupAppProtocol({ folder: join(here, '../renderer'), devUrl, engine });
    setupDesktopHandlers();
    setupUpdateHandlers(updates);
    setupMenu();
    setupWindow(engine);
  });
}

if (app.requestSingleInstanceLock()) setupApp();
else app.quit();
