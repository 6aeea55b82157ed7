// An engine in a separate process. On command it uses up its file descriptors and frees them.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { startEngine } from '../../engine/app/main.ts';
import { workerEntries } from '../../engine/platform/workers/worker-entries.ts';
import { workerEntries as builtEntries } from '../double/built-workers.ts';
import { sessionToken } from './child-session.ts';

/** Commands to the engine's process. */
export type ChildCommand = 'use up' | 'give back' | 'close';

const opened: number[] = [];
let refill: ReturnType<typeof setInterval> | undefined;
function fill(): void {
  try {
    for (;;) opened.push(openSync(devNull, 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
}
const steps: Record<Exclude<ChildCommand, 'close'>, () => void> = {
  'use up'() {
    fill();
    // Descriptors that the engine frees meanwhile are used up too.
    refill = setInterval(fill, 1);
  },
  'give back'() {
    clearInterval(refill);
    for (const descriptor of opened.splice(0)) closeSync(descriptor);
  },
};

// Threads start faster from the build, if the run has just built it.
if (process.env.DESK_TEST_BUILT) Object.assign(workerEntries, builtEntries);

const [dataDir = ''] = process.argv.slice(2);
const config = { dataDir, port: 0, socket: false, uiDir: null, sessionToken };
const engine = await startEngine(config);
process.on('message', async (command: ChildCommand) => {
  if (command === 'close') {
    await engine.close();
    process.disconnect();
  } else {
    steps[command]();
    process.send?.(command);
  }
});
process.send?.(engine.url);
