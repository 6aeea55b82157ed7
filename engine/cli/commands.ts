/** The table of the commands of `desk`, in the order in which the help lists them. */
import { accountCommands } from './accounts.ts';
import { assistantCommands } from './assistants.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { directoryCommands } from './directory.ts';
import { doctor } from './doctor.ts';
import { enrich } from './enrich.ts';
import { keyCommands } from './keys.ts';
import { loginCommands } from './login.ts';
import { loginProviderCommands } from './login-provider.ts';
import { mcp } from './mcp.ts';
import { pipelineCommands } from './pipeline.ts';
import { rateCommands } from './rates.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { validateEmails } from './validate-emails.ts';
import { walletCommands } from './wallet.ts';
import { webhookCommands } from './webhooks.ts';

/** Every command. */
export const commands: readonly Command[] = [
  serve,
  enrich,
  validateEmails,
  ...pipelineCommands,
  ...directoryCommands,
  ...accountCommands,
  ...keyCommands,
  ...assistantCommands,
  ...loginCommands,
  ...loginProviderCommands,
  ...walletCommands,
  ...rateCommands,
  ...webhookCommands,
  mcp,
  backup,
  restore,
  doctor,
];
