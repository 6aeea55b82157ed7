// Runs the spending part of a tool call, and asks a person if the cost needs approval: in the app,
// or through the client if its key allows it and the client supports it, in the way of its protocol
// version.
//
//   spend ──approval needed──> approval request ──wait──allowed──> spend again with the approval
//                                                   ├───denied──> refused
//                                                   └───unanswered──> refused; the next call asks
import { createHash } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type createRequestStateCodec,
  inputRequired,
  type ServerContext as McpContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { EngineError, type PendingApproval } from '../../contract/errors.ts';
import { approvalWaitMaxMs } from '../../contract/limits/ledger.ts';
import type { Caller } from '../../http/credentials.ts';
import { getApproval } from '../../ledger/approval.table.ts';
import type { Asking } from '../../ledger/approve-spending.ts';
import { shortenArguments } from '../../ledger/shorten-arguments.ts';
import type { ToolEnvironment } from '../tools/tool-call.ts';
import { countCredits } from '../tools/tool-handler.ts';
import type { WaitEnd, WaitingCalls } from './waiting-calls.ts';

/** State that a client of the newest version carries from the approval request to the answer. */
export interface ApprovalState {
  readonly fingerprint: string;
  readonly approvalId: string;
}
/** Signs the state, so that a client cannot change the request. */
export type ApprovalStateCodec = ReturnType<typeof createRequestStateCodec<ApprovalState>>;

export interface AskingCall {
  readonly environment: Pick<ToolEnvironment, 'database' | 'writer'>;
  readonly server: McpServer;
  readonly deps: McpContext;
  readonly caller: Caller;
  readonly tool: string;
  readonly args: object;
  readonly waiting: WaitingCalls;
  readonly codec: ApprovalStateCodec;
  readonly stopping: AbortSignal;
}

/** Thrown to answer a call with a request for input, as the newest protocol version does. */
export class InputRequired extends Error {
  override name = 'InputRequired';
  readonly result: ReturnType<typeof inputRequired>;
  /** @param result the answer to the call */
  constructor(result: ReturnType<typeof inputRequired>) {
    super('a person is asked first');
    this.result = result;
  }
}

const form = {
  type: 'object' as const,
  properties: {
    allow: { type: 'boolean' as const, title: 'Allow this', default: false },
  },
  required: ['allow'],
};

const questionOf = ({ tool, args }: AskingCall, { credits }: PendingApproval): string =>
  `${tool} would cost up to ${countCredits(credits)}: ${shortenArguments(args)}. Allow it?`;

const fingerprintOf = ({ caller, tool, args }: AskingCall): string =>
  createHash('sha256')
    .update(JSON.stringify([caller.keyScope, tool, args]))
    .digest('hex');

const denied = () =>
  new EngineError(
    'spending_cap_reached',
    'The user denied the cost of this call. Nothing was charged. Do not ask again ' +
      'unless the user wants it.',
  );

const unanswered = (pending: PendingApproval) =>
  new EngineError(
    'approval_required',
    `This would cost up to ${countCredits(pending.credits)}, and a person has to allow it in ` +
      'Connections of the app. Nothing was charged. Ask them, then call again with the same ' +
      'arguments.',
    { approval: pending },
  );

/** How a person is asked: in the app, by an answer of the newest version, or during the call. */
type Way = 'app' | 'answer' | 'request';

