// The program `desk`: runs one command line and ends with its exit code.
import { fstatSync } from 'node:fs';
import { openTerminal } from './kit/terminal.ts';
import { runLine } from './run-line.ts';

/** The exit code that shells report for a process ended by Ctrl+C. */
const interruptedExitCode = 130;

/** The first signal aborts, a second one ends the process. Stops listening at `until`. */
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

/** Whether standard output is a file, which the shell creates before the command starts. */
function writesFile(): boolean {
  try {
    return fstatSync(process.stdout.fd).isFile();
  } catch {
    return false;
  }
}

let hasPrinted = false;
const terminal = openTerminal();
// A closed pipe (`desk … | head`) is not a failure of the command.
process.stdout.on('error', () => {});
// No top-level await: in the bundle the engine's chunk imports this one, which would deadlock.
void runLine(process.argv.slice(2), {
  terminal,
  // npm runs scripts in the package's folder and passes the caller's in the environment.
  callerDir: process.env.DESK_CWD ?? process.cwd(),
  catchInterrupt,
  print(text) {
    hasPrinted = true;
    return new Promise((done) => process.stdout.write(`${text}\n`, () => done()));
  },
}).then((exitCode) => {
  if (exitCode !== 0 && !hasPrinted && writesFile())
    terminal.note('Nothing was written to the file of standard output.');
  process.exit(exitCode);
});
