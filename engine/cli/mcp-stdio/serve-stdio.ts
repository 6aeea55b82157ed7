// Serves the tools on this process's standard input and output until they end.
import { addAbortSignal } from 'node:stream';
import { type ForwardParts, forwardMessages } from './forward-messages.ts';

/** Forwards until standard input ends, standard output is closed, or `interrupt` is aborted. */
export async function serveStdio(
  { note, openEngine }: Pick<ForwardParts, 'note' | 'openEngine'>,
  interrupt: AbortSignal,
): Promise<void> {
  const { stdin, stdout } = process;
  const ended = new AbortController();
  const signal = AbortSignal.any([interrupt, ended.signal]);
  // No one reads the answers.
  stdout.once('error', () => ended.abort());
  addAbortSignal(signal, stdin);
  const write = (line: string) =>
    new Promise<void>((done) => stdout.write(`${line}\n`, () => done()));
  try {
    await forwardMessages({ input: stdin, write, note, openEngine, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
