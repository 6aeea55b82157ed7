// Spending that needs approval: a request above the limit creates an approval request, and a repeat
// of the request uses the approval up in the transaction that spends.
//
//   request ──within ask_above──────────────────────────────> spends
//      └──above──> approval request ──allowed──same request──> spends, at most what was allowed
//                      └──────────────denied──same request──> refused
import { createHash, randomUUID } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { Approval } from '../contract/assistants/assistants.ts';
import { type CreditUnits, formatCredits, sayCredits, showCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { approvalKeptMs, approvalsMax, idempotencyKeptMs } from '../contract/limits/ledger.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  type ApprovalChannel,
  type ApprovalRow,
  expireApprovals,
  expireOldest,
  findApprovals,
  getApproval,
  insertApproval,
  listAsked,
  answerApproval as writeAnswer,
} from './approval.table.ts';
import { ApprovalNeeded, maySelfApprove, noPermit, type Permit } from './key-guard.ts';

/** How a request asks for approval if its key may not spend the amount without it. */
export interface Asking {
  readonly operation: string;
  /** JSON of the request, shortened, for the person. */
  readonly arguments: string;
  /** Null if the request has none. */
  readonly idempotencyKey: string | null;
  readonly askedIn: ApprovalChannel;
  /**
   * The approval requests that other calls wait for. Null if the call ends with its approval
   * request and is sent again: the repeat finds the approval, or the denial, by its content.
   */
  readonly taken: readonly string[] | null;
}

export interface Spending {
  readonly accountId: number;
  /** The API key of the request, whose limits apply; null for the app and the command line. */
  readonly keyId: string | null;
  /** If omitted or null, spending that needs approval is refused. */
  readonly asking?: Asking | null | undefined;
}

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

interface AskingRequest {
  readonly accountId: number;
  readonly keyId: string;
  readonly asking: Asking;
  readonly request: string;
}

const requestOf = ({ operation, idempotencyKey }: Asking, fingerprint: string): string =>
  createHash('sha256')
    .update(JSON.stringify([operation, idempotencyKey, fingerprint]))
    .digest('hex');

const find = (
  database: ReadableDatabase,
  { keyId, request, asking }: AskingRequest,
  status: 'asked' | 'allowed' | 'denied',
  at: string,
): ApprovalRow[] =>
  findApprovals(database, { keyId, request, status, at, taken: asking.taken ?? [] });

function findPermit(database: ReadableDatabase, spendRequest: AskingRequest, at: string): Permit {
  const [allowed] = find(database, spendRequest, 'allowed', at);
  return allowed
    ? { kind: 'approval', id: allowed.id, units: allowed.askedUnits }
    : { ...noPermit };
}

/** Creates an approval request unless there is one for the same request. Returns it. */
function ask(
  database: WritableDatabase,
  spendRequest: AskingRequest,
  units: CreditUnits,
  now: Date,
): ApprovalRow {
  const at = now.toISOString();
  const { accountId, keyId, request, asking } = spendRequest;
  const open = find(database, spendRequest, 'asked', at).find(
    ({ askedIn, askedUnits }) => askedIn === asking.askedIn && askedUnits >= units,
  );
  if (open) return open;
  const id = randomUUID();
  expireApprovals(database, at, later(now, -idempotencyKeptMs));
  expireOldest(database, { accountId, keyId }, approvalsMax - 1);
  insertApproval(database, {
    id,
    accountId,
    keyId,
    request,
    at,
    operation: asking.operation,
    arguments: asking.arguments,
    askedIn: asking.askedIn,
    idempotencyKey: asking.idempotencyKey,
    askedUnits: units,
    expiresAt: later(now, approvalKeptMs),
  });
  const question = getApproval(database, id);
  if (!question) throw new Error(`approval ${id} disappeared`);
  return question;
}

const deniedDetail =
  'The user denied the cost of this request. Nothing was charged. Do not ask again unless ' +
  'the user wants it.';

