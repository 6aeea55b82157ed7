/**
 * Delivers a message to the tool server, also if the engine ends meanwhile.
 *
 *   sent ──answered──> done
 *     ├──engine gone before it started the work──> sent to the next engine
 *     ├──answer lost, safe to repeat──> sent again
 *     ├──answer lost, tool call──> refused: its effect is unknown
 *     └──cancelled──> done, without an answer
 */
import { EngineError } from '../../contract/errors.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { CommandError } from '../kit/refusal.ts';
import {
  AnswerLost,
  type AnswerParts,
  type PendingMessage,
  readAnswer,
  SessionUnknown,
} from './read-answer.ts';
import { type RpcMessage, rpcCodes, writeRefusal } from './rpc-message.ts';
import type { Identify } from './tool-identity.ts';
import { messageHeaders, toolPath } from './tool-session.ts';

export interface DeliveryParts extends AnswerParts {
  openEngine(): Promise<EngineClient>;
  readonly identify: Identify;
}

/** Attempts for a message that is safe to repeat. */
const triesMax = 3;

const isEngineGone = (error: unknown): boolean =>
  error instanceof CommandError && error.code === 'engine_stopped';

/** The reason for a missing answer, as a sentence for an assistant. Rethrows unexpected errors. */
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
export async function deliverMessage(parts: DeliveryParts, pending: PendingMessage): Promise<void> {
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
