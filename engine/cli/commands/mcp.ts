/** `desk mcp`: the tools on standard input and output, for assistants that take no address. */
import type { Call, Command, Outcome } from '../kit/command.ts';
import { serveStdio } from '../mcp-stdio/serve-stdio.ts';

async function runMcp(call: Call): Promise<Outcome> {
  const interrupt = call.catchInterrupt();
  // Opened before anything is read: what stands in the way is an exit code, not an answer.
  const engine = await call.openEngine();
  await serveStdio({ note: call.terminal.note, openEngine: async () => engine }, interrupt);
  return { json: undefined, lines: [] };
}

/** The tools for assistants, by standard input and output. */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the tools to an assistant over standard input and output',
  yieldsFolder: true,
  notes: [
    'It speaks the Model Context Protocol: one message of JSON-RPC on each line, nothing else on',
    'standard output. Messages go to the engine that runs on the folder; where none runs, it opens',
    'the folder itself, and lets go of it when the app starts. It ends with its input.',
    'The assistant needs no key: it acts by one that is made for its name, "stdio: NAME", whose',
    'spending caps are set in Connections or by "desk keys set", and which can be revoked there.',
  ],
  run: runMcp,
};
