// Electron's main process: the setup steps in order.
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { app, BrowserWindow, session, type Tray, utilityProcess } from 'electron';
import { portDefault } from '../engine/contract/limits/platform.ts';
import { isAppUrl } from './app-origin.ts';
import { registerAppScheme, setupAppProtocol } from './app-protocol.ts';
import { waitForTray } from './background/find-tray.ts';
import { followJobs } from './background/follow-jobs.ts';
import { renewLoginItem } from './background/login-item.ts';
import { followLogOff, setupPower } from './background/power.ts';
import { announceBackground, keepsRunning, setupTray } from './background/tray.ts';
import { setupCrashes } from './crashes/crashes.ts';
import { setupDesktopHandlers } from './desktop-handlers.ts';
import { setupDownloads } from './downloads.ts';
import { pickEngineEnvironment } from './engine-environment.ts';
import { copyEngineOutput, ignoreClosedTerminal } from './engine-log.ts';
import { EngineProcess } from './engine-process.ts';
import { openExternal } from './external-links.ts';
import { setupMenu } from './menu.ts';
import { setupPermissions } from './permissions.ts';
import { setupQuit } from './quit.ts';
import { startsHidden } from './requests/open-request.ts';
import { setupJumpList, setupOpenRequests } from './requests/open-requests.ts';
import { setupUpdates } from './updates/setup-updates.ts';
import { setupUpdateHandlers } from './updates/update-handlers.ts';
import { findWindow, focusWindow, openWindow } from './window.ts';

/** Keeps every window on the app's page: no navigation, no new window, no webview. */
function setupNavigationGuard(): void {
  app.on('web-contents-created', (_created, contents) => {
    const keep = (event: { preventDefault(): void; url: string }) => {
      if (!isAppUrl(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', keep);
    contents.on('will-frame-navigate', keep);
    contents.on('will-redirect', keep);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const window = BrowserWindow.fromWebContents(contents);
      if (window) void openExternal(url, window);
      return { action: 'deny' };
    });
  });
}

/** The id by which systems know the app: `appId` of electron-builder.yml, inserted by the build. */
declare const __DESK_APP_ID__: string;

const here = import.meta.dirname;
const preload = join(here, '../preload/preload.cjs');

function forkEngine() {
  const child = utilityProcess.fork(join(here, '../engine/utility.js'), [], {
    serviceName: 'Enrichment Desk engine',
    stdio: 'pipe',
    env: pickEngineEnvironment(process.env),
  });
  copyEngineOutput(app.getPath('userData'), [
    [child.stdout as Readable | null, process.stdout],
    [child.stderr as Readable | null, process.stderr],
  ]);
  return child;
}

/**
 * What runs for as long as the app does. The icon would vanish if it was collected. There is none
 * before the desktop has said that it has a tray.
 */
const kept: { tray: Tray | null } = { tray: null };

function show(engine: EngineProcess): void {
  if (findWindow()) focusWindow();
  else followLogOff(openWindow(preload, engine));
}

function startShell(engine: EngineProcess): void {
  const showWindow = () => show(engine);
  const updates = setupUpdates(engine);
  followJobs(engine, showWindow);
  engine.start();
  setupPermissions(session.defaultSession);
  setupDownloads(session.defaultSession);
  const devUrl = app.isPackaged ? null : (process.env.DESK_DEV_URL ?? null);
  setupAppProtocol({ folder: join(here, '../renderer'), devUrl, engine });
  setupDesktopHandlers();
  setupUpdateHandlers(updates);
  setupMenu({
    updates: updates.updates,
    dataDir: () => (engine.state.name === 'ready' ? engine.state.dataDir : null),
  });
  setupJumpList();
  setupPower(engine);
  renewLoginItem();
  const { wasOpenedAtLogin } = app.getLoginItemSettings();
  const isHidden = startsHidden(process.argv, wasOpenedAtLogin);
  if (!isHidden) showWindow();
  void waitForTray().then((hasTray) => {
    if (hasTray) kept.tray = setupTray(engine, showWindow);
    else if (isHidden) showWindow();
  });
  // On macOS the app keeps running without a window.
  app.on('activate', showWindow);
}

function setupApp(): void {
  ignoreClosedTerminal([process.stdout, process.stderr]);
  const engine = new EngineProcess({
    fork: forkEngine,
    port: Number(process.env.DESK_PORT ?? portDefault),
    findProxy: (origin) => session.defaultSession.resolveProxy(origin),
  });
  app.enableSandbox();
  registerAppScheme();
  setupNavigationGuard();
  setupCrashes(engine);
  setupOpenRequests(() => show(engine));
  setupQuit(engine, () => {
    const staysOpen = kept.tray !== null && keepsRunning();
    if (staysOpen) announceBackground();
    return staysOpen;
  });
  // Not `await app.whenReady()`: Electron emits 'ready' only after this module has finished.
  void app.whenReady().then(() => startShell(engine));
}

// Shortcuts of the installer have this id. Another one would part pinned icons and notifications.
if (process.platform === 'win32') app.setAppUserModelId(__DESK_APP_ID__);
if (app.requestSingleInstanceLock()) setupApp();
else app.quit();
