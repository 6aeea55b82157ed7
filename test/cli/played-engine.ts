/** Simulates an engine at a folder's local socket: answers as the test says, and disconnects. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import type { Json } from '../http/open-api-desk.ts';

export interface Arrived {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
  readonly answer: ServerResponse;
  /** Resolves when the caller disconnects. */
  readonly hungUp: Promise<void>;
}

/** Controls of the simulated engine. */
export interface PlayedEngine {
  readonly dataDir: string;
  /** The next message to the tool server. */
  next(): Promise<Arrived>;
  /** Answers as JSON. */
  json(arrived: Arrived, body: object, headers?: Record<string, string>, status?: number): void;
  /** Starts or continues a stream. */
  event(arrived: Arrived, body: object): void;
}

const keyId = '11111111-2222-4333-8444-555555555555';

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Runs the simulated engine until the test ends. */
export async function playEngine(): Promise<PlayedEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-played-'));
  const arrived: Arrived[] = [];
  const waiting: ((one: Arrived) => void)[] = [];
  const server = createServer(async (request, answer) => {
    const text = await readBody(request);
    if (request.url !== '/api/v1/mcp') {
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify({ success: true, data: { key_id: keyId } }));
      return;
    }
    const hungUp = new Promise<void>((resolve) => answer.once('close', resolve));
    const body = text === '' ? null : JSON.parse(text);
    const one = { method: request.method ?? '', headers: request.headers, body, answer, hungUp };
    const first = waiting.shift();
    if (first) first(one);
    else arrived.push(one);
  });
  await new Promise<void>((resolve) => server.listen(socketPathOf(dataDir), resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    next: () => {
      const first = arrived.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    json({ answer }, body, headers = {}, status = 200) {
      answer.writeHead(status, { 'content-type': 'application/json', ...headers });
      answer.end(JSON.stringify(body));
    },
    event({ answer }, body) {
      if (!answer.headersSent) answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(`event: message\ndata: ${JSON.stringify(body)}\n\n`);
    },
  };
}
