/** Reads the tool server's answer to a message and writes it out line by line. */
import type { IncomingMessage } from 'node:http';
import { NotServed } from '../kit/engine-client.ts';
import { readEventData } from '../kit/event-data.ts';
import { type RpcId, type RpcMessage, readAnsweredId, rpcCodes } from './rpc-message.ts';
import type { ToolSession } from './tool-session.ts';

/** A message that was read and is not answered yet. */
export interface PendingMessage {
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

export interface AnswerParts {
  write(line: string): Promise<void>;
  readonly session: ToolSession;
}

/** The connection ended before the answer. */
export class AnswerLost extends Error {}
/** The engine does not know the session, and has not started to work on the message. */
export class SessionUnknown extends Error {}

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
export const toLine = (data: string): string => data.replace(/[\r\n]+/g, ' ');

/** Writes a message of the server, and marks the requests that it answers. */
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

/** Reads an answer that is not a stream. */
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
