// Sleep, resume and log-off of the system, and screens that are removed.
import { app, type BrowserWindow, powerMonitor, screen } from 'electron';
import type { EngineProcess } from '../engine-process.ts';
import { findWindow } from '../window.ts';
import { fitBounds } from '../window-bounds.ts';

/** Lets jobs that wait for the network look for it now. A failure only means that they wait. */
async function wakeJobs(engine: EngineProcess): Promise<void> {
  const { url, token } = await engine.whenReady();
  const headers = { 'x-desk-session': token, 'content-type': 'application/json' };
  await fetch(new URL('/app/v1/network', url), { method: 'POST', headers, body: '{}' });
}

function bringBack(window: BrowserWindow): void {
  if (window.isMaximized()) return;
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const bounds = window.getBounds();
  const { x, y, ...size } = fitBounds(bounds, workAreas);
  if (x !== undefined && y !== undefined) return;
  window.setBounds(size);
  window.center();
}

export function setupPower(engine: EngineProcess): void {
  powerMonitor.on('resume', () => void wakeJobs(engine).catch(() => undefined));
  // Linux and macOS wait for the app, whose engine finishes its batch as with any quit. Electron's
  // types do not have the event.
  powerMonitor.on('shutdown', ((event: Electron.Event) => {
    event.preventDefault();
    app.quit();
  }) as () => void);
  const bringAllBack = () => {
    const window = findWindow();
    if (window) bringBack(window);
  };
  screen.on('display-removed', bringAllBack);
  screen.on('display-metrics-changed', bringAllBack);
}

/**
 * Quits when the user logs off Windows, which asks each window. Windows ends the app at
 * `session-end`, so the engine has only the time between the two for its batch; a batch that is cut
 * off is repeated. Without a window there is no event.
 */
export function followLogOff(window: BrowserWindow): void {
  window.on('query-session-end', () => app.quit());
}
