// The real engine with tools of a test's own, behind a network that the test watches and breaks:
// the socket of the data folder forwards every request to the server, unless it is cut off.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { startServer } from '../../engine/app/start-server.ts';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import type { Json } from '../http/open-api-desk.ts';
import { openEnvironment, type TestEnvironment } from '../http/open-environment.ts';

export interface Arrived {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
  /** Resolves with the status when the engine has begun to answer. */
  readonly answered: Promise<number>;
  /** Resolves when the caller has hung up, or has the whole answer. */
  readonly hungUp: Promise<void>;
  cut(): void;
  /** Keeps the caller's side open when the engine ends the answer, as a dead network does. */
  hang(): void;
}

export interface TappedEngine {
  readonly dataDir: string;
  readonly environment: TestEnvironment;
  next(): Promise<Arrived>;
  /** Breaks the connection of the next message before the engine sees it. */
  loseNext(): void;
  /** Sends a request to the tool server past the network; resolves with the status. */
  send(method: string, headers: IncomingMessage['headers']): Promise<number>;
  /** The tool servers that were opened, the newest last. */
  readonly servers: readonly McpServer[];
  /** Resolves when the engine has cancelled the call of `wait`. */
  readonly cancelled: Promise<void>;
}

const toolPath = '/api/v1/mcp';
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const form = { type: 'object' as const, properties: { yes: { type: 'boolean' as const } } };

async function announce({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress };
  await mcpReq.notify({ method: 'notifications/progress', params });
}

/** The tools: one that asks, one that never answers by itself, one that answers at once. */
function openTools(onCancelled: () => void): McpServer {
  const server = new McpServer(
    { name: 'tapped', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  const add = (name: string, answer: (context: ServerContext) => Promise<string>) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (async (
      _args: object,
      context: ServerContext,
    ) => said(await answer(context))) as never);
  add('ask', async (context) => {
    const { action } = await context.mcpReq.elicitInput(
      { mode: 'form', message: 'This costs 5 credits.', requestedSchema: form },
      { relatedRequestId: context.mcpReq.id } as never,
    );
    await announce(context, 1);
    return action;
  });
  add('wait', async (context) => {
    const { signal } = context.mcpReq;
    const cancelled = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await announce(context, 1);
    await cancelled;
    onCancelled();
    return 'cancelled';
  });
  add('greet', async () => 'Hello');
  return server;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Forwards one request to the engine's own socket. */
function forward(
  socketPath: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
) {
  const answered = Promise.withResolvers<number>();
  const hungUp = Promise.withResolvers<void>();
  let hangs = false;
  const outgoing = request({ socketPath, method, path: url, headers, agent: false }, (incoming) => {
    const { statusCode = 0 } = incoming;
    answer.writeHead(statusCode, incoming.headers).flushHeaders();
    answered.resolve(statusCode);
    incoming.on('data', (piece) => answer.write(piece));
    incoming.on('end', () => hangs || answer.end());
    incoming.on('error', () => answer.destroy());
  });
  outgoing.on('error', () => answer.destroy());
  outgoing.end(body);
  answer.once('close', () => {
    outgoing.destroy();
    hungUp.resolve();
  });
  return {
    answered: answered.promise,
    hungUp: hungUp.promise,
    cut: () => void answer.destroy(),
    hang() {
      hangs = true;
    },
  };
}

/** Listens at the socket of a folder and forwards to the engine. */
async function openTap(dataDir: string, socketPath: string) {
  const arrived: Arrived[] = [];
  const waiting: ((one: Arrived) => void)[] = [];
  let lost = 0;
  const tap = createServer(async (incoming, answer) => {
    const bytes = await readBody(incoming);
    if (incoming.url !== toolPath) return void forward(socketPath, incoming, bytes, answer);
    if (lost > 0) {
      lost -= 1;
      return void answer.destroy();
    }
    const body = bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8'));
    const { method = '', headers } = incoming;
    const one = { method, headers, body, ...forward(socketPath, incoming, bytes, answer) };
    const first = waiting.shift();
    if (first) first(one);
    else arrived.push(one);
  });
  await new Promise<void>((resolve) => tap.listen(socketPathOf(dataDir), resolve));
  return {
    next: (): Promise<Arrived> => {
      const first = arrived.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    loseNext() {
      lost += 1;
    },
    async close() {
      tap.closeAllConnections();
      await new Promise((resolve) => tap.close(resolve));
    },
  };
}

export async function tapEngine(): Promise<TappedEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-tapped-'));
  const servers: McpServer[] = [];
  const cancelled = Promise.withResolvers<void>();
  const openServer = () => {
    const server = openTools(cancelled.resolve);
    servers.push(server);
    return server;
  };
  const environment = await openEnvironment({ provider: null });
  const socketPath = socketPathOf(environment.folder);
  const config = { port: null, socketPath, uiDir: null, sessionToken: null, version: '1.2.3' };
  const server = await startServer({
    environment,
    config: { ...config, toolParts: { openServer } },
  });
  const { next, loseNext, close } = await openTap(dataDir, socketPath);
  onTestFinished(async () => {
    await close();
    await server.close();
    await environment.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    environment,
    servers,
    next,
    loseNext,
    cancelled: cancelled.promise,
    send: (method, headers) =>
      new Promise((resolve, reject) => {
        const options = { socketPath, method, path: toolPath, headers, agent: false };
        request({ ...options, headers: { host: 'localhost', ...headers } }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      }),
  };
}
