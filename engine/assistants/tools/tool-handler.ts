// The interface of tool handlers, and the wording of costs in summaries.
import type { ToolInput, ToolName, ToolOutput } from '../../contract/assistants/tools.ts';
import type { ToolCall } from './tool-call.ts';

export interface ToolHandler<Name extends ToolName> {
  /** Throws EngineError for every expected refusal. */
  handle(call: ToolCall, args: ToolInput<Name>): Promise<ToolOutput<Name>>;
  summarize(output: ToolOutput<Name>): string;
}

export type ToolHandlers<Name extends ToolName> = { readonly [Each in Name]: ToolHandler<Each> };

/** "1 row", "2.5 credits". */
export const countOf = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`;

export const countCredits = (text: string | undefined): string => countOf(Number(text), 'credit');

export const sayCharged = (answer: { credits_charged: string }): string =>
  `${countCredits(answer.credits_charged)} charged.`;

export const sayAtMost = (answer: { credits_at_most?: string | undefined }): string =>
  `at most ${countCredits(answer.credits_at_most)}`;
