// A client of the engine that owns a data folder, over its local socket.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type AnswerOf,
  type AppEndpoint,
  type Arguments,
  type WrittenRequest,
  writeRequest,
} from '../../contract/endpoints.ts';
import { FailureSchema, successOf } from '../../contract/envelope.ts';
import { EngineError } from '../../contract/errors.ts';
import { type AppEvent, AppEventSchema } from '../../contract/events.ts';
import { type EnvironmentName, environmentPaths } from '../../contract/ids.ts';
import { folderHandoverMaxMs } from '../../contract/limits/platform.ts';
import { socketPathOf } from '../../platform/data-dir.ts';
import { http } from '../../platform/net/node-modules.ts';
import { requirePrivateFolder } from '../../platform/private-files.ts';
import { readEventData } from './event-data.ts';
import { CommandError, exitCodes } from './refusal.ts';

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path in the environment, such as "/api/v1/mcp". */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface EngineClient {
  /** Whether this command started it. It ends with the command then. */
  readonly isOwn: boolean;
  /** Throws the engine's EngineError, a CommandError if the engine has ended, and AbortError. */
  ask<Call extends AppEndpoint>(
    endpoint: Call,
    ...given: Arguments<Call, AbortSignal>
  ): Promise<AnswerOf<Call>>;
  /** Calls the listener for every event, until the returned function is called. */
  listen(listener: (event: AppEvent) => void): Promise<() => void>;
  /**
   * Sends a request and passes any answer to `read`. If `read` throws NotServed, sends the request
   * again. Throws a CommandError if the engine has ended, and the signal's AbortError.
   */
  forward<T>(request: RawRequest, read: (answer: IncomingMessage) => Promise<T>): Promise<T>;
  /** Ends the command's own engine, after its batch and the requests of other commands. */
  close(): Promise<void>;
}

export const probeIntervalMs = 100;

export class NotServed extends Error {}

const engineGone = (error: Error): CommandError =>
  new CommandError(
    'engine_stopped',
    exitCodes.failed,
    `The engine stopped before it answered (${error.message}), so the command may have taken ` +
      'effect. Check that before you run it again.',
  );

/** The error of a lost connection. What cannot be repeated may have taken effect. */
function explainLoss(error: NodeJS.ErrnoException, isRepeatable: boolean): Error {
  const wasRefused = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
  return wasRefused || isRepeatable ? new NotServed(error.message) : engineGone(error);
}

type RawRequestParts = { method: string; path: string; isRepeatable?: boolean } & Partial<
  Pick<RawRequest, 'headers' | 'body' | 'signal'>
>;

interface Target {
  readonly socketPath: string;
  readonly environment: EnvironmentName;
  readonly accountId: string | undefined;
}

function send(
  target: Target,
  { method, path, headers, body, signal, isRepeatable = method === 'GET' }: RawRequestParts,
) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = http.request(
      {
        socketPath: target.socketPath,
        path: environmentPaths[target.environment] + path,
        method,
        agent: false,
        ...(signal && { signal }),
        headers: {
          host: 'localhost',
          ...(target.accountId !== undefined && { 'x-desk-account': target.accountId }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      resolve,
    );
    outgoing.on('error', (error) =>
      reject(signal?.aborted ? error : explainLoss(error, isRepeatable)),
    );
    outgoing.end(body);
  });
}

interface JsonRequest extends WrittenRequest {
  readonly isRepeatable: boolean;
  readonly key: string;
}

