// The table of the commands of `desk`. The help lists them in this order, by group.
import type { Command } from './kit/command.ts';

/** Commands whose names begin with the same word, in one module. */
interface CommandModule {
  readonly word: string;
  readonly group: string;
  load(): Promise<readonly Command[]>;
}

/**
 * Every module of commands. A new command is a file in commands/ and a line here. A line of `desk`
 * loads only the modules that it needs: all of them take three times the CPU time.
 */
export const commandModules: readonly CommandModule[] = [
  {
    word: 'serve',
    group: 'Start',
    load: async () => [(await import('./commands/serve.ts')).serve],
  },
  { word: 'open', group: 'Start', load: async () => [(await import('./commands/open.ts')).open] },
  {
    word: 'enrich',
    group: 'Lists and jobs',
    load: async () => [(await import('./commands/enrich.ts')).enrich],
  },
  {
    word: 'review',
    group: 'Lists and jobs',
    load: async () => [(await import('./commands/review.ts')).review],
  },
  {
    word: 'jobs',
    group: 'Lists and jobs',
    load: async () => (await import('./commands/jobs/jobs.ts')).jobsCommands,
  },
  {
    word: 'validate-emails',
    group: 'Lists and jobs',
    load: async () => [(await import('./commands/validate-emails.ts')).validateEmails],
  },
  {
    word: 'pipeline',
    group: 'Lists and jobs',
    load: async () => (await import('./commands/pipeline.ts')).pipelineCommands,
  },
  {
    word: 'monitors',
    group: 'Lists and jobs',
    load: async () => (await import('./commands/monitors.ts')).monitorCommands,
  },
  {
    word: 'directory',
    group: 'Your directory',
    load: async () => (await import('./commands/directory.ts')).directoryCommands,
  },
  {
    word: 'directory',
    group: 'Your directory',
    load: async () => (await import('./commands/duplicates.ts')).duplicateCommands,
  },
  {
    word: 'shared',
    group: 'A team’s directory',
    load: async () => (await import('./shared/shared-commands.ts')).sharedCommands,
  },
  {
    word: 'shared',
    group: 'A team’s directory',
    load: async () => [(await import('./shared/shared-worker.ts')).sharedWorker],
  },
  {
    word: 'shared',
    group: 'A team’s directory',
    load: async () => (await import('./shared/shared-use.ts')).sharedUse,
  },
  {
    word: 'shared',
    group: 'A team’s directory',
    load: async () => (await import('./shared/shared-tenants.ts')).sharedTenants,
  },
  {
    word: 'accounts',
    group: 'Accounts, keys and credits',
    load: async () => (await import('./commands/accounts.ts')).accountCommands,
  },
  {
    word: 'keys',
    group: 'Accounts, keys and credits',
    load: async () => (await import('./commands/keys.ts')).keyCommands,
  },
  {
    word: 'login',
    group: 'Accounts, keys and credits',
    load: async () => (await import('./commands/login.ts')).loginCommands,
  },
  {
    word: 'wallet',
    group: 'Accounts, keys and credits',
    load: async () => (await import('./commands/wallet.ts')).walletCommands,
  },
  {
    word: 'rates',
    group: 'Accounts, keys and credits',
    load: async () => (await import('./commands/rates.ts')).rateCommands,
  },
  {
    word: 'assistants',
    group: 'Assistants',
    load: async () => (await import('./commands/assistants.ts')).assistantCommands,
  },
  { word: 'mcp', group: 'Assistants', load: async () => [(await import('./commands/mcp.ts')).mcp] },
  {
    word: 'webhooks',
    group: 'Webhooks',
    load: async () => (await import('./commands/webhooks.ts')).webhookCommands,
  },
  {
    word: 'providers',
    group: 'Data services',
    load: async () => (await import('./commands/providers.ts')).providerCommands,
  },
  {
    word: 'suppress',
    group: 'Privacy',
    load: async () => (await import('./commands/privacy/suppress.ts')).suppressionCommands,
  },
  {
    word: 'retention',
    group: 'Privacy',
    load: async () => (await import('./commands/privacy/retention.ts')).retentionCommands,
  },
  {
    word: 'audit',
    group: 'Privacy',
    load: async () => (await import('./commands/privacy/audit.ts')).auditCommands,
  },
  {
    word: 'person',
    group: 'Privacy',
    load: async () => (await import('./commands/privacy/person.ts')).personCommands,
  },
  {
    word: 'config',
    group: 'Rules of the organisation',
    load: async () => (await import('./commands/team/config.ts')).configCommands,
  },
  {
    word: 'backup',
    group: 'Maintenance',
    load: async () => [(await import('./commands/backup.ts')).backup],
  },
  {
    word: 'restore',
    group: 'Maintenance',
    load: async () => [(await import('./commands/restore.ts')).restore],
  },
  {
    word: 'doctor',
    group: 'Maintenance',
    load: async () => [(await import('./commands/doctor.ts')).doctor],
  },
];

/** Loads the commands whose names begin with a word; all commands without one. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const chosen = commandModules.filter((module) => word === undefined || module.word === word);
  return (await Promise.all(chosen.map((module) => module.load()))).flat();
}

export const groupOf = ({ name }: Command): string =>
  commandModules.find(({ word }) => name.split(' ')[0] === word)?.group ?? '';
