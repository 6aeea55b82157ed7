// Forwards messages of the Model Context Protocol from standard input to the engine's tool server,
// and its answers back, in every version of the protocol. It reads only those parts of a message
// that HTTP headers need.
import type { IncomingMessage } from 'node:http';
import { EngineError } from '../../contract/errors.ts';
import { stdioDrainMaxMs } from '../../contract/limits/assistants.ts';
import { jsonBodyBytesMax } from '../../contract/limits/http.ts';
import { type EngineClient, NotServed } from '../kit/engine-client.ts';
import { readEventData } from '../kit/event-data.ts';
import { CommandError } from '../kit/refusal.ts';
import {
  type RpcId,
  type RpcMessage,
  readAnsweredId,
  readMessage,
  rpcCodes,
  writeRefusal,
} from './rpc-message.ts';
import { createIdentity, type Identify } from './tool-identity.ts';
import { createToolSession, messageHeaders, type ToolSession, toolPath } from './tool-session.ts';

/** A message that was read and is not answered yet. */
interface PendingMessage {
  readonly message: RpcMessage;
  /** Its requests without an answer so far. */
  readonly waiting: Set<RpcId>;
  readonly dropped: AbortController;
  /** Aborted by `dropped`, and when the bridge stops. */
  readonly signal: AbortSignal;
  /** Resolves when the server has received it, or when delivery has ended without that. */
  readonly received: Promise<void>;
  /** Resolves `received`. */
  readonly markReceived: () => void;
}

interface AnswerParts {
  write(line: string): Promise<void>;
  readonly session: ToolSession;
}

class AnswerLost extends Error {}
/** The engine does not know the session, and has not started to work on the message. */
class SessionUnknown extends Error {}

async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A message on one line. JSON has line breaks only between its tokens. */
const toLine = (data: string): string => data.replace(/[\r\n]+/g, ' ');

async function emit(
  { write, session }: AnswerParts,
  pending: PendingMessage,
  data: string,
): Promise<void> {
  const value = parseJson(data);
  for (const one of Array.isArray(value) ? value : [value]) {
    const answered = readAnsweredId(one);
    if (answered === null || !pending.waiting.delete(answered)) continue;
    const version = (one as { result?: { protocolVersion?: unknown } }).result?.protocolVersion;
    if (pending.message.method === 'initialize' && typeof version === 'string')
      session.agree(version);
  }
  await write(toLine(data));
}

async function refuseAll(
  { write }: AnswerParts,
  { waiting }: PendingMessage,
  status: number,
  error: unknown,
): Promise<void> {
  const unnamed = { code: rpcCodes.failed, message: `The engine answered with status ${status}.` };
  for (const id of waiting) {
    waiting.delete(id);
    await write(JSON.stringify({ jsonrpc: '2.0', id, error: error ?? unnamed }));
  }
}

async function readWhole(
  parts: AnswerParts,
  pending: PendingMessage,
  answer: IncomingMessage,
): Promise<void> {
  const text = await readText(answer);
  const status = answer.statusCode ?? 0;
  const value = parseJson(text);
  const single = value as { jsonrpc?: unknown; error?: unknown } | null;
  const isRpc = Array.isArray(value) || single?.jsonrpc === '2.0';
  if (status === 503 && !isRpc) throw new NotServed('it is stopping');
  if (status === 404 && pending.message.isOlder && parts.session.isBegun)
    throw new SessionUnknown();
  if (Array.isArray(value) || readAnsweredId(value) !== null) return emit(parts, pending, text);
  if (text !== '' || status >= 300)
    await refuseAll(parts, pending, status, isRpc ? single?.error : null);
}

/** Reads an answer to its end. Throws NotServed, SessionUnknown, or AnswerLost if it breaks off. */
export async function readAnswer(
  parts: AnswerParts,
  pending: PendingMessage,
  answer: IncomingMessage,
): Promise<void> {
  const { message, signal } = pending;
  pending.markReceived();
  if (message.method === 'initialize') parts.session.begin(message, answer);
  try {
    if (!answer.headers['content-type']?.startsWith('text/event-stream'))
      return await readWhole(parts, pending, answer);
    for await (const data of readEventData(answer)) await emit(parts, pending, data);
  } catch (error) {
    if (signal.aborted || error instanceof NotServed || error instanceof SessionUnknown)
      throw error;
    throw new AnswerLost((error as Error).message, { cause: error });
  }
}

interface DeliveryParts extends AnswerParts {
  openEngine(): Promise<EngineClient>;
  readonly identify: Identify;
}

/** Attempts for a message that is safe to repeat. */
const triesMax = 3;

const isEngineGone = (error: unknown): boolean =>
  error instanceof CommandError && error.code === 'engine_stopped';

function explain(error: unknown, message: RpcMessage): string {
  if (error instanceof EngineError) return error.detail;
  if (error instanceof CommandError && !isEngineGone(error)) return error.message;
  const isLoss =
    error instanceof AnswerLost || error instanceof SessionUnknown || isEngineGone(error);
  if (!isLoss) throw error;
  return message.method === 'tools/call'
    ? 'The engine ended in the middle of this call. Call again with the same arguments: what was ' +
        'paid for is not charged twice. Check whether a validation is running before you repeat it.'
    : 'The engine ended before it answered. Ask again.';
}

