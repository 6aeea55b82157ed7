/** Speaks to the engine that owns a data folder over its local socket; else starts one. */
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { type AppEvent, AppEventSchema } from '../contract/app.ts';
import { FailureSchema, successOf } from '../contract/envelope.ts';
import { EngineError } from '../contract/errors.ts';
import { lockFolder, socketPathOf } from '../folder.ts';
import { CommandError, exitCodes } from './refusal.ts';

/** The engine, as a command meets it. */
export interface EngineClient {
  /** Whether this command started it and it ends with the command. */
  readonly isOwn: boolean;
  /**
   * One request of /app/v1; answers the envelope's data, checked against a schema. Throws the
   * engine's own EngineError, or a CommandError where the engine has gone.
   */
  request<T extends z.ZodType>(
    schema: T,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<z.infer<T>>;
  /** Calls the listener for every event from now on, until the returned function is called. */
  listen(listener: (event: AppEvent) => void): Promise<() => void>;
  /** Lets go of the engine; one of our own finishes its batch and ends. */
  close(): Promise<void>;
}

/** How long another engine that is just starting or ending is waited for. */
const otherEngineWaitMs = 5_000;
const probeIntervalMs = 100;

/** Whether an engine answers at a socket. */
const answersAt = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const engineGone = (error: Error): CommandError =>
  new CommandError(
    'engine_stopped',
    exitCodes.failed,
    `The engine stopped answering (${error.message}). Run the command again.`,
  );

interface Target {
  readonly socketPath: string;
  readonly accountId: string | undefined;
}

/** Sends a request; resolves at the head of the answer. */
function send(target: Target, method: string, path: string, body?: unknown) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: target.socketPath,
        path: `/app/v1/${path}`,
        method,
        agent: false,
        headers: {
          host: 'localhost',
          ...(target.accountId === undefined ? {} : { 'x-desk-account': target.accountId }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      resolve,
    );
    outgoing.on('error', (error) => reject(engineGone(error)));
    outgoing.end(text);
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer) pieces.push(piece as Buffer);
  } catch (error) {
    throw engineGone(error as Error);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function call<T extends z.ZodType>(
  target: Target,
  schema: T,
  [method, path, body]: [method: string, path: string, body: unknown],
): Promise<z.infer<T>> {
  const answer = await send(target, method, path, body);
  const data: unknown = JSON.parse(await readText(answer));
  const failure = FailureSchema.safeParse(data);
  if (failure.success) throw new EngineError(failure.data.error, failure.data.detail);
  return (successOf(schema).parse(data) as { data: z.infer<T> }).data;
}

/** Reads `data:` lines of an event stream; comments between them are heartbeats. */
async function readEvents(
  answer: IncomingMessage,
  listener: (event: AppEvent) => void,
): Promise<void> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const piece of answer) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data:')) listener(AppEventSchema.parse(JSON.parse(line.slice(5))));
  }
}

function createClient(target: Target, closeOwn: (() => Promise<void>) | null): EngineClient {
  return {
    isOwn: closeOwn !== null,
    request: (schema, method, path, body) => call(target, schema, [method, path, body]),
    async listen(listener) {
      const answer = await send(target, 'GET', 'events');
      // The events only show how far things are: what a command waits for is asked for.
      void readEvents(answer, listener).catch(() => {});
      return () => void answer.destroy();
    },
    close: async () => closeOwn?.(),
  };
}

/** Whether another process owns the folder at this moment. */
function isOwned(dataDir: string): boolean {
  try {
    lockFolder(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof EngineError) return true;
    throw error;
  }
}

/**
 * The engine of a folder: the one that answers, else one that this process starts and ends. Throws
 * EngineError where the folder cannot be opened.
 */
export async function openEngine(
  dataDir: string,
  accountId: string | undefined,
): Promise<EngineClient> {
  const target = { socketPath: socketPathOf(dataDir), accountId };
  const giveUpAtMs = Date.now() + otherEngineWaitMs;
  for (;;) {
    if (await answersAt(target.socketPath)) return createClient(target, null);
    // Loaded only here: a command to a running engine answers at once.
    const { startEngine } = await import('../main.ts');
    try {
      const engine = await startEngine({ dataDir, port: null, socket: true, uiDir: null });
      return createClient(target, () => engine.close());
    } catch (error) {
      // The owner may be another command, about to answer or to end.
      if (Date.now() > giveUpAtMs || !isOwned(dataDir)) throw error;
      await wait(probeIntervalMs);
    }
  }
}
