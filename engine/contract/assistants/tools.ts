/**
 * The tools of the tool server by their names. Each group of tools defines its own in tools/;
 * assistants/tools/call-tool.ts has their handlers. CONTRIBUTING.md says how to add one.
 */
import type { z } from 'zod';
import { enrichTools } from './tools/enrich.ts';
import { listTools } from './tools/enrich-list.ts';
import { searchTools } from './tools/search.ts';
import type { ToolDefinitions } from './tools/tool-definition.ts';
import { unlockTools } from './tools/unlock.ts';
import { validationTools } from './tools/validation.ts';
import { walletTools } from './tools/wallet.ts';

/** Every tool by its name, in the order in which they are listed. */
export const tools = {
  ...searchTools,
  ...unlockTools,
  ...enrichTools,
  ...walletTools,
  ...validationTools,
  ...listTools,
} as const satisfies ToolDefinitions;

/** The name of a tool. */
export type ToolName = keyof typeof tools;
/** What a tool is given, parsed. */
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]['input']>;
/** What a tool answers. */
export type ToolOutput<Name extends ToolName> = z.input<(typeof tools)[Name]['output']>;
