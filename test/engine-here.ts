// Serves a data folder from this process with `desk serve`, for tests that need an engine but not a
// second process, whose start costs more.
import { runLine } from '../engine/cli/run-line.ts';
import { socketPathOf } from '../engine/platform/data-dir.ts';
import { openSocketClient, type SocketClient } from './socket-client.ts';
import { noteWait } from './waiting.ts';

export interface EngineHere extends SocketClient {
  readonly url: string;
  readonly openUrl: string;
  readSaid(): string;
  /** Stops it as Ctrl+C does, and returns the command's exit code. */
  stop(): Promise<number>;
}

/** Serves a folder on a free port, and waits until the engine answers. */
export async function startEngineHere(
  dataDir: string,
  args: readonly string[] = [],
): Promise<EngineHere> {
  const interrupt = new AbortController();
  const printed = Promise.withResolvers<string>();
  let said = '';
  const note = (line: string) => {
    said += `${line}\n`;
  };
  const ended = runLine(['serve', '--json', '--port', '0', '--data-dir', dataDir, ...args], {
    terminal: {
      output: { write: note },
      isInteractive: false,
      note,
      ask: async () => false,
      readSecret: async () => '',
    },
    callerDir: dataDir,
    catchInterrupt: () => interrupt.signal,
    print: async (text) => printed.resolve(text),
  });
  void ended.then((code) =>
    printed.reject(new Error(`the engine ended with ${code} before it was ready: ${said}`)),
  );
  const ready = JSON.parse(
    await noteWait(() => `the start of an engine: ${said}`, printed.promise),
  ) as { url: string; open_url: string };
  return {
    url: ready.url,
    openUrl: ready.open_url,
    readSaid: () => said,
    ...openSocketClient(socketPathOf(dataDir)),
    stop() {
      interrupt.abort();
      return noteWait(() => `the stop of an engine: ${said}`, ended);
    },
  };
}
