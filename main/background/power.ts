/** Sleep, resume and log-off of the system, and screens that are removed. */
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

/** Moves a window to where the user can reach it. */
function bringBack(window: BrowserWindow): void {
  if (window.isMaximized()) return;
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const bounds = window.getBounds();
  const { x, y, ...size } = fitBounds(bounds, workAreas);
  if (x !== undefined && y !== undefined) return;
  window.setBounds(size);
  window.center();
}

/** Follows the system. Call when Electron is ready. */
export function setupPower(engine: EngineProcess): void {
  powerMonitor.on('resume', () => void wakeJobs(engine).catch(() => undefined));
  // Linux and macOS; the engine finishes its batch, as with any quit.
  powerMonitor.on('shutdown', () => app.quit());
  const bringAllBack = () => {
    const window = findWindow();
    if (window) bringBack(window);
  };
  screen.on('display-removed', bringAllBack);
  screen.on('display-metrics-changed', bringAllBack);
}

/** Quits when the user logs off Windows, which tells each window. */
export function followLogOff(window: BrowserWindow): void {
  window.on('session-end', () => app.quit());
}
