/** Lets a tool hold credits: within what its client may spend in a call, or once it was asked. */
import {
  type CreditUnits,
  creditUnits,
  formatCredits,
  parseCredits,
} from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { idempotencyKeptMs } from '../../contract/limits.ts';
import { findIdempotent } from '../../store/idempotency.ts';
import { readGuard } from '../../store/tool-guard.ts';
import type { ToolCall } from './tool-call.ts';

const readCredits = (text: string): CreditUnits => parseCredits(text) ?? creditUnits(0);

/** Whether a call repeats one whose key is still kept; a key from before makes a new hold. */
function isRepeated({ world, caller, now }: ToolCall, key: string | undefined): boolean {
  const earlier = key === undefined ? null : findIdempotent(world.database, caller.keyScope, key);
  return earlier !== null && Date.parse(earlier.at) >= now().getTime() - idempotencyKeptMs;
}

/**
 * Refuses a hold that is beyond the limits of the client, or asks about it; a repeat under an
 * idempotency key that was used is free, and asked about no more. Throws `spending_cap_reached`.
 * @param credits what would be held
 */
export async function clearHold(
  call: ToolCall,
  credits: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  const { world, caller, signal } = call;
  const isRepeat = isRepeated(call, idempotencyKey);
  const heldUnits = readCredits(credits);
  const { capCallUnits, askAboveUnits } = readGuard(world.database, caller.keyScope);
  if (!isRepeat && capCallUnits !== null && heldUnits > capCallUnits)
    throw new EngineError(
      'spending_cap_reached',
      `This may cost ${credits} credits, and this client may spend at most ` +
        `${formatCredits(capCallUnits)} in one call. Nothing was charged. Send less at a time, ` +
        'or ask the person to raise it in Connections.',
    );
  if (!isRepeat && askAboveUnits !== null && heldUnits > askAboveUnits)
    await call.askFirst(heldUnits);
  signal.throwIfAborted();
}
