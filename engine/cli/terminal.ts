/** What the person at the command line sees and answers: notes and questions on standard error. */
import { createInterface } from 'node:readline/promises';

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
}

/** The terminal that this process runs in. */
export function openTerminal(): Terminal {
  const output = process.stderr;
  return {
    output,
    isInteractive: process.stdin.isTTY === true && output.isTTY === true,
    note: (line) => void output.write(`${line}\n`),
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
