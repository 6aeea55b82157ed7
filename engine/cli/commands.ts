/** The table of the commands of `desk`, in the order in which the help lists them. */
import type { Command } from './kit/command.ts';

/** Commands whose names begin with the same word, in one module. */
interface CommandModule {
  /** The first word of their names. */
  readonly word: string;
  load(): Promise<readonly Command[]>;
}

/**
 * Every module of commands. A new command is a file in commands/ and a line here. A line of `desk`
 * loads only the modules that it needs: all of them take three times the CPU time.
 */
export const commandModules: readonly CommandModule[] = [
  { word: 'serve', load: async () => [(await import('./commands/serve.ts')).serve] },
  { word: 'open', load: async () => [(await import('./commands/open.ts')).open] },
  { word: 'enrich', load: async () => [(await import('./commands/enrich.ts')).enrich] },
  { word: 'review', load: async () => [(await import('./commands/review.ts')).review] },
  { word: 'jobs', load: async () => (await import('./commands/jobs/jobs.ts')).jobsCommands },
  {
    word: 'validate-emails',
    load: async () => [(await import('./commands/validate-emails.ts')).validateEmails],
  },
  { word: 'pipeline', load: async () => (await import('./commands/pipeline.ts')).pipelineCommands },
  {
    word: 'directory',
    load: async () => (await import('./commands/directory.ts')).directoryCommands,
  },
  {
    word: 'directory',
    load: async () => (await import('./commands/duplicates.ts')).duplicateCommands,
  },
  {
    word: 'shared',
    load: async () => (await import('./shared/shared-commands.ts')).sharedCommands,
  },
  {
    word: 'shared',
    load: async () => [(await import('./shared/shared-worker.ts')).sharedWorker],
  },
  { word: 'shared', load: async () => (await import('./shared/shared-use.ts')).sharedUse },
  {
    word: 'shared',
    load: async () => (await import('./shared/shared-tenants.ts')).sharedTenants,
  },
  { word: 'accounts', load: async () => (await import('./commands/accounts.ts')).accountCommands },
  { word: 'keys', load: async () => (await import('./commands/keys.ts')).keyCommands },
  {
    word: 'assistants',
    load: async () => (await import('./commands/assistants.ts')).assistantCommands,
  },
  { word: 'login', load: async () => (await import('./commands/login.ts')).loginCommands },
  {
    word: 'login',
    load: async () => (await import('./commands/login-provider.ts')).loginProviderCommands,
  },
  { word: 'wallet', load: async () => (await import('./commands/wallet.ts')).walletCommands },
  { word: 'rates', load: async () => (await import('./commands/rates.ts')).rateCommands },
  { word: 'webhooks', load: async () => (await import('./commands/webhooks.ts')).webhookCommands },
  {
    word: 'providers',
    load: async () => (await import('./commands/providers.ts')).providerCommands,
  },
  {
    word: 'suppress',
    load: async () => (await import('./commands/privacy/suppress.ts')).suppressionCommands,
  },
  {
    word: 'retention',
    load: async () => (await import('./commands/privacy/retention.ts')).retentionCommands,
  },
  { word: 'audit', load: async () => (await import('./commands/privacy/audit.ts')).auditCommands },
  {
    word: 'person',
    load: async () => (await import('./commands/privacy/person.ts')).personCommands,
  },
  { word: 'config', load: async () => (await import('./commands/team/config.ts')).configCommands },
  { word: 'mcp', load: async () => [(await import('./commands/mcp.ts')).mcp] },
  { word: 'backup', load: async () => [(await import('./commands/backup.ts')).backup] },
  { word: 'restore', load: async () => [(await import('./commands/restore.ts')).restore] },
  { word: 'doctor', load: async () => [(await import('./commands/doctor.ts')).doctor] },
];

/** Loads the commands whose names begin with a word; all commands without one. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const chosen = commandModules.filter((module) => word === undefined || module.word === word);
  return (await Promise.all(chosen.map((module) => module.load()))).flat();
}
