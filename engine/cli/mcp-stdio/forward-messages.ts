/**
 * Hands messages of the Model Context Protocol from standard input to the engine's tool server and
 * its answers back, whatever version they speak. What they say is not looked into but for what
 * HTTP needs to know.
 */

import { stdioDrainMaxMs } from '../../contract/limits/assistants.ts';
import { jsonBodyBytesMax } from '../../contract/limits/http.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { deliverMessage } from './deliver-message.ts';
import { type PendingBatch, toLine } from './read-answer.ts';
import { type RpcId, type RpcMessage, readMessage, rpcCodes, writeRefusal } from './rpc-message.ts';
import { readLines } from './stdio-lines.ts';
import { createIdentity } from './tool-identity.ts';
import { createToolSession } from './tool-session.ts';

/** What the forwarder works with. */
export interface ForwardParts {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line of the protocol. */
  write(line: string): Promise<void>;
  /** Says a line to whoever reads the log. */
  note(line: string): void;
  openEngine(): Promise<EngineClient>;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

const tooLong =
  `The message is longer than ${jsonBodyBytesMax / 1024 ** 2} MiB. ` +
  'Send a longer list in several calls.';

function createPendingBatch(message: RpcMessage, ended: AbortSignal): PendingBatch {
  const dropped = new AbortController();
  // The Node that an assistant brings along may know no Promise.withResolvers.
  let land = () => {};
  const arrived = new Promise<void>((resolve) => {
    land = resolve;
  });
  const signal = AbortSignal.any([ended, dropped.signal]);
  return { message, waiting: new Set(message.ids), dropped, signal, arrived, land };
}

/** Messages on their way, and the session that they are of. */
function createForwarder({ write, openEngine, signal }: ForwardParts) {
  const pendingBatches = new Map<RpcId, PendingBatch>();
  const identify = createIdentity(openEngine);
  const session = createToolSession({
    openEngine,
    identify,
    receive: (data) => write(toLine(data)),
    signal,
  });

  async function fly(message: RpcMessage): Promise<void> {
    const pending = createPendingBatch(message, signal);
    for (const id of message.ids) pendingBatches.set(id, pending);
    try {
      await deliverMessage({ write, openEngine, identify, session }, pending);
      if (message.method === 'notifications/initialized') session.listen();
    } finally {
      pending.land();
      for (const id of message.ids)
        if (pendingBatches.get(id) === pending) pendingBatches.delete(id);
    }
  }

  return {
    fly,
    /** By HTTP the newest version cancels by hanging up; the older ones by the message as well. */
    async cancel(message: RpcMessage, id: RpcId): Promise<void> {
      const pending = pendingBatches.get(id);
      if (pending?.message.isOlder ?? session.isBegun) {
        await pending?.arrived;
        await fly(message);
      }
      pending?.dropped.abort();
    },
    /** Lets go of what would never end by itself. */
    dropStreams() {
      for (const { message, dropped } of pendingBatches.values())
        if (message.method === 'subscriptions/listen') dropped.abort();
    },
    endSession: () => session.end().catch(() => undefined),
  };
}

/**
 * Forwards until the input ends, then waits for what was asked, and ends the session. Everything
 * expected is answered on its line; a bug is noted.
 */
export async function forwardMessages(parts: ForwardParts): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([parts.signal, ended.signal]);
  const forwarder = createForwarder({ ...parts, signal });
  const flying = new Set<Promise<void>>();
  const start = (message: RpcMessage) => {
    const pending = forwarder
      .fly(message)
      .catch((error: unknown) => parts.note(String((error as Error).stack ?? error)))
      .finally(() => flying.delete(pending));
    flying.add(pending);
    return pending;
  };
  for await (const line of readLines(parts.input, jsonBodyBytesMax)) {
    if (line?.toString('latin1').trim() === '') continue;
    const message = line && readMessage(line);
    if (message === null) await parts.write(writeRefusal(null, rpcCodes.invalidRequest, tooLong));
    else if ('refusal' in message) await parts.write(message.refusal);
    else if (message.cancelledId !== null) await forwarder.cancel(message, message.cancelledId);
    // What others build on, and what has an order, arrives before the next is read.
    else if (message.ids.length === 0 || message.method === 'initialize') await start(message);
    else void start(message);
  }
  const late = setTimeout(() => ended.abort(), stdioDrainMaxMs);
  forwarder.dropStreams();
  await Promise.all(flying);
  await forwarder.endSession();
  clearTimeout(late);
  ended.abort();
}
