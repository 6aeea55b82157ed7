/**
 * The second step of a pipeline: pays for the known values of each contact from the hold, contact
 * by contact, as far as it covers them. Ownership, the contacts' states and the spending are
 * written in one transaction.
 */
import { creditUnits } from '../contract/credits.ts';
import { pipelineBatchContactsMax } from '../contract/limits/pipelines.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { PipelineKind } from '../contract/pipelines/pipeline.ts';
import { listSuppressed } from '../directory/read/read-people.ts';
import { unlockFromHold } from '../ledger/unlock.ts';
import { createHiddenRows } from '../suppression/hidden-rows.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import { findHiddenContacts } from './hidden-contacts.ts';
import { holdEntryOf, leftOfHold } from './hold-for-pipeline.ts';
import { advancePipeline, type PipelineRow } from './pipeline.table.ts';
import {
  type PipelineContactRow,
  payPipelineContact,
  readPipelineContacts,
  type ValueState,
} from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';

/** The known values of a contact, in the order of payment. */
const listKinds = (pipeline: PipelineRow, contact: PipelineContactRow): PipelineKind[] =>
  pipeline.kinds.filter((kind) => contact[kind] !== null);

type States = Partial<Record<PipelineKind, ValueState>>;

function describePaid(
  states: States,
  whenNothing: PipelineContactRow['reason'],
  whenLocked: PipelineContactRow['reason'],
): Parameters<typeof payPipelineContact>[3] {
  const valueStates = Object.entries(states) as [PipelineKind, ValueState][];
  const isLocked = valueStates.some(([, state]) => state === 'locked');
  const charged = valueStates.filter(([, state]) => state === 'charged');
  const reason = valueStates.length === 0 ? whenNothing : isLocked ? whenLocked : '';
  return {
    emailState: states.email ?? null,
    phoneState: states.phone ?? null,
    reason,
    chargedUnits: creditUnits(charged.reduce((sum, [kind]) => sum + lookupPrices[kind], 0)),
  };
}

function payBatch(
  deps: PipelineDeps,
  pipeline: PipelineRow,
  contacts: readonly PipelineContactRow[],
): void {
  const { database, folder, now } = deps;
  const uuids = contacts.flatMap(({ personUuid }) => personUuid ?? []);
  // Values of a person who was suppressed after the look-up are not sold.
  const people = listSuppressed(database, uuids);
  const filter = createHiddenRows(readSuppressionList(database), people);
  const hidden = findHiddenContacts(filter, folder, pipeline, contacts);
  const wanted = contacts.map((contact) => ({
    contact,
    isSuppressed: hidden.has(contact.position),
    kinds: hidden.has(contact.position) ? [] : listKinds(pipeline, contact),
  }));
  const values = wanted.flatMap(({ contact, kinds }) =>
    kinds.map((kind) => ({ personUuid: contact.personUuid ?? '', kind })),
  );
  const report = unlockFromHold(
    database,
    { accountId: pipeline.accountId, values },
    { leftUnits: leftOfHold(pipeline), entryId: holdEntryOf(deps, pipeline) },
    now(),
  );
  const states = report.states[Symbol.iterator]();
  const counts = { unlocked: 0, locked: 0 };
  for (const { contact, kinds, isSuppressed } of wanted) {
    if (contact.personUuid === null) continue;
    const valueStates: States = {};
    for (const kind of kinds) valueStates[kind] = states.next().value ?? 'locked';
    const whenNothing = isSuppressed ? 'suppressed' : 'no_value';
    const paid = describePaid(valueStates, whenNothing, pipeline.heldShortBy ?? '');
    payPipelineContact(database, pipeline.id, contact.position, paid);
    const all = Object.values(valueStates);
    if (all.some((state) => state !== 'locked')) counts.unlocked += 1;
    if (all.includes('locked')) counts.locked += 1;
  }
  const { chargedUnits } = report;
  advancePipeline(database, pipeline, { passedUnlock: contacts.length, ...counts, chargedUnits });
}

/** Pays for the next contacts of a pipeline. */
export async function unlockFound(deps: PipelineDeps, pipeline: PipelineRow): Promise<WriteBatch> {
  const page = { offset: pipeline.unlockedTo, limit: pipelineBatchContactsMax };
  const contacts = readPipelineContacts(deps.database, pipeline.id, page);
  return () => payBatch(deps, pipeline, contacts);
}
