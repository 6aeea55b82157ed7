/** Reads what the tool server answers to a message, and writes it out line by line. */
import type { IncomingMessage } from 'node:http';
import { NotServed } from '../kit/engine-client.ts';
import { readEventData } from '../kit/event-data.ts';
import { type RpcId, type RpcMessage, readAnsweredId, rpcCodes } from './rpc-message.ts';
import type { ToolSession } from './tool-session.ts';

/** A message on its way. */
export interface PendingBatch {
  readonly message: RpcMessage;
  /** Requests of it that have no answer yet. */
  readonly waiting: Set<RpcId>;
  /** Lets go of it. */
  readonly dropped: AbortController;
  /** Aborted by `dropped`, and with everything. */
  readonly signal: AbortSignal;
  /** Resolves when the server has it, or never will. */
  readonly arrived: Promise<void>;
  /** Resolves `arrived`. */
  readonly land: () => void;
}

/** Where answers go. */
export interface AnswerParts {
  /** Writes a line of the protocol. */
  write(line: string): Promise<void>;
  readonly session: ToolSession;
}

/** The connection ended before the answer. */
export class AnswerLost extends Error {}
/** The engine does not know the session: it looked no further. */
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

/** A message in one line: an end of line can stand only between its parts. */
export const toLine = (data: string): string => data.replace(/[\r\n]+/g, ' ');

/** Writes what the server says in a flight, and notes which requests it answers. */
async function emit(
  { write, session }: AnswerParts,
  pending: PendingBatch,
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

/** Gives a refusal that names no request to all that wait. */
async function refuseAll(
  { write }: AnswerParts,
  { waiting }: PendingBatch,
  status: number,
  error: unknown,
): Promise<void> {
  const unnamed = { code: rpcCodes.failed, message: `The engine answered with status ${status}.` };
  for (const id of waiting) {
    waiting.delete(id);
    await write(JSON.stringify({ jsonrpc: '2.0', id, error: error ?? unnamed }));
  }
}

/** An answer that is no stream. */
async function readWhole(
  parts: AnswerParts,
  pending: PendingBatch,
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

/** Reads an answer to its end. Throws NotServed, SessionUnknown, and AnswerLost where it breaks. */
export async function readAnswer(
  parts: AnswerParts,
  pending: PendingBatch,
  answer: IncomingMessage,
): Promise<void> {
  const { message, signal } = pending;
  pending.land();
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
