// The dialogue with the person at the terminal: notes and questions on standard error.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The terminal of a command. Standard output is reserved for the result. */
export interface Terminal {
  /** Standard error. */
  readonly output: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
  };
  readonly isInteractive: boolean;
  note(line: string): void;
  /** Asks a yes-or-no question. Anything but y and yes is no. */
  ask(question: string): Promise<boolean>;
  /** Reads standard input to its end; on a terminal, one line without echo. */
  readSecret(question: string): Promise<string>;
}

/** Asks for a line without echo. Empty if it is interrupted. */
async function askUnseen(question: string, output: NodeJS.WriteStream): Promise<string> {
  output.write(question);
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const stopped = new AbortController();
  lines.once('SIGINT', () => stopped.abort()).once('close', () => stopped.abort());
  try {
    return await lines.question('', { signal: stopped.signal });
  } catch {
    return '';
  } finally {
    lines.close();
    output.write('\n');
  }
}

export function openTerminal(): Terminal {
  const output = process.stderr;
  return {
    output,
    isInteractive: process.stdin.isTTY === true && output.isTTY === true,
    note: (line) => void output.write(`${line}\n`),
    readSecret: (question) =>
      process.stdin.isTTY ? askUnseen(question, output) : text(process.stdin),
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output });
      try {
        // Ctrl+C or Ctrl+D at the question is a no.
        const stopped = new AbortController();
        lines.once('SIGINT', () => stopped.abort()).once('close', () => stopped.abort());
        const answer = await lines.question(`${question} [y/N] `, { signal: stopped.signal });
        return /^y(es)?$/i.test(answer.trim());
      } catch {
        output.write('\n');
        return false;
      } finally {
        lines.close();
      }
    },
  };
}