function wayOf({ deps, caller, server }: AskingCall): Way {
  // A client that answers its own requests would have no limit, so the user must allow this for
  // each key.
  if (!caller.key?.selfApproval) return 'app';
  const envelope = deps.mcpReq.envelope as Record<string, unknown> | undefined;
  if (envelope) {
    const known = envelope[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined;
    return known?.elicitation === undefined ? 'app' : 'answer';
  }
  return server.server.getClientCapabilities()?.elicitation === undefined ? 'app' : 'request';
}

/** Stores the answer that a client sent. Throws if it is a denial. */
async function takeAnswer(
  { environment, caller }: AskingCall,
  approvalId: string,
  isAllowed: boolean,
): Promise<void> {
  const accountId = caller.account.id;
  // An approval request that has expired or was already answered is ignored, and the person is
  // asked again.
  await environment.writer.answerApproval({ accountId, id: approvalId, isAllowed, by: 'client' });
  if (!isAllowed) throw denied();
}

/** In the newest version, the client repeats the call with the person's answer. */
async function takeCarriedAnswer(call: AskingCall): Promise<void> {
  const { mcpReq } = call.deps;
  const pending = mcpReq.requestState<ApprovalState>();
  const answer = mcpReq.inputResponses?.allow as { action?: string } | undefined;
  if (!answer || pending?.fingerprint !== fingerprintOf(call)) return;
  const content = acceptedContent<{ allow?: boolean }>(mcpReq.inputResponses, 'allow');
  await takeAnswer(call, pending.approvalId, content?.allow === true);
}

/** In the newest version, the request for input is the answer to the call. */
async function askByAnswer(call: AskingCall, pending: PendingApproval): Promise<never> {
  const message = questionOf(call, pending);
  const state = { fingerprint: fingerprintOf(call), approvalId: pending.approval_id };
  throw new InputRequired(
    inputRequired({
      inputRequests: { allow: inputRequired.elicit({ message, requestedSchema: form }) },
      requestState: await call.codec.mint(state),
    }),
  );
}

/** In older versions, the request for input is sent during the call, on the stream of that call. */
async function askByRequest(call: AskingCall, pending: PendingApproval): Promise<void> {
  const { mcpReq } = call.deps;
  const question = {
    mode: 'form' as const,
    message: questionOf(call, pending),
    requestedSchema: form,
  };
  const options = { relatedRequestId: mcpReq.id, timeout: approvalWaitMaxMs };
  const { action, content } = await mcpReq
    .elicitInput(question, { ...options, signal: mcpReq.signal })
    .catch((error: unknown) => {
      mcpReq.signal.throwIfAborted();
      throw new EngineError(
        'spending_cap_reached',
        `The client did not return the user's answer (${error}). Nothing was charged.`,
      );
    });
  await takeAnswer(call, pending.approval_id, action === 'accept' && content?.allow === true);
}

/** Waits until the approval request is answered in the app, even if that happened before. */
async function waitForApp(call: AskingCall, pending: PendingApproval): Promise<void> {
  const { environment, waiting, deps, stopping } = call;
  const { mcpReq } = deps;
  const ready = new AbortController();
  const patience = AbortSignal.timeout(approvalWaitMaxMs);
  const end = waiting.wait(
    pending.approval_id,
    AbortSignal.any([patience, mcpReq.signal, stopping, ready.signal]),
  );
  const status = getApproval(environment.database, pending.approval_id)?.status;
  if (status !== 'asked') ready.abort();
  const known: WaitEnd | null = status === 'allowed' || status === 'denied' ? status : null;
  const answer = known ?? (await end);
  mcpReq.signal.throwIfAborted();
  if (answer === 'denied') throw denied();
  if (answer === 'unanswered') throw unanswered(pending);
}

const askers: Readonly<Record<Way, (call: AskingCall, pending: PendingApproval) => Promise<void>>> =
  {
    app: waitForApp,
    answer: askByAnswer,
    request: askByRequest,
  };

/**
 * Runs `spend` until no more approval is needed. Each approval request belongs to this call alone,
 * and each approval allows one call. With an idempotency key, all calls share one approval request.
 * Throws what `spend` throws, `spending_cap_reached`, `approval_required` and `InputRequired`.
 */
export async function spendAllowed<Result>(
  call: AskingCall,
  spend: (asking: Asking | null) => Promise<Result>,
): Promise<Result> {
  const { args, caller, tool, waiting, deps } = call;
  if (caller.key === null) return spend(null);
  const { idempotency_key: idempotencyKey = null } = args as { idempotency_key?: string };
  const own = new Set<string>();
  const way = wayOf(call);
  if (way === 'answer') await takeCarriedAnswer(call);
  try {
    for (;;) {
      deps.mcpReq.signal.throwIfAborted();
      const taken = waiting.listClaimed().filter((id) => !own.has(id));
      const pending = await spend({
        operation: tool,
        arguments: shortenArguments(args),
        idempotencyKey,
        taken,
        askedIn: way === 'app' ? 'app' : 'client',
      }).then(
        (result) => ({ result }),
        (error: unknown) => {
          if (error instanceof EngineError && error.approval) return error.approval;
          throw error;
        },
      );
      if ('result' in pending) return pending.result;
      const id = pending.approval_id;
      // Another call has claimed the approval request meanwhile.
      if (idempotencyKey === null && !own.has(id) && !waiting.claim(id)) continue;
      own.add(id);
      await askers[way](call, pending);
    }
  } finally {
    for (const id of idempotencyKey === null ? own : []) waiting.release(id);
  }
}
