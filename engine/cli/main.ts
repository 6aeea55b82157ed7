/** The program `desk`: one line, run in this process, which ends with its exit code. */

import { openTerminal } from './kit/terminal.ts';
import { runLine } from './run-line.ts';

/** What the shell answers for a process that Ctrl+C ended. */
const interruptedExitCode = 130;

/** The first signal aborts, a second one ends the process; until the first one counts no more. */
function catchInterrupt(until?: AbortSignal): AbortSignal {
  const interruption = new AbortController();
  const onSignal = () => {
    if (interruption.signal.aborted) process.exit(interruptedExitCode);
    interruption.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const release = () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  until?.addEventListener('abort', release, { once: true });
  return interruption.signal;
}

// A reader that went away (`desk … | head`) is no failure of the command.
process.stdout.on('error', () => {});
// No top-level await: in the bundle the engine's chunk imports this one, and would wait for it.
void runLine(process.argv.slice(2), {
  terminal: openTerminal(),
  // npm runs scripts in the package's folder: the caller's is handed over.
  callerDir: process.env.DESK_CWD ?? process.cwd(),
  catchInterrupt,
  print: (text) => new Promise((done) => process.stdout.write(`${text}\n`, () => done())),
}).then((exitCode) => process.exit(exitCode));
