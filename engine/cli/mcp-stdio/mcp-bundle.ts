// The program in the bundle for Claude Desktop: `desk mcp` for a running engine, on the Node of the
// assistant. It never opens a data folder itself.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { answersAt, defaultDataDir } from '../../platform/data-dir.ts';
import { type EngineClient, openEngine, probeIntervalMs } from '../kit/engine-client.ts';
import { CommandError, exitCodes } from '../kit/refusal.ts';
import { serveStdio } from './serve-stdio.ts';

const engineWaitMs = 3_000;

/** Waits for an engine to answer. Throws a CommandError if none does. */
async function awaitEngine(_dataDir: string, socketPath: string): Promise<null> {
  const giveUpAtMs = Date.now() + engineWaitMs;
  while (!(await answersAt(socketPath))) {
    if (Date.now() > giveUpAtMs)
      throw new CommandError(
        'engine_missing',
        exitCodes.failed,
        'Enrichment Desk is not running. Open it, then ask again.',
      );
    await wait(probeIntervalMs);
  }
  return null;
}

/** A setting of the bundle. For an empty one the assistant may pass its placeholder, `${…}`. */
function readSetting(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value && !value.startsWith('${') ? value : undefined;
}

const folder = readSetting('DESK_FOLDER');
const address = {
  dataDir: folder === undefined ? defaultDataDir() : resolve(folder),
  environment: readSetting('DESK_STAGING') === 'true' ? ('staging' as const) : ('live' as const),
  accountId: readSetting('DESK_ACCOUNT'),
};
let opened: Promise<EngineClient> | null = null;
const interrupt = new AbortController();
process.on('SIGINT', () => interrupt.abort()).on('SIGTERM', () => interrupt.abort());

void serveStdio(
  {
    note: (line) => console.error(line),
    openEngine() {
      opened ??= openEngine(address, awaitEngine).catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
  },
  interrupt.signal,
).then(() => process.exit(0));
