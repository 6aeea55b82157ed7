/** What handles a tool, and the words in which handlers say what a call cost. */
import type { ToolInput, ToolName, ToolOutput } from '../../contract/assistants/tools.ts';
import type { ToolCall } from './tool-call.ts';

/** Answers the calls of one tool. */
export interface ToolHandler<Name extends ToolName> {
  /** Throws EngineError for every expected refusal. */
  handle(call: ToolCall, args: ToolInput<Name>): Promise<ToolOutput<Name>>;
  /** The answer in a sentence, which names what it cost. */
  summarize(output: ToolOutput<Name>): string;
}

/** The handlers of some tools: the compiler asks for one for each name. */
export type ToolHandlers<Name extends ToolName> = { readonly [Each in Name]: ToolHandler<Each> };

/** "1 credit", "2.5 credits". */
export const countCredits = (text: string | undefined): string =>
  `${Number(text)} ${Number(text) === 1 ? 'credit' : 'credits'}`;

/** What a call charged. */
export const sayCharged = (answer: { credits_charged: string }): string =>
  `${countCredits(answer.credits_charged)} charged.`;

/** The most that the call of a dry run would cost. */
export const sayAtMost = (answer: { credits_at_most?: string | undefined }): string =>
  `at most ${countCredits(answer.credits_at_most)}`;
