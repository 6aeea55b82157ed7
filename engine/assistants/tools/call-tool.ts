/** The table of the tools: who answers each, and its answer in a sentence. */

import type { Enriched } from '../../contract/assistants/tools/enrich.ts';
import type { ToolInput, ToolName, ToolOutput } from '../../contract/assistants/tools.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { checkList, enrichList } from './enrich-list.ts';
import { enrichPerson } from './enrich-person.ts';
import type { ToolCall } from './tool-call.ts';
import { unlockContacts } from './unlock-contacts.ts';
import { checkValidation, validateList } from './validate-list.ts';

/** Answers a tool, and says the answer in a sentence. */
export interface ToolAnswerer<Name extends ToolName> {
  /** Throws EngineError for every expected refusal. */
  answer(call: ToolCall, args: ToolInput<Name>): Promise<ToolOutput<Name>>;
  say(output: ToolOutput<Name>): string;
}

const credits = (text: string | undefined): string =>
  `${Number(text)} ${Number(text) === 1 ? 'credit' : 'credits'}`;

const charged = (answer: { credits_charged: string }) =>
  `${credits(answer.credits_charged)} charged.`;

const atMost = (answer: { credits_at_most?: string | undefined }) =>
  `at most ${credits(answer.credits_at_most)}`;

function sayEnriched(answer: Enriched): string {
  if (answer.status !== 'found') return answer.reason ?? '';
  const who = `${answer.first_name} ${answer.last_name}`.trim() || answer.uuid;
  if (answer.dry_run) return `Found ${who}. The call would cost ${atMost(answer)}.`;
  const omitted = (answer.omitted ?? []).map(({ value }) => value).join(' and ');
  const values = [answer.title, answer.company, answer.email, answer.phone].filter(Boolean);
  const left = omitted ? ` Not covered by the credits, and left out: ${omitted}.` : '';
  return `Found ${who}${values.length ? `: ${values.join(', ')}` : ''}. ${charged(answer)}${left}`;
}

const sayUnlocked = (answer: ToolOutput<'unlock_contacts'>): string => {
  const count = (...statuses: readonly string[]) =>
    answer.results.filter(({ status }) => statuses.includes(status)).length;
  const total = answer.results.length;
  if (answer.dry_run) return `Unlocking these ${total} contacts would cost ${atMost(answer)}.`;
  return (
    `${count('unlocked', 'owned')} of ${total} contacts shown, ${count('locked')} left locked ` +
    `for want of credits, ${count('not_found')} not known. ${charged(answer)}`
  );
};

const sayStarted = (answer: ToolOutput<'validate_emails'>): string =>
  answer.dry_run
    ? `Validating ${answer.total_emails} addresses would cost ${atMost(answer)}.`
    : `Validation ${answer.job_id} of ${answer.total_emails} addresses has begun, ` +
      `${credits(answer.credits_held)} held. Ask check_email_validation_status.`;

const sayList = (answer: ToolOutput<'enrich_list'>): string =>
  answer.dry_run
    ? `Enriching these ${answer.total_rows} rows would cost ${atMost(answer)}.`
    : `Job ${answer.job_id} of ${answer.total_rows} rows has begun, ` +
      `${credits(answer.credits_held)} held. Ask check_enrich_list.`;

/** Who answers each tool. */
export const toolAnswerers: { readonly [Name in ToolName]: ToolAnswerer<Name> } = {
  search_contacts: {
    answer: ({ environment }, args) => environment.search.contacts(args),
    say: ({ total, results }) => `${total} contacts match; ${results.length} of them follow. Free.`,
  },
  search_companies: {
    answer: ({ environment }, args) => environment.search.companies(args),
    say: ({ total, results }) =>
      `${total} companies match; ${results.length} of them follow. Free.`,
  },
  unlock_contacts: { answer: unlockContacts, say: sayUnlocked },
  enrich_email: {
    answer: (call, args) => enrichPerson(call, 'enrich_email', args),
    say: sayEnriched,
  },
  enrich_phone: {
    answer: (call, args) => enrichPerson(call, 'enrich_phone', args),
    say: sayEnriched,
  },
  enrich_contact: {
    answer: (call, args) => enrichPerson(call, 'enrich_contact', args),
    say: sayEnriched,
  },
  enrich_profile: {
    answer: (call, args) => enrichPerson(call, 'enrich_profile', args),
    say: sayEnriched,
  },
  check_wallet: {
    answer: async ({ environment, caller }) =>
      presentWallet(environment.database, caller.accountId),
    say: ({ available, held, spent }) =>
      `${credits(available)} available, ${Number(held)} held, ${Number(spent)} spent.`,
  },
  validate_emails: { answer: validateList, say: sayStarted },
  check_email_validation_status: {
    answer: async (call, args) => checkValidation(call, args),
    say: ({ status, done_emails: done, total_emails: total, results }) =>
      `The validation is ${status}: ${done} of ${total} addresses done, ${results.length} follow.`,
  },
  enrich_list: { answer: enrichList, say: sayList },
  check_enrich_list: {
    answer: async (call, args) => checkList(call, args),
    say: (job) =>
      `The job is ${job.status}: ${job.processed_rows} of ${job.total_rows} rows done, ` +
      `${job.enriched_rows} enriched; ${job.results.length} rows follow. ${charged(job)}`,
  },
};
