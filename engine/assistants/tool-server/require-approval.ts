/**
 * Lets a call of a tool spend, and asks a person where its key may not spend so much unasked: in
 * the app; or by the client, where its key lets it and it can, in the way of its protocol version.
 *
 *   spend ──a yes is needed──> question ──wait──allowed──> spend again, with the yes
 *                                           ├───denied──> refused
 *                                           └───nobody answers──> refused, and asked by the next
 */
import { createHash } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type createRequestStateCodec,
  inputRequired,
  type ServerContext as McpContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { type AskedApproval, EngineError } from '../../contract/errors.ts';
import { approvalWaitMaxMs } from '../../contract/limits/ledger.ts';
import type { Caller } from '../../http/credentials.ts';
import { getApproval } from '../../ledger/approval.table.ts';
import type { Asking } from '../../ledger/approvals.commands.ts';
import { shortenArguments } from '../../ledger/shorten-arguments.ts';
import type { ToolEnvironment } from '../tools/tool-call.ts';
import type { WaitEnd, WaitingCalls } from './waiting-calls.ts';

/** What a client of the newest version carries from the question to the answer. */
export interface AskedState {
  readonly fingerprint: string;
  readonly approvalId: string;
}
/** Seals it, so that a client cannot change what was asked. */
export type AskedCodec = ReturnType<typeof createRequestStateCodec<AskedState>>;

/** The call that spends. */
export interface AskingCall {
  readonly environment: Pick<ToolEnvironment, 'database' | 'writer'>;
  readonly server: McpServer;
  readonly deps: McpContext;
  readonly caller: Caller;
  readonly tool: string;
  readonly args: object;
  readonly waiting: WaitingCalls;
  readonly codec: AskedCodec;
  /** Aborted when the engine ends. */
  readonly stopping: AbortSignal;
}

/** Thrown to answer a call with a question, as the newest version of the protocol asks. */
export class QuestionFirst extends Error {
  override name = 'QuestionFirst';
  readonly result: ReturnType<typeof inputRequired>;
  /** @param result what the call is answered with */
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

const questionOf = ({ tool, args }: AskingCall, { credits }: AskedApproval): string =>
  `${tool} would cost up to ${credits} credits: ${shortenArguments(args)}. Allow it?`;

const fingerprintOf = ({ caller, tool, args }: AskingCall): string =>
  createHash('sha256')
    .update(JSON.stringify([caller.keyScope, tool, args]))
    .digest('hex');

const denied = () =>
  new EngineError(
    'spending_cap_reached',
    'The person did not allow what this would cost. Nothing was charged. Do not ask again ' +
      'unless they want it.',
  );

const unanswered = (pending: AskedApproval) =>
  new EngineError(
    'approval_required',
    `This would cost up to ${pending.credits} credits, and a person has to allow it in ` +
      'Connections of the app. Nothing was charged. Ask them, then call again with the same ' +
      'arguments.',
    { approval: pending },
  );

/** How a person is asked: in the app, by an answer of the newest version, or during the call. */
type Way = 'app' | 'answer' | 'request';

function wayOf({ deps, caller, server }: AskingCall): Way {
  // A client that answers its own questions has no limit: a person allows that for each key.
  if (!caller.key?.selfApproval) return 'app';
  const envelope = deps.mcpReq.envelope as Record<string, unknown> | undefined;
  if (envelope) {
    const known = envelope[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined;
    return known?.elicitation === undefined ? 'app' : 'answer';
  }
  return server.server.getClientCapabilities()?.elicitation === undefined ? 'app' : 'request';
}

/** Keeps the answer that a client has brought. Throws where it is a no. */
async function takeAnswer(
  { environment, caller }: AskingCall,
  approvalId: string,
  isAllowed: boolean,
): Promise<void> {
  const accountId = caller.account.id;
  // One that is too old, or was answered before, is none: the person is asked again.
  await environment.writer.answerApproval({ accountId, id: approvalId, isAllowed, by: 'client' });
  if (!isAllowed) throw denied();
}

/** The newest version brings the person's answer with the same call again. */
async function takeCarriedAnswer(call: AskingCall): Promise<void> {
  const { mcpReq } = call.deps;
  const pending = mcpReq.requestState<AskedState>();
  const answer = mcpReq.inputResponses?.allow as { action?: string } | undefined;
  if (!answer || pending?.fingerprint !== fingerprintOf(call)) return;
  const content = acceptedContent<{ allow?: boolean }>(mcpReq.inputResponses, 'allow');
  await takeAnswer(call, pending.approvalId, content?.allow === true);
}

/** The newest version asks by an answer. */
async function askByAnswer(call: AskingCall, pending: AskedApproval): Promise<never> {
  const message = questionOf(call, pending);
  const state = { fingerprint: fingerprintOf(call), approvalId: pending.approval_id };
  throw new QuestionFirst(
    inputRequired({
      inputRequests: { allow: inputRequired.elicit({ message, requestedSchema: form }) },
      requestState: await call.codec.mint(state),
    }),
  );
}

/** The older versions ask in the middle of a call, on the stream of that call. */
async function askByRequest(call: AskingCall, pending: AskedApproval): Promise<void> {
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
        `The client did not bring the person's answer (${error}). Nothing was charged.`,
      );
    });
  await takeAnswer(call, pending.approval_id, action === 'accept' && content?.allow === true);
}

/** Waits until the question is answered in the app, be it before the call waits for it. */
async function waitForApp(call: AskingCall, pending: AskedApproval): Promise<void> {
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

const askers: Readonly<Record<Way, (call: AskingCall, pending: AskedApproval) => Promise<void>>> = {
  app: waitForApp,
  answer: askByAnswer,
  request: askByRequest,
};

/**
 * Runs what spends until a person need not be asked any more: each question belongs to this call
 * alone, and each yes lets one call go on. With an idempotency key all calls are one, and share its
 * question. Throws what it throws, `spending_cap_reached`, `approval_required` and `QuestionFirst`.
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
        ...{ operation: tool, arguments: shortenArguments(args), idempotencyKey, taken },
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
      // Another call has claimed it since this one asked.
      if (idempotencyKey === null && !own.has(id) && !waiting.claim(id)) continue;
      own.add(id);
      await askers[way](call, pending);
    }
  } finally {
    for (const id of idempotencyKey === null ? own : []) waiting.release(id);
  }
}
