/** Finds the engine of a folder for a command: the running one, else one of the command's own. */
import { setTimeout as wait } from 'node:timers/promises';
import { isFolderLocked } from '../../platform/data-dir-lock.ts';
import { type EngineRole, watchForPrimary } from '../../platform/folder-handover.ts';
import {
  answersAt,
  type CloseOwn,
  type FindEngine,
  otherEngineWaitMs,
  probeIntervalMs,
} from './engine-client.ts';

/** A longer wait is reported. */
const quietWaitMs = 2_000;

/** Finds the running engine, else starts one. */
async function findOrOpen(
  { dataDir, socketPath, role }: { dataDir: string; socketPath: string; role?: EngineRole },
  onWait: () => void,
): Promise<CloseOwn | null> {
  const startedAtMs = Date.now();
  let isTold = false;
  for (;;) {
    if (await answersAt(socketPath)) return null;
    // Loaded here only, so that a command to a running engine starts fast.
    const { startEngine } = await import('../../app/main.ts');
    try {
      const engine = await startEngine({
        dataDir,
        port: null,
        socket: true,
        uiDir: null,
        ...(role && { role }),
      });
      return () => engine.close();
    } catch (error) {
      // The owner may be another command that is starting or ending, or has ended by now.
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
 * Finds the running engine, else starts one. Throws an EngineError if the folder cannot be opened.
 */
export const findOrStart: FindEngine = (dataDir, socketPath, { onWait }) =>
  findOrOpen({ dataDir, socketPath }, onWait);

/** The same, but an engine that it starts releases the folder to the app and to `desk serve`. */
export const findOrBeGuest: FindEngine = async (dataDir, socketPath, { onWait, onLeave }) => {
  const close = await findOrOpen({ dataDir, socketPath, role: 'secondary' }, onWait);
  if (!close) return null;
  const stopWatching = watchForPrimary(dataDir, () => onLeave(close()));
  return () => {
    stopWatching();
    return close();
  };
};
