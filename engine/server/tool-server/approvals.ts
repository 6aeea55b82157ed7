/**
 * Calls that wait for a person to allow what they cost: asked in the app where the client itself
 * cannot ask. In memory alone: a restart asks again.
 *
 *   asked ──allow──> allowed ──the same call──> used, gone
 *     ├────deny───> gone (the waiting call is refused)
 *     └────ten minutes──> gone
 *
 * A call waits less than a minute; the same call again joins the question, or uses the answer.
 */
import { randomUUID } from 'node:crypto';
import type { Approval } from '../../contract/assistants.ts';
import { type CreditUnits, formatCredits } from '../../contract/credits.ts';
import { approvalKeptMs, approvalsMax } from '../../contract/limits.ts';

/** What a person is asked. */
export interface ApprovalOrder {
  readonly accountId: number;
  readonly keyScope: string;
  /** The label of the client's key. */
  readonly client: string;
  readonly tool: string;
  /** JSON of the arguments, as they are shown. */
  readonly arguments: string;
  /** The same for the same call of the same client. */
  readonly fingerprint: string;
  readonly priceUnits: CreditUnits;
}

/** What became of a question. */
export type ApprovalEnd = 'allowed' | 'denied' | 'unanswered';

/** Questions of one world. */
export interface Approvals {
  /** Asks, and waits for the answer until the signal is aborted. */
  ask(order: ApprovalOrder, signal: AbortSignal): Promise<ApprovalEnd>;
  /** The questions of an account that nobody has answered, oldest first. */
  list(accountId: number): Approval[];
  /** Answers one; false where it waits no more. */
  answer(accountId: number, id: string, isAllowed: boolean): boolean;
}

interface Entry {
  readonly id: string;
  readonly order: ApprovalOrder;
  readonly expiresMs: number;
  readonly answered: PromiseWithResolvers<'allowed' | 'denied'>;
  isAllowed: boolean;
}

/**
 * Makes the questions of a world.
 * @param now wall clock, milliseconds
 * @param onChange called with the account whose list has changed
 */
export function createApprovals(
  now: () => number,
  onChange: (accountId: number) => void,
): Approvals {
  const entries = new Map<string, Entry>();
  const drop = () => {
    for (const [id, { expiresMs }] of entries)
      if (expiresMs <= now() || entries.size > approvalsMax) entries.delete(id);
  };
  const find = ({ keyScope, fingerprint, priceUnits }: ApprovalOrder) =>
    [...entries.values()].find(
      ({ order }) =>
        order.keyScope === keyScope &&
        order.fingerprint === fingerprint &&
        // What was allowed at a price is not allowed at a higher one.
        priceUnits <= order.priceUnits,
    );
  const begin = (order: ApprovalOrder): Entry => {
    const entry: Entry = {
      id: randomUUID(),
      order,
      expiresMs: now() + approvalKeptMs,
      answered: Promise.withResolvers(),
      isAllowed: false,
    };
    entries.set(entry.id, entry);
    drop();
    onChange(order.accountId);
    return entry;
  };
  return {
    async ask(order, signal) {
      drop();
      const entry = find(order) ?? begin(order);
      const gone = Promise.withResolvers<'unanswered'>();
      const leave = () => gone.resolve('unanswered');
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      const end = await Promise.race([entry.answered.promise, gone.promise]);
      signal.removeEventListener('abort', leave);
      if (end === 'allowed') entries.delete(entry.id);
      return end;
    },
    list(accountId) {
      drop();
      return [...entries.values()]
        .filter(({ order, isAllowed }) => order.accountId === accountId && !isAllowed)
        .map(({ id, order, expiresMs }) => ({
          id,
          client: order.client,
          tool: order.tool,
          arguments: order.arguments,
          credits: formatCredits(order.priceUnits),
          expires_at: new Date(expiresMs).toISOString(),
        }));
    },
    answer(accountId, id, isAllowed) {
      drop();
      const entry = entries.get(id);
      if (!entry || entry.order.accountId !== accountId || entry.isAllowed) return false;
      entry.isAllowed = isAllowed;
      if (!isAllowed) entries.delete(id);
      entry.answered.resolve(isAllowed ? 'allowed' : 'denied');
      onChange(accountId);
      return true;
    },
  };
}
