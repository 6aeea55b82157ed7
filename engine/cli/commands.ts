/** The table of the commands of `desk`, in the order in which the help lists them. */
import { accountCommands } from './commands/accounts.ts';
import { assistantCommands } from './commands/assistants.ts';
import { backup } from './commands/backup.ts';
import { directoryCommands } from './commands/directory.ts';
import { doctor } from './commands/doctor.ts';
import { duplicateCommands } from './commands/duplicates.ts';
import { enrich } from './commands/enrich.ts';
import { jobsCommands } from './commands/jobs/jobs.ts';
import { keyCommands } from './commands/keys.ts';
import { loginCommands } from './commands/login.ts';
import { loginProviderCommands } from './commands/login-provider.ts';
import { mcp } from './commands/mcp.ts';
import { open } from './commands/open.ts';
import { pipelineCommands } from './commands/pipeline.ts';
import { auditCommands } from './commands/privacy/audit.ts';
import { personCommands } from './commands/privacy/person.ts';
import { retentionCommands } from './commands/privacy/retention.ts';
import { suppressionCommands } from './commands/privacy/suppress.ts';
import { providerCommands } from './commands/providers.ts';
import { rateCommands } from './commands/rates.ts';
import { restore } from './commands/restore.ts';
import { review } from './commands/review.ts';
import { serve } from './commands/serve.ts';
import { validateEmails } from './commands/validate-emails.ts';
import { walletCommands } from './commands/wallet.ts';
import { webhookCommands } from './commands/webhooks.ts';
import type { Command } from './kit/command.ts';
import { sharedCommands } from './shared/shared-commands.ts';
import { sharedWorker } from './shared/shared-worker.ts';

/** Every command. A new one is a file in commands/ and a line here. */
export const commands: readonly Command[] = [
  serve,
  open,
  enrich,
  review,
  ...jobsCommands,
  validateEmails,
  ...pipelineCommands,
  ...directoryCommands,
  ...duplicateCommands,
  ...sharedCommands,
  sharedWorker,
  ...accountCommands,
  ...keyCommands,
  ...assistantCommands,
  ...loginCommands,
  ...loginProviderCommands,
  ...walletCommands,
  ...rateCommands,
  ...webhookCommands,
  ...providerCommands,
  ...suppressionCommands,
  ...retentionCommands,
  ...auditCommands,
  ...personCommands,
  mcp,
  backup,
  restore,
  doctor,
];
