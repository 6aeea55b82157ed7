// `desk mcp`: serves the tools on standard input and output to an assistant that starts it.
import type { Call, Command, Outcome } from '../kit/command.ts';
import { serveStdio } from '../mcp-stdio/serve-stdio.ts';

async function runMcp(call: Call): Promise<Outcome> {
  const interrupt = call.catchInterrupt();
  // Opened before the first message, so that a failure is an exit code and not an answer.
  const engine = await call.openEngine();
  await serveStdio({ note: call.terminal.note, openEngine: async () => engine }, interrupt);
  return { json: undefined, lines: [] };
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the tools to an assistant over standard input and output',
  notes: [
    'It speaks the Model Context Protocol: one JSON-RPC message per line, and nothing else on',
    'standard output. Messages go to the engine that runs on the folder. If none runs, it opens',
    'the folder itself and releases it when the app starts. It ends when its input ends.',
    'The assistant needs no key. It uses a key that is created for its name, "stdio: NAME". Set',
    'spending caps or revoke the key in Connections, or with "desk keys".',
  ],
  run: runMcp,
};
