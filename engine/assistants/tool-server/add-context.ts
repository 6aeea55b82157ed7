/**
 * What an assistant can read and be asked beside the tools: the rate card and the wallet as
 * resources, and prompts for what people do most.
 */
import type { ServerContext as McpContext, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatCredits } from '../../contract/credits.ts';
import { toolTextCharactersMax } from '../../contract/limits/assistants.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import type { Caller } from '../../http/credentials.ts';
import { presentRates } from '../../ledger/present-rates.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import type { AssistantRouteDeps } from '../route-deps.ts';

const callerOf = (deps: McpContext): Caller => deps.http?.authInfo?.extra?.caller as Caller;

/** What the account pays for everything that costs something. */
const describeRateCard = ({ environment }: AssistantRouteDeps, accountId: number) => ({
  tools: Object.fromEntries(
    Object.entries(lookupPrices).map(([kind, units]) => [kind, formatCredits(units)]),
  ),
  per_row: presentRates(environment.database, accountId),
});

/** Resource → its words, and what it tells an account. */
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
} as const;

function addResources(server: McpServer, context: AssistantRouteDeps): void {
  for (const [name, { read, ...words }] of Object.entries(resources))
    server.registerResource(
      name,
      `desk://${name}`,
      { ...words, mimeType: 'application/json' },
      async ({ href: uri }, deps) => {
        const text = JSON.stringify(read(context, callerOf(deps).account.id));
        return { contents: [{ uri, mimeType: 'application/json', text }] };
      },
    );
}

const listArgument = {
  list: z
    .string()
    .max(toolTextCharactersMax)
    .optional()
    .describe('Where the list is, or what it is called.'),
};

/** Prompt → its words, and what it asks of the assistant. */
const prompts = {
  clean_list: {
    title: 'Clean a list',
    description: 'Bring a list of contacts up to date, at a price that is agreed first.',
    write: (list: string) =>
      `Clean ${list}. Where it is a file in a folder that I have allowed, name its path; else ` +
      'read its contacts as rows with first_name, last_name, company_name, email and ' +
      'profile_url where they are there. Call enrich_list with selected_layers ["L1"] and ' +
      'dry_run true, tell me the price and the balance of check_wallet, and wait for my yes. ' +
      'Then start it with an idempotency_key, follow it with check_enrich_list, and validate ' +
      'the emails that came back. Show me a table: what changed, what was not found and why.',
  },
  who_changed_jobs: {
    title: 'Who changed jobs',
    description: 'Find who of a list works elsewhere now, and where.',
    write: (list: string) =>
      `Find out who of ${list} changed jobs. Call enrich_list with selected_layers ["L1", "L2", ` +
      '"L3"] and dry_run true, tell me the price, and wait for my yes. Then start it with an ' +
      'idempotency_key and follow it with check_enrich_list. List those whose Employment status ' +
      'is Changed with their new company and title, then those who Left, and leave out the rest.',
  },
} as const;

function addPrompts(server: McpServer): void {
  for (const [name, { write, ...words }] of Object.entries(prompts))
    server.registerPrompt(
      name,
      { ...words, argsSchema: z.object(listArgument) },
      async ({ list = 'the list of contacts that I give you' }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: write(list) } }],
      }),
    );
}

/** Adds the resources and prompts to the server of a caller. */
export function addContext(server: McpServer, context: AssistantRouteDeps): void {
  addResources(server, context);
  addPrompts(server);
}
