/**
 * The third step of a pipeline, if requested: validates the unlocked emails and pays for each
 * decided verdict from the hold, as far as it covers them. Each address is validated once.
 */
import { creditUnits } from '../contract/credits.ts';
import { validationBatchEmailsMax } from '../contract/limits/validations.ts';
import { isDecided, statusOfReason, type ValidationReason } from '../contract/validations.ts';
import type { ValidatedEmails } from '../validations/email-validator.ts';
import { keepDomainFindings } from '../validations/mail-domain.table.ts';
import { leftOfHold } from './hold-for-pipeline.ts';
import { advancePipeline, type PipelineRow } from './pipeline.table.ts';
import {
  type PipelineContactRow,
  readEarlierVerdicts,
  readPipelineContacts,
  verifyPipelineContact,
} from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';

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
export async function verifyUnlocked(
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