async function readText(answer: IncomingMessage, isRepeatable: boolean): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer) pieces.push(piece as Buffer);
  } catch (error) {
    throw explainLoss(error as Error, isRepeatable);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function call<T extends z.ZodType>(
  target: Target,
  schema: T,
  { method, path, body, isRepeatable, key }: JsonRequest,
  signal: AbortSignal | undefined,
): Promise<z.infer<T>> {
  const answer = await send(target, {
    method,
    path,
    isRepeatable,
    headers: {
      ...(method !== 'GET' && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const data: unknown = JSON.parse(await readText(answer, isRepeatable));
  const failure = FailureSchema.safeParse(data);
  if (failure.success) throw new EngineError(failure.data.error, failure.data.detail);
  // An engine that is stopping answers 503 without an envelope.
  if (answer.statusCode === 503) throw new NotServed('it is stopping');
  return (successOf(schema).parse(data) as { data: z.infer<T> }).data;
}

async function readEvents(
  answer: IncomingMessage,
  listener: (event: AppEvent) => void,
): Promise<void> {
  for await (const data of readEventData(answer)) listener(AppEventSchema.parse(JSON.parse(data)));
}

export type CloseOwn = () => Promise<void>;

/** Callbacks of `FindEngine`. */
export interface Findings {
  onWait(reason: string): void;
  onLeave(gone: Promise<void>): void;
}

/** Finds or starts the engine of a folder. Resolves with how to end it; null if it was running. */
export type FindEngine = (
  dataDir: string,
  socketPath: string,
  findings: Findings,
) => Promise<CloseOwn | null>;

/** The engine's folder, the environment and the account of all requests. */
export interface EngineAddress {
  readonly dataDir: string;
  readonly environment: EnvironmentName;
  /** Default: the first account. */
  readonly accountId: string | undefined;
}

/**
 * Opens a client of the engine that `findEngine` finds. If that engine ends, requests go to the
 * next one that is found. `onWait` is called with the reason if the user has to wait. Throws what
 * `findEngine` throws, and `folder_not_private` if other users may write to the folder.
 */
export async function openEngine(
  { dataDir, environment, accountId }: EngineAddress,
  findEngine: FindEngine,
  onWait: Findings['onWait'] = () => {},
): Promise<EngineClient> {
  // A user who may write to the folder could place a socket there.
  requirePrivateFolder(dataDir);
  const target = { socketPath: socketPathOf(dataDir), environment, accountId };
  let closeOwn: CloseOwn | null = null;
  let leaving: Promise<void> | null = null;
  const find = async () => {
    closeOwn = await findEngine(dataDir, target.socketPath, {
      onWait,
      onLeave(gone) {
        closeOwn = null;
        leaving = gone;
      },
    });
  };
  await find();
  // Counts engines, so that requests which met an earlier one go to the current one.
  let generation = 0;
  let finding: Promise<void> | null = null;

  /** Finds the next engine, once for all requests that wait for it. */
  function findNext(): Promise<void> {
    finding ??= (async () => {
      await wait(probeIntervalMs);
      await find();
      generation += 1;
    })().finally(() => {
      finding = null;
    });
    return finding;
  }

  /** Does some work with the current engine, and with the next one if that has ended. */
  async function retry<T>(work: () => Promise<T>): Promise<T> {
    for (let left = folderHandoverMaxMs / probeIntervalMs; ; left--) {
      const met = generation;
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof NotServed)) throw error;
        if (left <= 0 || (met === generation && closeOwn !== null)) throw engineGone(error);
        if (met === generation) await findNext();
      }
    }
  }

  return {
    get isOwn() {
      return closeOwn !== null;
    },
    ask(endpoint, ...[input, signal]) {
      const written = writeRequest(endpoint, input);
      const isRepeatable = endpoint.isRepeatable ?? written.method === 'GET';
      const request = { ...written, isRepeatable, key: randomUUID() };
      return retry(() => call(target, endpoint.answer, request, signal)) as never;
    },
    async listen(listener) {
      const answer = await retry(() => send(target, { method: 'GET', path: '/app/v1/events' }));
      // Events only show progress; a command polls for its result.
      void readEvents(answer, listener).catch(() => {});
      return () => void answer.destroy();
    },
    forward: (request, read) => retry(async () => read(await send(target, request))),
    async close() {
      await leaving;
      await closeOwn?.();
    },
  };
}
