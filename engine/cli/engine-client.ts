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
const otherEngineWaitMs = 10_000;
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

/** A request that no engine has begun to work on: it may be sent again. */
class NotServed extends Error {}

const engineGone = (error: Error): CommandError =>
  new CommandError(
    'engine_stopped',
    exitCodes.failed,
    `The engine stopped answering (${error.message}). Run the command again.`,
  );

/** What a lost connection means: reading again does no harm, anything else may have been done. */
function explainLoss(error: NodeJS.ErrnoException, method: string): Error {
  const wasRefused = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
  return wasRefused || method === 'GET' ? new NotServed(error.message) : engineGone(error);
}

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
    outgoing.on('error', (error) => reject(explainLoss(error, method)));
    outgoing.end(text);
  });
}

async function readText(answer: IncomingMessage, method: string): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer) pieces.push(piece as Buffer);
  } catch (error) {
    throw explainLoss(error as Error, method);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function call<T extends z.ZodType>(
  target: Target,
  schema: T,
  [method, path, body]: [method: string, path: string, body: unknown],
): Promise<z.infer<T>> {
  const answer = await send(target, method, path, body);
  const data: unknown = JSON.parse(await readText(answer, method));
  const failure = FailureSchema.safeParse(data);
  if (failure.success) throw new EngineError(failure.data.error, failure.data.detail);
  // An engine that is about to end answers so, outside of the envelope.
  if (answer.statusCode === 503) throw new NotServed('it is stopping');
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

type CloseOwn = () => Promise<void>;

/** Finds the engine that answers, else starts one; answers how to end it, null for another's. */
async function findOrStart(dataDir: string, socketPath: string): Promise<CloseOwn | null> {
  const giveUpAtMs = Date.now() + otherEngineWaitMs;
  for (;;) {
    if (await answersAt(socketPath)) return null;
    // Loaded only here: a command to a running engine answers at once.
    const { startEngine } = await import('../main.ts');
    try {
      const engine = await startEngine({ dataDir, port: null, socket: true, uiDir: null });
      return () => engine.close();
    } catch (error) {
      // The owner may be another command, about to answer or to end.
      if (Date.now() > giveUpAtMs || !isOwned(dataDir)) throw error;
      await wait(probeIntervalMs);
    }
  }
}

/**
 * The engine of a folder: the one that answers, else one that this process starts and ends. Where
 * the other one ends meanwhile, this process goes on with one of its own. Throws EngineError where
 * the folder cannot be opened.
 */
export async function openEngine(
  dataDir: string,
  accountId: string | undefined,
): Promise<EngineClient> {
  const target = { socketPath: socketPathOf(dataDir), accountId };
  let closeOwn = await findOrStart(dataDir, target.socketPath);

  /** Does it with the engine that is there; with the next one where that has gone. */
  async function retry<T>(work: () => Promise<T>): Promise<T> {
    for (let left = otherEngineWaitMs / probeIntervalMs; ; left--) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof NotServed)) throw error;
        if (closeOwn !== null || left <= 0) throw engineGone(error);
        await wait(probeIntervalMs);
        closeOwn = await findOrStart(dataDir, target.socketPath);
      }
    }
  }

  return {
    get isOwn() {
      return closeOwn !== null;
    },
    request: (schema, method, path, body) =>
      retry(() => call(target, schema, [method, path, body])),
    async listen(listener) {
      const answer = await retry(() => send(target, 'GET', 'events'));
      // The events only show how far things are: what a command waits for is asked for.
      void readEvents(answer, listener).catch(() => {});
      return () => void answer.destroy();
    },
    close: async () => closeOwn?.(),
  };
}
