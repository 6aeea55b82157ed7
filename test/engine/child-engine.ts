// An engine in a process of its own. It uses up the files that it may open, and gives them back,
// when it is told to.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { startEngine } from '../../engine/app/main.ts';
import { sessionToken } from './child-session.ts';

/** What the engine's process is told. */
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
    // What the engine closes meanwhile is taken as well.
    refill = setInterval(fill, 1);
  },
  'give back'() {
    clearInterval(refill);
    for (const descriptor of opened.splice(0)) closeSync(descriptor);
  },
};

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
