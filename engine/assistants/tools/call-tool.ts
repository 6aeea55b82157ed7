// The handlers of all tools, one group for each of contract/assistants/tools/.
import { setImmediate as yieldThread } from 'node:timers/promises';
import type { importTools } from '../../contract/assistants/tools/import.ts';
import type { monitorTools } from '../../contract/assistants/tools/monitors.ts';
import type { searchTools } from '../../contract/assistants/tools/search.ts';
import type {
  UnlockContacts,
  UnlockedContact,
  UnlockedContacts,
  unlockTools,
} from '../../contract/assistants/tools/unlock.ts';
import type { validationTools } from '../../contract/assistants/tools/validation.ts';
import type { walletTools } from '../../contract/assistants/tools/wallet.ts';
import type { ToolInput, ToolName, ToolOutput } from '../../contract/assistants/tools.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { describeImportCounts } from '../../contract/directory.ts';
import { unlockSliceContacts } from '../../contract/limits/assistants.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import { listSuppressed } from '../../directory/read/read-people.ts';
import { type NamedContact, readContacts } from '../../directory/read/read-person.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import type { UnlockReport } from '../../ledger/unlock.ts';
import { listMonitors } from '../../monitors/monitor.table.ts';
import { presentMonitor } from '../../monitors/present-monitor.ts';
import {
  countFindings,
  readFindingsPage,
  requireOpenFindings,
} from '../../monitors/read-findings.ts';
import { listLatestBalances } from '../../providers/spend/provider-balance.table.ts';
import { readValidation } from '../../validations/present-validation.ts';
import { estimateValidation } from '../../validations/validate-emails.ts';
import { openListFile } from '../open-list-file.ts';
import { listHandlers } from './enrich-list.ts';
import { enrichHandlers } from './enrich-person.ts';
import { finishHandlers } from './finish-list.ts';
import { findEarlierCall, payValues } from './pay-values.ts';
import type { ToolCall } from './tool-call.ts';
import { countCredits, countOf, sayAtMost, sayCharged, type ToolHandlers } from './tool-handler.ts';

type Shown = Pick<UnlockedContact, 'email' | 'email_status' | 'phone'>;
/** A contact of the list, and its known value; null if there is none. */
interface KnownContact {
  readonly uuid: string;
  readonly shown: Shown | null;
}

