/** What the person at the command line sees and answers: notes and questions on standard error. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The streams of a command; standard output is kept for the result. */
export interface Terminal {
  /** Standard error. */
  readonly output: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
  };
  /** Whether a person is there to answer a question. */
  readonly isInteractive: boolean;
  /** Writes a line to standard error. */
  note(line: string): void;
  /** Asks a question that is answered yes or no; anything but y and yes is no. */
  ask(question: string): Promise<boolean>;
  /** Reads standard input to its end; at a terminal one line, which is not shown. */
  readSecret(question: string): Promise<string>;
}

/** Asks for a line that is not shown while it is typed; empty where it was broken off. */
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

/** The terminal that this process runs in. */
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
