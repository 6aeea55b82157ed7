// Starts the app again when it has ended.
import { spawn } from 'node:child_process';
import { app } from 'electron';
import type { EngineProcess } from './engine-process.ts';

/** How an app starts again: by Electron, or as another start of its AppImage. */
export type Relaunch =
  | { readonly by: 'electron'; readonly args: readonly string[] }
  | { readonly by: 'spawn'; readonly program: string; readonly args: readonly string[] };

/**
 * An AppImage is mounted while it runs. Electron would start its own helper from that folder, which
 * is gone when the helper runs.
 * @param args arguments of the next start, without the program
 */
export const planRelaunch = (
  platform: NodeJS.Platform,
  appImage: string | undefined,
  args: readonly string[],
): Relaunch =>
  platform === 'linux' && appImage !== undefined
    ? { by: 'spawn', program: appImage, args }
    : { by: 'electron', args };

/** Lets the next start be the running app: an AppImage's installer starts before this quits. */
export async function handOver(engine: Pick<EngineProcess, 'stop'>): Promise<void> {
  await engine.stop();
  app.releaseSingleInstanceLock();
}

/** Quits as usual, and starts the app again with these additional arguments. */
export function relaunch(additional: readonly string[] = []): void {
  const args = [...process.argv.slice(1), ...additional];
  const plan = planRelaunch(process.platform, process.env.APPIMAGE, args);
  if (plan.by === 'electron') app.relaunch({ args: [...plan.args] });
  else
    app.once('quit', () => {
      // The engine has ended. The next start must not take this one for the app that runs.
      app.releaseSingleInstanceLock();
      spawn(plan.program, plan.args, { detached: true, stdio: 'ignore' }).unref();
    });
  app.quit();
}
