// The tools of the tool server by name. tools/ has the definitions of each group;
// assistants/tools/call-tool.ts has the handlers. CONTRIBUTING.md says how to add one.
import type { z } from 'zod';
import { enrichTools } from './tools/enrich.ts';
import { listTools } from './tools/enrich-list.ts';
import { finishTools } from './tools/finish-list.ts';
import { importTools } from './tools/import.ts';
import { monitorTools } from './tools/monitors.ts';
import { searchTools } from './tools/search.ts';
import type { ToolDefinitions } from './tools/tool-definition.ts';
import { unlockTools } from './tools/unlock.ts';
import { validationTools } from './tools/validation.ts';
import { walletTools } from './tools/wallet.ts';

export const tools = {
  ...searchTools,
  ...unlockTools,
  ...enrichTools,
  ...walletTools,
  ...validationTools,
  ...listTools,
  ...finishTools,
  ...importTools,
  ...monitorTools,
} as const satisfies ToolDefinitions;

export type ToolName = keyof typeof tools;
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]['input']>;
export type ToolOutput<Name extends ToolName> = z.input<(typeof tools)[Name]['output']>;
