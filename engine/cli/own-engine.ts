/** The engine of a folder for a command: the one that answers, else one of the command's own. */
import { setTimeout as wait } from 'node:timers/promises';
import { FolderTaken, lockFolder } from '../folder.ts';
import { type EngineRole, watchForHost } from '../give-way.ts';
import {
  answersAt,
  type CloseOwn,
  type FindEngine,
  otherEngineWaitMs,
  probeIntervalMs,
} from './engine-client.ts';

/** Whether another process owns the folder at this moment. */
function isOwned(dataDir: string): boolean {
  try {
    lockFolder(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof FolderTaken) return true;
    throw error;
  }
}

/** Finds the engine that answers, else starts one. */
async function findOrOpen(
  dataDir: string,
  socketPath: string,
  role?: EngineRole,
): Promise<CloseOwn | null> {
  const giveUpAtMs = Date.now() + otherEngineWaitMs;
  for (;;) {
    if (await answersAt(socketPath)) return null;
    // Loaded only here: a command to a running engine answers at once.
    const { startEngine } = await import('../main.ts');
    try {
      const engine = await startEngine({
        ...{ dataDir, port: null, socket: true, uiDir: null },
        ...(role && { role }),
      });
      return () => engine.close();
    } catch (error) {
      // The owner may be another command, about to answer or to end.
      if (Date.now() > giveUpAtMs || !isOwned(dataDir)) throw error;
      await wait(probeIntervalMs);
    }
  }
}

/**
 * The engine that answers, else one of our own. Throws EngineError where the folder cannot be
 * opened.
 */
export const findOrStart: FindEngine = (dataDir, socketPath) => findOrOpen(dataDir, socketPath);

/** The same, but one of our own gives way to the app and to `desk serve`. */
export const findOrBeGuest: FindEngine = async (dataDir, socketPath, onLeave) => {
  const close = await findOrOpen(dataDir, socketPath, 'guest');
  if (!close) return null;
  const stopWatching = watchForHost(dataDir, () => onLeave(close()));
  return () => {
    stopWatching();
    return close();
  };
};
