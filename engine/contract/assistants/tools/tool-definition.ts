// The shape of a tool definition, and wording that definitions share.
import type { z } from 'zod';

export interface ToolDefinition {
  readonly title: string;
  /** The text by which an assistant chooses a tool. It states the cost. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  readonly isOpenWorld: boolean;
}

export type ToolDefinitions = Readonly<Record<string, ToolDefinition>>;

export const freeHints = { isReadOnly: true, isIdempotent: true, isOpenWorld: false } as const;
/** Hints of a tool that charges. A value is paid for once and is free from then on. */
export const payingHints = { isReadOnly: false, isIdempotent: true, isOpenWorld: true } as const;
