// Runs a pipeline, one batch of one step at a time:
//
//   queued ──> look up ──all looked up──> hold ──> unlock ──all paid for──> verify ──> completed
//                 │ ──the upstream refuses, or stays unavailable──> failed: nothing was held
//                 │ ──kill──> (found at the next start, continues after the written batches)
//                 └ ──cancelPipeline, in any step──> cancelled: the current batch is not written
//
// A batch and the counters of its step are written in one transaction, together with the end after
// the last batch.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { pipelineBatchContactsMax } from '../contract/limits/pipelines.ts';
import { validationBatchEmailsMax } from '../contract/limits/validations.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { PipelineKind } from '../contract/pipelines/pipeline.ts';
import { isDecided, statusOfReason, type ValidationReason } from '../contract/validations.ts';
import { listSuppressed } from '../directory/read/read-people.ts';
import { findHoldEntry, hold } from '../ledger/ledger.ts';
import { readSpendable, unlockFromHold } from '../ledger/unlock.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { createHiddenRows } from '../suppression/hidden-rows.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import type { ValidatedEmails } from '../validations/email-validator.ts';
import { keepDomainFindings } from '../validations/mail-domain.table.ts';
import { completePipeline, failPipeline } from './end-pipeline.ts';
import { findHiddenContacts } from './hidden-contacts.ts';
import { lookUpContacts } from './look-up-contacts.ts';
import {
  advancePipeline,
  beginPipeline,
  type HoldBound,
  notePipelineHold,
  type PipelineRow,
  requirePipelineById,
  requireWholePipeline,
} from './pipeline.table.ts';
import {
  countAddresses,
  countUnpaidValues,
  type PipelineContactRow,
  payPipelineContact,
  readEarlierVerdicts,
  readPipelineContacts,
  type ValueState,
  verifyPipelineContact,
} from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';

const leftOfHold = (pipeline: PipelineRow): CreditUnits =>
  creditUnits(pipeline.heldUnits - pipeline.chargedUnits);

/** The ledger entry of a pipeline's hold; null if it has none. */
const holdEntryOf = ({ database }: PipelineDeps, { holdId }: PipelineRow): number | null =>
  holdId === null ? null : findHoldEntry(database, holdId);

/** Holds the price, or as much of it as can be spent now. For 0 units there is no hold. */
function writeHold(
  { database, now }: PipelineDeps,
  pipeline: PipelineRow,
  verifyUnits: number,
): void {
  const at = now().toISOString();
  const { emails, phones } = countUnpaidValues(database, pipeline);
  const priceUnits = emails * lookupPrices.email + phones * lookupPrices.phone + verifyUnits;
  const { id, accountId, keyId, authorisedUnits } = pipeline;
  const { units, boundBy } = readSpendable(database, pipeline, authorisedUnits, at);
  const heldUnits = creditUnits(Math.min(priceUnits, units));
  const subject = { kind: 'pipeline', id: pipeline.uuid } as const;
  // Its key's limits and approval were checked when the pipeline was accepted.
  const permit = { kind: 'authorised', units: authorisedUnits ?? heldUnits } as const;
  const holdId =
    heldUnits > 0 ? hold(database, accountId, heldUnits, subject, at, keyId, permit) : null;
  const bound: HoldBound = boundBy === 'insufficient_credits' ? boundBy : 'spending_cap_reached';
  const heldShortBy = heldUnits < priceUnits ? bound : null;
  notePipelineHold(database, id, { heldAt: at, holdId, heldUnits, heldShortBy });
}

/**
 * Prices the known values that are not owned, and their verification, and holds that amount as far
 * as the balance and the key's caps allow. The contacts no longer change, so their addresses are
 * counted first; owned values are read in the transaction of the hold.
 */
async function holdForPipeline(deps: PipelineDeps, pipeline: PipelineRow): Promise<WriteBatch> {
  const verifyUnits = pipeline.verifyPriceUnits
    ? pipeline.verifyPriceUnits * countAddresses(deps.database, pipeline)
    : 0;
  // For 100,000 contacts both counts take a while, so commands are handled between them.
  await yieldThread();
  return () => writeHold(deps, pipeline, verifyUnits);
}

// The third step of a pipeline, if requested: validates the unlocked emails and pays for each
// decided verdict from the hold, as far as it covers them. Each address is validated once.

const priceOf = ({ verifyPriceUnits }: PipelineRow) => verifyPriceUnits ?? creditUnits(0);

const isOpen = ({ emailState }: PipelineContactRow): boolean =>
  emailState === 'owned' || emailState === 'charged';

/** Number of verdicts that the rest of the hold covers; infinite if they are free. */
function countCovered(pipeline: PipelineRow): number {
  const priceUnits = priceOf(pipeline);
  if (priceUnits === 0) return Number.POSITIVE_INFINITY;
  return Math.floor(leftOfHold(pipeline) / priceUnits);
}

interface KnownVerdicts extends Pick<ValidatedEmails, 'findings'> {
  /** By address: verdicts of earlier batches, which are paid for. */
  readonly earlier: ReadonlyMap<string, ValidationReason>;
  /** By address: verdicts of this batch. */
  readonly fresh: ReadonlyMap<string, ValidationReason>;
}

