/** The engine of a folder for a command: the one that answers, else one of the command's own. */
import { setTimeout as wait } from 'node:timers/promises';
import { isFolderLocked } from '../../platform/data-dir-lock.ts';
import { type EngineRole, watchForHost } from '../../platform/folder-handover.ts';
import {
  answersAt,
  type CloseOwn,
  type FindEngine,
  otherEngineWaitMs,
  probeIntervalMs,
} from './engine-client.ts';

/** A wait that is longer is told of. */
const quietWaitMs = 2_000;

/** Finds the engine that answers, else starts one. */
async function findOrOpen(
  { dataDir, socketPath, role }: { dataDir: string; socketPath: string; role?: EngineRole },
  onWait: () => void,
): Promise<CloseOwn | null> {
  const startedAtMs = Date.now();
  let isTold = false;
  for (;;) {
    if (await answersAt(socketPath)) return null;
    // Loaded only here: a command to a running engine answers at once.
    const { startEngine } = await import('../../app/main.ts');
    try {
      const engine = await startEngine({
        ...{ dataDir, port: null, socket: true, uiDir: null },
        ...(role && { role }),
      });
      return () => engine.close();
    } catch (error) {
      // The owner may be another command, about to answer or to end; it may have ended by now.
      const waitedMs = Date.now() - startedAtMs;
      if (!isFolderLocked(error) || waitedMs > otherEngineWaitMs) throw error;
      if (!isTold && waitedMs > quietWaitMs) {
        isTold = true;
        onWait();
      }
      await wait(probeIntervalMs);
    }
  }
}

/**
 * The engine that answers, else one of our own. Throws EngineError where the folder cannot be
 * opened.
 */
export const findOrStart: FindEngine = (dataDir, socketPath, { onWait }) =>
  findOrOpen({ dataDir, socketPath }, onWait);

/** The same, but one of our own gives way to the app and to `desk serve`. */
export const findOrBeGuest: FindEngine = async (dataDir, socketPath, { onWait, onLeave }) => {
  const close = await findOrOpen({ dataDir, socketPath, role: 'guest' }, onWait);
  if (!close) return null;
  const stopWatching = watchForHost(dataDir, () => onLeave(close()));
  return () => {
    stopWatching();
    return close();
  };
};