function refuse(
  database: WritableDatabase,
  spendRequest: AskingRequest,
  { units, askAboveUnits }: ApprovalNeeded,
  now: Date,
): EngineError {
  const isRepeated = spendRequest.asking.taken === null;
  if (isRepeated && find(database, spendRequest, 'denied', now.toISOString()).length > 0)
    return new EngineError('spending_cap_reached', deniedDetail);
  const { id, askedUnits, expiresAt } = ask(database, spendRequest, units, now);
  const again =
    spendRequest.asking.idempotencyKey === null
      ? 'send the same request again'
      : 'send the same request again with the same idempotency key';
  return new EngineError(
    'approval_required',
    `This may cost ${sayCredits(askedUnits)}. A cost of more than ` +
      `${showCredits(askAboveUnits)} needs approval. Nothing was charged. Approve it in ` +
      `Connections by ${expiresAt}, then ${again}.`,
    {
      approval: {
        approval_id: id,
        credits: formatCredits(askedUnits),
        expires_at: expiresAt,
      },
    },
  );
}

/**
 * Runs `spend` in a transaction, with the approval of the same request if there is one. Throws what
 * `spend` throws; `approval_required` if a person has to answer first, and `spending_cap_reached`
 * if the person denied it. In both cases only the approval request is stored. Throws
 * 'asking_within_transaction'.
 * @param fingerprint of everything that identifies the request, except its idempotency key
 * @param spend passes the permit to the ledger
 */
export function spendAllowed<Result>(
  database: WritableDatabase,
  { accountId, keyId, asking }: Spending,
  fingerprint: string,
  now: Date,
  spend: (permit: Permit) => Result,
): Result {
  if (keyId === null || !asking) return inTransaction(database, () => spend(noPermit));
  // The approval request must be stored even if the transaction that needs it is rolled back.
  if (database.inTransaction) throw new Error('asking_within_transaction');
  const request = requestOf(asking, fingerprint);
  const spendRequest = { accountId, keyId, asking, request };
  try {
    return inTransaction(database, () =>
      spend(findPermit(database, spendRequest, now.toISOString())),
    );
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    throw inTransaction(database, () => refuse(database, spendRequest, error, now));
  }
}

export interface ApprovalAnswer {
  readonly accountId: number;
  readonly id: string;
  readonly isAllowed: boolean;
  readonly by: ApprovalChannel;
}

/** False if it is not pending, of another account, or not the client's to answer. */
export function answerApproval(
  database: WritableDatabase,
  { accountId, id, isAllowed, by }: ApprovalAnswer,
  now: Date,
): boolean {
  return inTransaction(database, () => {
    const question = getApproval(database, id);
    if (question?.accountId !== accountId || question.askedIn !== by) return false;
    if (by === 'client' && !maySelfApprove(database, question.keyId)) return false;
    const isKeyed = question.idempotencyKey !== null;
    // With an idempotency key, a denial lasts as long as the key: a new key asks again. Without
    // one, it expires like an approval.
    const keptMs = !isAllowed && isKeyed ? idempotencyKeptMs : approvalKeptMs;
    const at = now.toISOString();
    const status = isAllowed ? 'allowed' : 'denied';
    const answer = { status, at, expiresAt: later(now, keptMs) } as const;
    if (!writeAnswer(database, id, answer)) return false;
    const details = { operation: question.operation };
    const note = { action: `approval_${status}`, at, accountId, subject: id, details } as const;
    recordAudit(database, { ...note, units: question.askedUnits });
    return true;
  });
}

export const listApprovals = (
  database: ReadableDatabase,
  accountId: number,
  now: Date,
): Approval[] =>
  listAsked(database, accountId, now.toISOString()).map((question) => ({
    id: question.id,
    client: question.client,
    operation: question.operation,
    arguments: question.arguments,
    credits: formatCredits(question.askedUnits),
    expires_at: question.expiresAt,
  }));
