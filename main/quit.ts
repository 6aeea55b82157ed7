// Quitting the app: the engine finishes its batch; a running job continues at the next start.
import { app, BrowserWindow } from 'electron';
import type { EngineProcess } from './engine-process.ts';

/** @param staysOpen whether the app runs on when its last window is closed */
export function setupQuit(engine: EngineProcess, staysOpen: () => boolean): void {
  let isEngineStopped = false;
  let isStopping = false;
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !staysOpen()) app.quit();
  });
  app.on('before-quit', (event) => {
    if (isEngineStopped) return;
    event.preventDefault();
    if (isStopping) return;
    isStopping = true;
    for (const window of BrowserWindow.getAllWindows()) window.hide();
    void engine.stop().finally(() => {
      isEngineStopped = true;
      app.quit();
    });
  });
}
