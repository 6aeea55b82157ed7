/**
 * Asks a person before a call costs more than its client may spend unasked: by the client where it
 * can ask, in the way of its protocol version, else in the app.
 */
import { createHash } from 'node:crypto';
import {
  type ServerContext as Around,
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type createRequestStateCodec,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server';
import { type CreditUnits, formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { approvalWaitMaxMs } from '../../contract/limits.ts';
import { shortenArguments } from '../../domain/tools/keep-assistant.ts';
import type { Caller } from '../credentials.ts';
import type { Approvals } from './approvals.ts';

/** What a client of the newest version carries from the question to the answer. */
export interface AskedState {
  readonly fingerprint: string;
  readonly priceUnits: number;
}
/** Seals it, so that a client cannot change what was asked. */
export type AskedCodec = ReturnType<typeof createRequestStateCodec<AskedState>>;

/** The call that asks. */
export interface AskingCall {
  readonly server: McpServer;
  readonly around: Around;
  readonly caller: Caller;
  readonly tool: string;
  readonly args: unknown;
  readonly approvals: Approvals;
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

const questionOf = ({ tool, args }: AskingCall, units: CreditUnits): string =>
  `${tool} would cost up to ${formatCredits(units)} credits: ${shortenArguments(args)}. Allow it?`;

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

/** Whether the client of a request of the newest version can ask; null for an older version. */
function newestCanAsk({ mcpReq }: Around): boolean | null {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  if (!envelope) return null;
  const known = envelope[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined;
  return known?.elicitation !== undefined;
}

/** The newest version asks by an answer, and brings the person's with the same call again. */
async function askByAnswer(call: AskingCall, units: CreditUnits): Promise<void> {
  const { mcpReq } = call.around;
  const asked = mcpReq.requestState<AskedState>();
  const answer = mcpReq.inputResponses?.allow as { action?: string } | undefined;
  const isSame = asked?.fingerprint === fingerprintOf(call) && units <= asked.priceUnits;
  if (answer && isSame) {
    const content = acceptedContent<{ allow?: boolean }>(mcpReq.inputResponses, 'allow');
    if (content?.allow === true) return;
    throw denied();
  }
  const message = questionOf(call, units);
  const state = { fingerprint: fingerprintOf(call), priceUnits: units };
  throw new QuestionFirst(
    inputRequired({
      inputRequests: { allow: inputRequired.elicit({ message, requestedSchema: form }) },
      requestState: await call.codec.mint(state),
    }),
  );
}

/** The older versions ask in the middle of a call, on the stream of that call. */
async function askByRequest(call: AskingCall, units: CreditUnits): Promise<void> {
  const { mcpReq } = call.around;
  const question = {
    mode: 'form' as const,
    message: questionOf(call, units),
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
  if (action !== 'accept' || content?.allow !== true) throw denied();
}

async function askInApp(call: AskingCall, units: CreditUnits): Promise<void> {
  const { caller, tool, args, approvals, around, stopping } = call;
  const patience = AbortSignal.timeout(approvalWaitMaxMs);
  const end = await approvals.ask(
    {
      accountId: caller.account.id,
      keyScope: caller.keyScope,
      client: caller.key?.label ?? 'the app',
      tool,
      arguments: shortenArguments(args),
      fingerprint: fingerprintOf(call),
      priceUnits: units,
    },
    AbortSignal.any([patience, around.mcpReq.signal, stopping]),
  );
  if (end === 'denied') throw denied();
  if (end === 'unanswered')
    throw new EngineError(
      'spending_cap_reached',
      `This would cost up to ${formatCredits(units)} credits, and a person has to allow it in ` +
        'Connections of the app. Nothing was charged. Ask them, then call again with the same ' +
        'arguments.',
    );
}

/** Asks. Returns where the person allows it; throws `spending_cap_reached`, or `QuestionFirst`. */
export async function askFirst(call: AskingCall, units: CreditUnits): Promise<void> {
  const canAsk = newestCanAsk(call.around);
  if (canAsk) return askByAnswer(call, units);
  const isOlder = canAsk === null;
  const hasForms = isOlder && call.server.server.getClientCapabilities()?.elicitation !== undefined;
  return hasForms ? askByRequest(call, units) : askInApp(call, units);
}