/** Sends a message once. Calls `onSent` before the server can have started to work on it. */
async function send(
  parts: DeliveryParts,
  pending: PendingMessage,
  onSent: () => void,
): Promise<void> {
  const { message, signal } = pending;
  const identity = await parts.identify(message.clientName);
  const isInSession = message.isOlder && message.method !== 'initialize';
  const ofSession = isInSession ? await parts.session.headers() : {};
  const engine = await parts.openEngine();
  const headers = { ...messageHeaders, ...message.headers, ...identity, ...ofSession };
  onSent();
  await engine.forward(
    { method: 'POST', path: toolPath, headers, body: message.text, signal },
    (answer) => readAnswer(parts, pending, answer),
  );
  if (pending.waiting.size > 0) throw new AnswerLost('the stream ended');
}

/** Delivers a message. Every request in it is answered or refused, unless it is cancelled. */
async function deliverMessage(parts: DeliveryParts, pending: PendingMessage): Promise<void> {
  const { message, waiting } = pending;
  const isHarmless = message.method !== null && message.method !== 'tools/call';
  for (let tries = 1; ; tries++) {
    let wasSent = false;
    try {
      await send(parts, pending, () => {
        wasSent = true;
      });
      return;
    } catch (error) {
      if (pending.signal.aborted) return;
      const wasUnknown = error instanceof SessionUnknown;
      const isLoss = wasUnknown || error instanceof AnswerLost || isEngineGone(error);
      if (isLoss) parts.session.markStale();
      if (isLoss && tries < triesMax && (isHarmless || wasUnknown || !wasSent)) continue;
      const sentence = explain(error, message);
      for (const id of waiting) await parts.write(writeRefusal(id, rpcCodes.failed, sentence));
      return;
    }
  }
}

const lineFeed = 0x0a;

/** Yields the bytes of each line without its end, and null for a line that is too long. */
async function* readLines(
  input: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Buffer | null> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const add = (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes <= bytesMax) pieces.push(piece);
    else pieces = [];
  };
  const take = () => {
    const line = bytes <= bytesMax ? Buffer.concat(pieces) : null;
    pieces = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}

export interface ForwardParts {
  readonly input: AsyncIterable<Uint8Array>;
  write(line: string): Promise<void>;
  note(line: string): void;
  openEngine(): Promise<EngineClient>;
  /** Stops at once, without waiting for answers. */
  readonly signal: AbortSignal;
}

const tooLong =
  `The message is longer than ${jsonBodyBytesMax / 1024 ** 2} MiB. ` +
  'Send a longer list in several calls.';

function createPending(message: RpcMessage, ended: AbortSignal): PendingMessage {
  const dropped = new AbortController();
  // The bundle runs on the assistant's Node, which may lack Promise.withResolvers.
  let markReceived = () => {};
  const received = new Promise<void>((resolve) => {
    markReceived = resolve;
  });
  const signal = AbortSignal.any([ended, dropped.signal]);
  return { message, waiting: new Set(message.ids), dropped, signal, received, markReceived };
}

function createForwarder({ write, openEngine, signal }: ForwardParts) {
  const pendingById = new Map<RpcId, PendingMessage>();
  const identify = createIdentity(openEngine);
  const session = createToolSession({
    openEngine,
    identify,
    receive: (data) => write(toLine(data)),
    signal,
  });

  async function deliver(message: RpcMessage): Promise<void> {
    const pending = createPending(message, signal);
    for (const id of message.ids) pendingById.set(id, pending);
    try {
      await deliverMessage({ write, openEngine, identify, session }, pending);
      if (message.method === 'notifications/initialized') session.listen();
    } finally {
      pending.markReceived();
      for (const id of message.ids) if (pendingById.get(id) === pending) pendingById.delete(id);
    }
  }

  return {
    deliver,
    /** The newest version cancels by closing the connection; older ones also send the message. */
    async cancel(message: RpcMessage, id: RpcId): Promise<void> {
      const pending = pendingById.get(id);
      if (pending?.message.isOlder ?? session.isBegun) {
        await pending?.received;
        await deliver(message);
      }
      pending?.dropped.abort();
    },
    /** Cancels the streams that never end by themselves. */
    dropStreams() {
      for (const { message, dropped } of pendingById.values())
        if (message.method === 'subscriptions/listen') dropped.abort();
    },
    endSession: () => session.end().catch(() => undefined),
  };
}

/**
 * Forwards until the input ends, then waits for the answers that are due and ends the session.
 * Expected failures are answered as messages; unexpected errors go to the log.
 */
export async function forwardMessages(parts: ForwardParts): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([parts.signal, ended.signal]);
  const forwarder = createForwarder({ ...parts, signal });
  const inProgress = new Set<Promise<void>>();
  const start = (message: RpcMessage) => {
    const pending = forwarder
      .deliver(message)
      .catch((error: unknown) => parts.note(String((error as Error).stack ?? error)))
      .finally(() => inProgress.delete(pending));
    inProgress.add(pending);
    return pending;
  };
  for await (const line of readLines(parts.input, jsonBodyBytesMax)) {
    if (line?.toString('latin1').trim() === '') continue;
    const message = line && readMessage(line);
    if (message === null) await parts.write(writeRefusal(null, rpcCodes.invalidRequest, tooLong));
    else if ('refusal' in message) await parts.write(message.refusal);
    else if (message.cancelledId !== null) await forwarder.cancel(message, message.cancelledId);
    // Later messages depend on these, so the next one is read after the server has them.
    else if (message.ids.length === 0 || message.method === 'initialize') await start(message);
    else void start(message);
  }
  const late = setTimeout(() => ended.abort(), stdioDrainMaxMs);
  forwarder.dropStreams();
  await Promise.all(inProgress);
  await forwarder.endSession();
  clearTimeout(late);
  ended.abort();
}