/** The contacts of the own directory, and those that only the team's directory has. */
async function readFromBoth(
  { environment: { directoryDatabase, writer } }: ToolCall,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, NamedContact>> {
  const found: Map<string, NamedContact> = readContacts(directoryDatabase, uuids);
  // A person who is suppressed here is not asked for there.
  const hidden = listSuppressed(directoryDatabase, uuids, 'main');
  const missing = uuids.filter((uuid) => !found.has(uuid) && !hidden.has(uuid));
  if (missing.length > 0)
    for (const person of await writer.readTeamPeople({ uuids: missing }))
      found.set(person.uuid, person);
  return found;
}

/** Reads the contacts in slices, so that a long list does not block other calls. */
async function readKnown(call: ToolCall, args: UnlockContacts): Promise<KnownContact[]> {
  const known: KnownContact[] = [];
  const { uuids, unlock_type: kind } = args;
  for (let at = 0; at < uuids.length; at += unlockSliceContacts) {
    const slice = uuids.slice(at, at + unlockSliceContacts);
    const found = await readFromBoth(call, slice);
    for (const uuid of slice) {
      const contact = found.get(uuid);
      const phone = contact?.mobilePhone ?? contact?.directPhone ?? null;
      const email = contact?.email ?? null;
      const emailShown = email && { email, email_status: contact?.emailStatus ?? 'unknown' };
      known.push({ uuid, shown: (kind === 'email' ? emailShown : phone && { phone }) || null });
    }
    await call.onProgress(known.length, uuids.length);
    await yieldThread();
    call.signal.throwIfAborted();
  }
  return known;
}

const statusOf = { charged: 'unlocked', owned: 'owned', locked: 'locked' } as const;

function describeContacts(
  args: UnlockContacts,
  known: readonly KnownContact[],
  report: UnlockReport,
): UnlockedContact[] {
  const price = formatCredits(lookupPrices[args.unlock_type]);
  const nothing = formatCredits(creditUnits(0));
  let next = 0;
  return known.map(({ uuid, shown }): UnlockedContact => {
    if (!shown) return { uuid, status: 'not_found', credits_charged: nothing };
    const state = report.states[next] ?? 'locked';
    next += 1;
    const isLocked = state === 'locked' || (args.dry_run && state === 'charged');
    const reason = state === 'locked' && report.lockedBy ? { reason: report.lockedBy } : {};
    return {
      uuid,
      status: isLocked ? 'locked' : statusOf[state],
      // A dry run shows nothing, not even owned values.
      ...(isLocked || args.dry_run ? reason : shown),
      credits_charged: state === 'charged' && !args.dry_run ? price : nothing,
    };
  });
}

/** Answers unlock_contacts. Throws the refusals of `payValues`. */
async function unlockContacts(call: ToolCall, args: UnlockContacts): Promise<UnlockedContacts> {
  const tool = 'unlock_contacts';
  const earlier = findEarlierCall<KnownContact[]>(call, tool, args);
  const known = earlier?.material ?? (await readKnown(call, args));
  const kind = args.unlock_type;
  const values = known.flatMap(({ uuid: personUuid, shown }) =>
    shown ? [{ personUuid, kind }] : [],
  );
  const paid = earlier ?? (await payValues(call, { tool, args, values, material: known }));
  const units = formatCredits(paid.report.chargedUnits);
  return {
    results: describeContacts(args, paid.material, paid.report),
    ...(args.dry_run
      ? { credits_charged: formatCredits(creditUnits(0)), credits_at_most: units, dry_run: true }
      : { credits_charged: units }),
  };
}

function summarizeUnlocked(answer: UnlockedContacts): string {
  const count = (...statuses: readonly string[]) =>
    answer.results.filter(({ status }) => statuses.includes(status)).length;
  const total = answer.results.length;
  if (answer.dry_run)
    return `Unlocking ${countOf(total, 'contact')} would cost ${sayAtMost(answer)}.`;
  return (
    `${count('unlocked', 'owned')} of ${countOf(total, 'contact')} shown, ` +
    `${count('locked')} locked for lack of credits, ${count('not_found')} not known. ` +
    sayCharged(answer)
  );
}

const unlockHandlers: ToolHandlers<keyof typeof unlockTools> = {
  unlock_contacts: { handle: unlockContacts, summarize: summarizeUnlocked },
};

/**
 * Starts a validation. Throws `insufficient_credits`, `spending_cap_reached`, `approval_required`,
 * `validation_error` if it is switched off, and `idempotency_conflict`.
 */
async function validateList(
  call: ToolCall,
  args: ToolInput<'validate_emails'>,
): Promise<ToolOutput<'validate_emails'>> {
  const { environment, caller } = call;
  const estimate = estimateValidation(environment.database, caller, args.emails);
  const nothing = formatCredits(creditUnits(0));
  if (args.dry_run)
    return {
      status: 'not_started',
      total_emails: estimate.total_emails,
      price_per_email: estimate.price_per_email,
      credits_held: nothing,
      credits_charged: nothing,
      credits_at_most: estimate.credits_needed,
      dry_run: true,
    };
  const key = args.idempotency_key;
  const { validation } = await call.spendAllowed((asking) =>
    environment.writer.validateEmails({
      accountId: caller.accountId,
      keyId: caller.keyId,
      asking,
      emails: args.emails,
      idempotency: key === undefined ? null : { keyScope: caller.keyScope, key },
    }),
  );
  return {
    job_id: validation.job_id,
    status: validation.status,
    total_emails: validation.total_emails,
    price_per_email: validation.price_per_email,
    credits_held: validation.credits_held,
    credits_charged: validation.credits_charged,
  };
}

/** The progress of a validation, with a page of its verdicts. Throws `not_found`. */
function checkValidation(
  { environment, caller }: ToolCall,
  args: ToolInput<'check_email_validation_status'>,
): ToolOutput<'check_email_validation_status'> {
  const { results, ...validation } = readValidation(
    environment.database,
    caller.accountId,
    args.job_id,
    args,
  );
  const next = args.offset + results.length;
  const hasMore = results.length > 0 && next < validation.done_emails;
  return {
    job_id: validation.job_id,
    status: validation.status,
    ready: validation.ready,
    total_emails: validation.total_emails,
    done_emails: validation.done_emails,
    counts: validation.counts,
    credits_charged: validation.credits_charged,
    error_detail: validation.error_detail,
    results,
    next_offset: hasMore ? next : null,
  };
}

const summarizeStarted = (answer: ToolOutput<'validate_emails'>): string =>
  answer.dry_run
    ? `Validating ${countOf(answer.total_emails, 'email')} would cost ${sayAtMost(answer)}.`
    : `Validation ${answer.job_id} of ${countOf(answer.total_emails, 'email')} has started, ` +
      `${countCredits(answer.credits_held)} held. Call check_email_validation_status.`;

const validationHandlers: ToolHandlers<keyof typeof validationTools> = {
  validate_emails: { handle: validateList, summarize: summarizeStarted },
  check_email_validation_status: {
    handle: async (call, args) => checkValidation(call, args),
    summarize: ({ status, done_emails: done, total_emails: total, results }) =>
      `The validation is ${status}: ${done} of ${countOf(total, 'email')} done. ` +
      `In this answer: ${results.length}.`,
  },
};

function readMonitors({
  environment: { database },
  caller,
}: ToolCall): ToolOutput<'list_monitors'> {
  const monitors = listMonitors(database, caller.accountId).map((row) => {
    const { last_job: last_run, ...monitor } = presentMonitor(database, row);
    return { ...monitor, last_run };
  });
  return { monitors };
}

function readJobChanges(
  { environment, caller }: ToolCall,
  { job_id: id, ...page }: ToolInput<'list_job_changes'>,
): ToolOutput<'list_job_changes'> {
  const open = requireOpenFindings(environment.database, caller.accountId, id);
  return {
    total: countFindings(open.monitorJob, page.status),
    results: readFindingsPage(environment, open, page),
  };
}

const monitorHandlers: ToolHandlers<keyof typeof monitorTools> = {
  list_monitors: {
    handle: async (call) => readMonitors(call),
    summarize: ({ monitors }) => `${countOf(monitors.length, 'monitor')}. Free.`,
  },
  list_job_changes: {
    handle: async (call, args) => readJobChanges(call, args),
    summarize: ({ total, results }) => sayFound({ total, results }, 'people'),
  },
};

async function importList(
  call: ToolCall,
  { path: named, kind }: ToolInput<'import_list'>,
): Promise<ToolOutput<'import_list'>> {
  const { environment, caller, signal } = call;
  const file = await openListFile(environment, caller.accountId, named);
  return call.withCopy(file, (path) =>
    environment.reader.importDirectory(
      kind === 'people'
        ? { peoplePath: path, peopleName: file.fileName }
        : { companiesPath: path, companiesName: file.fileName },
      signal,
    ),
  );
}

const count = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;

const importHandlers: ToolHandlers<keyof typeof importTools> = {
  import_list: {
    handle: importList,
    summarize: (report) =>
      `${report.source}: ${describeImportCounts(report, count) || 'nothing changed'}. Free.`,
  },
};

interface Found {
  readonly total: number;
  readonly total_is_estimate?: true | undefined;
  readonly results: readonly unknown[];
}

function sayFound({ total, total_is_estimate: isEstimate, results }: Found, nouns: string) {
  const all = `${isEstimate ? 'about ' : ''}${total}`;
  return `Matching ${nouns}: ${all}. In this answer: ${results.length}. Free.`;
}

const searchHandlers: ToolHandlers<keyof typeof searchTools> = {
  search_contacts: {
    handle: ({ environment }, args) => environment.search.contacts(args),
    summarize: (found) => sayFound(found, 'contacts'),
  },
  search_companies: {
    async handle({ environment }, args) {
      const { results, ...found } = await environment.search.companies(args);
      // The raw employees and revenue are for the app.
      return { ...found, results: results.map(({ employees, revenue, ...company }) => company) };
    },
    summarize: (found) => sayFound(found, 'companies'),
  },
};

const walletHandlers: ToolHandlers<keyof typeof walletTools> = {
  check_wallet: {
    async handle({ environment: { database }, caller }) {
      const balances = listLatestBalances(database).map(({ at, ...balance }) => ({
        ...balance,
        read_at: at,
      }));
      const wallet = presentWallet(database, caller.accountId);
      return { ...wallet, ...(balances.length > 0 && { data_services: balances }) };
    },
    summarize: ({ available, held, spent, data_services: services = [] }) =>
      [
        `${countCredits(available)} available, ${Number(held)} held, ${Number(spent)} spent.`,
        ...services.map(
          ({ provider, credits, read_at: at }) => `${provider}: ${credits} at ${at}.`,
        ),
      ].join(' '),
  },
};

export const toolHandlers: ToolHandlers<ToolName> = {
  ...searchHandlers,
  ...unlockHandlers,
  ...enrichHandlers,
  ...walletHandlers,
  ...validationHandlers,
  ...listHandlers,
  ...finishHandlers,
  ...importHandlers,
  ...monitorHandlers,
};
