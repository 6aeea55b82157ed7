// How `desk mcp` reads an answer that is a stream of events.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readAnswer } from '../../../engine/cli/mcp-stdio/forward-messages.ts';
import { readMessage } from '../../../engine/cli/mcp-stdio/rpc-message.ts';
import { createToolSession } from '../../../engine/cli/mcp-stdio/tool-session.ts';

test('an answer of several lines goes out as one', async () => {
  const lines: string[] = [];
  const write = async (line: string) => void lines.push(line);
  const message = readMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
  if ('refusal' in message) throw new Error(message.refusal);
  const text = 'data: {"jsonrpc":"2.0",\r\ndata: "id":1,\r\ndata: "result":{}}\r\n\r\n';
  const answer = Object.assign(Readable.from([Buffer.from(text)]), {
    headers: { 'content-type': 'text/event-stream' },
    statusCode: 200,
  }) as unknown as IncomingMessage;
  const dropped = new AbortController();
  const none = () => Promise.reject(new Error('nothing is sent'));
  const session = createToolSession({
    openEngine: none,
    identify: none,
    receive: none,
    signal: dropped.signal,
  });
  const waiting = new Set(message.ids);
  const received = Promise.withResolvers<void>();
  await readAnswer(
    { write, session },
    {
      message,
      waiting,
      dropped,
      signal: dropped.signal,
      received: received.promise,
      markReceived: received.resolve,
    },
    answer,
  );
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  expect(lines[0]).not.toMatch(/[\r\n]/);
  expect(waiting.size).toBe(0);
});
