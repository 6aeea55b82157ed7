/** What the definition of a tool holds, and the words that definitions share. */
import type { z } from 'zod';
import { type CreditUnits, formatCredits } from '../../credits.ts';

/** One tool as an assistant sees it. */
export interface ToolDefinition {
  readonly title: string;
  /** What an assistant chooses by; it names the cost. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether it costs nothing and changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether the same call again changes and costs nothing more. */
  readonly isIdempotent: boolean;
  /** Whether it may send requests beyond this machine. */
  readonly isOpenWorld: boolean;
}

/** Definitions by the names of their tools. */
export type ToolDefinitions = Readonly<Record<string, ToolDefinition>>;

/** The hints of a tool that only reads. */
export const freeHints = { isReadOnly: true, isIdempotent: true, isOpenWorld: false } as const;
/** The hints of a tool that charges. What is paid for once is owned, and free from then on. */
export const payingHints = { isReadOnly: false, isIdempotent: true, isOpenWorld: true } as const;

/** A price as descriptions have it: "1", "0.5". */
export const showPrice = (units: CreditUnits): string => String(Number(formatCredits(units)));

/** A price with its unit: "1 credit", "5 credits". */
export const showCreditPrice = (units: CreditUnits): string =>
  `${showPrice(units)} ${showPrice(units) === '1' ? 'credit' : 'credits'}`;