/** Writes verdicts and pays for each new one once, while the hold covers it. */
function writeVerdicts(
  { database }: PipelineDeps,
  pipeline: PipelineRow,
  contacts: readonly PipelineContactRow[],
  { earlier, fresh, findings }: KnownVerdicts,
): void {
  const paid = new Set(earlier.keys());
  let coveredLeft = countCovered(pipeline);
  let charged = 0;
  let verified = 0;
  for (const { position, email } of contacts.filter(isOpen)) {
    const verdict = earlier.get(email ?? '') ?? fresh.get(email ?? '');
    if (!verdict || email === null) continue;
    const isAnswer = isDecided(statusOfReason(verdict));
    const isCharged = isAnswer && !paid.has(email);
    if (isCharged && coveredLeft < 1) continue;
    paid.add(email);
    coveredLeft -= +isCharged;
    charged += +isCharged;
    verified += +isAnswer;
    const chargedUnits = creditUnits(isCharged ? priceOf(pipeline) : 0);
    verifyPipelineContact(database, pipeline.id, position, { verdict, chargedUnits });
  }
  const chargedUnits = creditUnits(charged * priceOf(pipeline));
  keepDomainFindings(database, findings);
  advancePipeline(database, pipeline, {
    passedVerify: contacts.length,
    paidVerdicts: charged,
    verified,
    chargedUnits,
  });
}

/** Validates the next emails of a pipeline; null if the engine is stopping. */
async function verifyUnlocked(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<WriteBatch | null> {
  const { database } = deps;
  const page = { offset: pipeline.verifiedTo, limit: validationBatchEmailsMax };
  const contacts = readPipelineContacts(database, pipeline.id, page);
  const emails = [...new Set(contacts.filter(isOpen).flatMap(({ email }) => email ?? []))];
  const earlier = readEarlierVerdicts(database, pipeline.id, emails);
  const open = emails.filter((email) => !earlier.has(email));
  // No validation if the hold covers no verdict.
  const isAsked = open.length > 0 && countCovered(pipeline) >= 1;
  const validated = isAsked
    ? await deps.validator.validateEmails(open)
    : { verdicts: [], findings: [] };
  if (deps.isStopping()) return null;
  const fresh = new Map(validated.verdicts.map(({ reason }, nth) => [open[nth] ?? '', reason]));
  const known = { earlier, fresh, findings: validated.findings };
  return () => writeVerdicts(deps, pipeline, contacts, known);
}

// The second step of a pipeline: pays for the known values of each contact from the hold, contact
// by contact, as far as it covers them. Ownership, the contacts' states and the spending are
// written in one transaction.

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

async function unlockFound(deps: PipelineDeps, pipeline: PipelineRow): Promise<WriteBatch> {
  const page = { offset: pipeline.unlockedTo, limit: pipelineBatchContactsMax };
  const contacts = readPipelineContacts(deps.database, pipeline.id, page);
  return () => payBatch(deps, pipeline, contacts);
}

interface Step {
  readonly isOpen: (pipeline: PipelineRow) => boolean;
  /** Null if the engine is stopping. */
  readonly prepare: (deps: PipelineDeps, pipeline: PipelineRow) => Promise<WriteBatch | null>;
}

/** In order: each step ends before the next begins. */
const steps: readonly Step[] = [
  { isOpen: ({ lookedUpTo, total }) => lookedUpTo < total, prepare: lookUpContacts },
  { isOpen: ({ heldAt }) => heldAt === null, prepare: holdForPipeline },
  { isOpen: ({ unlockedTo, total }) => unlockedTo < total, prepare: unlockFound },
  {
    isOpen: ({ verifyPriceUnits, verifiedTo, total }) =>
      verifyPriceUnits !== null && verifiedTo < total,
    prepare: verifyUnlocked,
  },
];

const hasEnded = (database: ReadableDatabase, id: number): boolean =>
  requirePipelineById(database, id).completedAt !== null;

const findStep = (pipeline: PipelineRow): Step | undefined =>
  steps.find(({ isOpen }) => isOpen(pipeline));

function writeBatch(
  { database, now }: PipelineDeps,
  id: number,
  write: WriteBatch,
): 'open' | 'ended' {
  return inTransaction(database, () => {
    if (hasEnded(database, id)) return 'ended';
    write();
    const pipeline = requirePipelineById(database, id);
    if (findStep(pipeline)) return 'open';
    completePipeline(database, pipeline, now());
    return 'ended';
  });
}

/**
 * Runs the next batch of a pipeline completely or, after a kill, not at all; also not if the
 * pipeline is cancelled meanwhile. Returns whether the pipeline has ended. A refusal of its
 * upstream ends it; any other exception is a bug.
 */
export async function stepPipeline(deps: PipelineDeps, id: number): Promise<'open' | 'ended'> {
  const { database, now } = deps;
  beginPipeline(database, id, now().toISOString());
  const pipeline = requirePipelineById(database, id);
  if (pipeline.completedAt !== null) return 'ended';
  const isStopping = () => deps.isStopping() || hasEnded(database, id);
  let write: WriteBatch | null = () => undefined;
  try {
    const step = findStep(requireWholePipeline(pipeline));
    if (step) write = await step.prepare({ ...deps, isStopping }, pipeline);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    failPipeline(database, id, error, now());
    return 'ended';
  }
  if (write) return writeBatch(deps, id, write);
  return hasEnded(database, id) ? 'ended' : 'open';
}
