// What the tool server offers besides tools: the rate card, the wallet and the imports as
// resources, prompts for common tasks, and the skill of the plugin (Skills extension, SEP-2640).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerContext as McpContext, McpServer } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { z } from 'zod';
import { ImportedListSchema } from '../../contract/assistants/tools/import.ts';
import { formatCredits } from '../../contract/credits.ts';
import { toolTextCharactersMax } from '../../contract/limits/assistants.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import type { Caller } from '../../http/credentials.ts';
import { presentRates } from '../../ledger/present-rates.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { resourcesDir } from '../../platform/paths.ts';
import type { AssistantRouteDeps } from '../route-deps.ts';

const callerOf = (deps: McpContext): Caller => deps.http?.authInfo?.extra?.caller as Caller;

const describeRateCard = ({ environment }: AssistantRouteDeps, accountId: number) => ({
  tools: Object.fromEntries(
    Object.entries(lookupPrices).map(([kind, units]) => [kind, formatCredits(units)]),
  ),
  per_row: presentRates(environment.database, accountId),
});

const resources = {
  'rate-card': {
    title: 'Rate card',
    description: 'What emails, phones, profiles, layers and validations cost this account.',
    read: describeRateCard,
  },
  wallet: {
    title: 'Wallet',
    description: 'Credits that are available, held by running jobs, and spent.',
    read: ({ environment }: AssistantRouteDeps, accountId: number) =>
      presentWallet(environment.database, accountId),
  },
  imports: {
    title: 'Imports',
    description: 'The lists that were imported into the directory, with their counts.',
    read: async ({ environment }: AssistantRouteDeps) =>
      (await environment.reader.directoryStats()).imports.map((report) =>
        ImportedListSchema.parse(report),
      ),
  },
} as const;

function addResources(server: McpServer, context: AssistantRouteDeps): void {
  for (const [name, { read, ...words }] of Object.entries(resources))
    server.registerResource(
      name,
      `desk://${name}`,
      { ...words, mimeType: 'application/json' },
      async ({ href: uri }, deps) => {
        const text = JSON.stringify(await read(context, callerOf(deps).account.id));
        return { contents: [{ uri, mimeType: 'application/json', text }] };
      },
    );
}

const listArgument = {
  list: z.string().max(toolTextCharactersMax).optional().describe('Path or name of the list.'),
};

const prompts = {
  clean_list: {
    title: 'Clean a list',
    description: 'Bring a list of contacts up to date, at a price that is agreed first.',
    write: (list: string) =>
      `Clean ${list}. If it is a file in a folder that I have allowed, send its path. Otherwise ` +
      'send its contacts as rows with first_name, last_name, company_name, email and ' +
      'profile_url where present. Call enrich_list with selected_layers ["L1"] and ' +
      'dry_run true, tell me the price and the balance of check_wallet, and wait for my OK. ' +
      'Then start it with an idempotency_key, poll check_enrich_list, and validate ' +
      'the returned emails. Show me a table of what changed, what was not found and why.',
  },
  who_changed_jobs: {
    title: 'Who changed jobs',
    description: 'Find the people in a list who changed jobs, and their new employers.',
    write: (list: string) =>
      `Find out who in ${list} changed jobs. Call enrich_list with selected_layers ["L1", "L2", ` +
      '"L3"] and dry_run true, tell me the price, and wait for my OK. Then start it with an ' +
      'idempotency_key and poll check_enrich_list. List those whose Employment status ' +
      'is Changed with their new company and title, then those who Left. Omit the rest.',
  },
} as const;

function addPrompts(server: McpServer): void {
  for (const [name, { write, ...words }] of Object.entries(prompts))
    server.registerPrompt(
      name,
      { ...words, argsSchema: z.object(listArgument) },
      async ({ list = 'the list of contacts that I provide' }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: write(list) } }],
      }),
    );
}

const skillFile = 'enrich-a-list/SKILL.md';

export const loadSkills = (): Promise<SkillsExtension> =>
  SkillsExtension.load(
    memorySkillFiles({
      [skillFile]: readFileSync(join(resourcesDir(), 'plugin/skills', skillFile), 'utf8'),
    }),
    { strict: true },
  );

export function addContext(
  server: McpServer,
  context: AssistantRouteDeps,
  skills: SkillsExtension,
): void {
  skills.attach(server);
  addResources(server, context);
  addPrompts(server);
}
