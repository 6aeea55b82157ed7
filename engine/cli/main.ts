/** The program `desk`: one line, run in this process, which ends with its exit code. */
import { runLine } from './run-line.ts';
import { openTerminal } from './terminal.ts';

// A reader that went away (`desk … | head`) is no failure of the command.
process.stdout.on('error', () => {});
process.exit(
  await runLine(process.argv.slice(2), {
    terminal: openTerminal(),
    // npm runs scripts in the package's folder: the caller's is handed over.
    callerDir: process.env.DESK_CWD ?? process.cwd(),
    print: (text) => new Promise((done) => process.stdout.write(`${text}\n`, () => done())),
  }),
);
