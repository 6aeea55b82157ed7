// The app's only window: opens it, shows the page or a failure, and stores its position.
import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { appOrigin, appPageUrl } from './app-origin.ts';
import type { EngineProcess, EngineState } from './engine-process.ts';
import { failurePath } from './failure-page.ts';
import { readShellState, writeShellState } from './shell-state.ts';
import { fitBounds, windowSize } from './window-bounds.ts';

/** The background until the page has rendered: the background colours of the page. */
const backgrounds = { light: '#ffffff', dark: '#242424' } as const;
const failureUrl = `${appOrigin}${failurePath}`;

export const findWindow = (): BrowserWindow | null => BrowserWindow.getAllWindows()[0] ?? null;

export function focusWindow(): void {
  const window = findWindow();
  if (window?.isMinimized()) window.restore();
  window?.show();
  window?.focus();
}

const showUrl = (window: BrowserWindow, url: string): void => {
  window.loadURL(url).catch((error: Error & { code?: string }) => {
    // A load is aborted when another one replaces it.
    if (error.code !== 'ERR_ABORTED') console.error(`The window could not load: ${error.message}`);
  });
};

function rememberBounds(window: BrowserWindow): void {
  const folder = app.getPath('userData');
  window.on('close', () => {
    const isMaximized = window.isMaximized();
    const bounds = window.getNormalBounds();
    writeShellState(folder, { ...readShellState(folder), bounds, isMaximized });
  });
}

/** Shows the failure page if the engine has failed, and the page again when the engine is back. */
function followEngine(window: BrowserWindow, engine: EngineProcess): void {
  const follow = ({ name }: EngineState): void => {
    if (window.isDestroyed()) return;
    const showsFailure = window.webContents.getURL() === failureUrl;
    if (name === 'failed') showUrl(window, failureUrl);
    if (name === 'ready' && showsFailure) showUrl(window, appPageUrl);
  };
  engine.onChange(follow);
}

/** Visible once its page has rendered. @param preload absolute path of the bundled preload */
export function openWindow(preload: string, engine: EngineProcess): BrowserWindow {
  const state = readShellState(app.getPath('userData'));
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...fitBounds(state.bounds, workAreas),
    minWidth: windowSize.minWidth,
    minHeight: windowSize.minHeight,
    title: 'Enrichment Desk',
    icon: join(import.meta.dirname, '../resources/icons/icon.png'),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (state.isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberBounds(window);
  followEngine(window, engine);
  showUrl(window, engine.state.name === 'failed' ? failureUrl : appPageUrl);
  return window;
}
