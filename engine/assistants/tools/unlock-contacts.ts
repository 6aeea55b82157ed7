/** unlock_contacts: returns emails or phones of contacts from a search, and charges for them. */
import { setImmediate as yieldThread } from 'node:timers/promises';
import type {
  UnlockContacts,
  UnlockedContact,
  UnlockedContacts,
  unlockTools,
} from '../../contract/assistants/tools/unlock.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { unlockSliceContacts } from '../../contract/limits/assistants.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import { listSuppressed } from '../../directory/read/read-people.ts';
import { type NamedContact, readContacts } from '../../directory/read/read-person.ts';
import type { UnlockReport } from '../../ledger/unlock.ts';
import { findEarlierCall, payValues } from './pay-values.ts';
import type { ToolCall } from './tool-call.ts';
import { sayAtMost, sayCharged, type ToolHandlers } from './tool-handler.ts';

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
  if (answer.dry_run) return `Unlocking these ${total} contacts would cost ${sayAtMost(answer)}.`;
  return (
    `${count('unlocked', 'owned')} of ${total} contacts shown, ${count('locked')} locked ` +
    `for lack of credits, ${count('not_found')} not known. ${sayCharged(answer)}`
  );
}

export const unlockHandlers: ToolHandlers<keyof typeof unlockTools> = {
  unlock_contacts: { handle: unlockContacts, summarize: summarizeUnlocked },
};
