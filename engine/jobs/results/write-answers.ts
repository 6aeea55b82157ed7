// Writes the answers of providers over the results of a batch, in the batch's transaction.
import { type Reason, type RowStatus, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import {
  type DisplayName,
  type LayerCode,
  layerByCode,
  layerCodes,
  layerStatuses,
} from '../../contract/jobs/layers.ts';
import { withoutCandidates } from '../../directory/read/projection.ts';
import {
  expandProvenance,
  fieldProvenance,
  type ValueSource,
} from '../../directory/read/provenance.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readTexts } from '../../providers/ask-contact.ts';
import type { PersonAnswer } from '../../providers/waterfall/ask-person.ts';
import type { AnsweredContact, AnsweredValue } from '../../providers/waterfall/describe-contact.ts';
import type { SharedResult } from '../../shared/records/describe-results.ts';
import { namesContact } from '../../suppression/suppress-rows.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';
import type { ReadyAnswers } from '../matching/enrich-batch.ts';
import { completedNames } from '../matching/list-incomplete.ts';
import {
  completeResult,
  overwriteResult,
  type ResultRecord,
  readResults,
  replaceResult,
} from './result.table.ts';
import { readFields } from './result-fields.ts';

type Fields = ReadonlyMap<DisplayName, AnsweredValue>;

/** The status of a layer, given the found values (docs/rules.md, "What the layers answer"). */
function statusOf(
  code: LayerCode,
  found: AnsweredContact,
  fields: Fields,
): (typeof layerStatuses)[number] {
  const { fields: names, isOfMove } = layerByCode[code];
  if (isOfMove && found.employmentStatus === 'Current') return 'not_applicable';
  if (isOfMove && found.employmentStatus === 'Left') return 'not_found';
  return names.some((name) => fields.has(name)) ? 'enriched' : 'not_found';
}

/** Values of the selected layers. An address that is known to be invalid is never returned. */
function selectFields(found: AnsweredContact, codes: readonly LayerCode[]): Fields {
  const isInvalid = found.values['Email status']?.value === 'invalid';
  const fields = new Map<DisplayName, AnsweredValue>();
  for (const code of codes) {
    if (layerByCode[code].isOfMove && found.employmentStatus !== 'Changed') continue;
    for (const name of layerByCode[code].fields) {
      const answered = found.values[name];
      if (answered && !(isInvalid && /email/i.test(name))) fields.set(name, answered);
    }
  }
  return fields;
}

const codeOf = (status: RowStatus, reason: Reason) => ({
  status: rowStatuses.indexOf(status),
  reason: reasons.indexOf(reason),
});

/** The result of a found contact; null if it has no values for the selected layers. */
function describeFound(found: AnsweredContact, codes: readonly LayerCode[]) {
  const fields = selectFields(found, codes);
  if (fields.size === 0) return null;
  let layerBits = 0;
  for (const code of codes) {
    const status = layerStatuses.indexOf(statusOf(code, found, fields));
    layerBits |= status << (2 * layerCodes.indexOf(code));
  }
  const values = [...fields].map(([name, { value }]) => [name, value]);
  return {
    ...codeOf('enriched', ''),
    contactUuid: found.contactUuid,
    layerBits,
    fields: JSON.stringify(Object.fromEntries(values)),
    confidence: found.confidence,
    provenance: fieldProvenance(fields),
    error: null,
  };
}

type Stored = Pick<ResultRecord, 'fields' | 'layerBits' | 'provenance'>;

/** The stored result with the values that it lacks; null if no provider has one. */
function completeStored(stored: Stored, found: AnsweredContact, codes: readonly LayerCode[]) {
  const known = readFields(stored);
  const added = [...selectFields(found, codes)].filter(
    ([name]) => completedNames.has(name) && !known[name],
  );
  if (added.length === 0) return null;
  const values = {
    ...known,
    ...Object.fromEntries(added.map(([name, { value }]) => [name, value])),
  };
  const sources = new Map(added.map(([name, from]) => [name as string, from as ValueSource]));
  const before = expandProvenance(stored.provenance ?? '{}', Object.keys(known));
  for (const [name, { source, confidence, observed_at: observedOn }] of Object.entries(before))
    sources.set(name, { source, confidence, observedOn });
  let { layerBits } = stored;
  for (const code of codes)
    if (layerByCode[code].fields.some((name) => added.some(([one]) => one === name))) {
      const shift = 2 * layerCodes.indexOf(code);
      layerBits = (layerBits & ~(3 << shift)) | (layerStatuses.indexOf('enriched') << shift);
    }
  return { layerBits, fields: JSON.stringify(values), provenance: fieldProvenance(sources) };
}

/**
 * Adds what providers know about matched people to the results of a batch. Call inside the batch's
 * transaction, after its results are written.
 */
export function writeCompletions(
  database: WritableDatabase,
  job: {
    readonly codes: readonly LayerCode[];
    readonly resultBase: number;
    readonly firstRow: number;
  },
  { positions, answers }: ReadyAnswers,
  list: SuppressionList,
): void {
  for (const [nth, position] of positions.entries()) {
    const answer = answers[nth];
    if (answer?.kind !== 'found') continue;
    const firstRow = job.firstRow + position;
    const [stored] = readResults(database, { resultBase: job.resultBase, firstRow, count: 1 });
    // A person who was removed meanwhile is matched again.
    if (!stored || rowStatuses[stored.status] !== 'enriched') continue;
    if (isSuppressed(list, answer.contact)) {
      overwriteResult(database, job.resultBase + firstRow, describeSuppressed());
      continue;
    }
    const completed = completeStored(stored, answer.contact, job.codes);
    if (completed) completeResult(database, job.resultBase + firstRow, completed);
  }
}

const describeSuppressed = () => ({
  ...codeOf('skipped', 'suppressed'),
  contactUuid: null,
  layerBits: 0,
  fields: null,
  confidence: null,
  provenance: null,
  error: null,
});

const isSuppressed = (list: SuppressionList, { contactUuid, values }: AnsweredContact): boolean =>
  !list.isEmpty && namesContact(list, contactUuid, readTexts(values));

const describeFailed = ({ detail, isUncertain }: Extract<PersonAnswer, { kind: 'failed' }>) => ({
  ...codeOf('failed', isUncertain ? 'source_uncertain' : 'source_error'),
  contactUuid: null,
  layerBits: 0,
  fields: null,
  confidence: null,
  provenance: null,
  error: detail,
});

/**
 * Writes the answers of a batch whose results already exist. Rows that no provider knows keep the
 * directory's result. Call inside the batch's transaction.
 * @param firstId result.id of the batch's first row
 */
export function writeAnswers(
  database: WritableDatabase,
  job: { readonly codes: readonly LayerCode[]; readonly firstId: number },
  { positions, answers }: ReadyAnswers,
  list: SuppressionList,
): void {
  for (const [nth, position] of positions.entries()) {
    const answer = answers[nth];
    if (!answer || answer.kind === 'nothing') continue;
    const result =
      answer.kind === 'failed'
        ? describeFailed(answer)
        : isSuppressed(list, answer.contact)
          ? describeSuppressed()
          : describeFound(answer.contact, job.codes);
    if (result) overwriteResult(database, job.firstId + position, result);
  }
}

/**
 * Writes what the shared directory knows over the results of a batch. A person on
 * the suppression list is not written, even if a worker answered with that person. Call inside the
 * batch's transaction.
 * @param firstId result.id of the batch's first row
 */
export function writeShared(
  database: WritableDatabase,
  firstId: number,
  results: readonly SharedResult[],
  list: SuppressionList,
): void {
  for (const { position, ...result } of results) {
    const { contactUuid, fields } = result;
    const isNamed =
      contactUuid !== null &&
      !list.isEmpty &&
      namesContact(list, contactUuid, readFields({ fields: fields ?? '{}' }));
    const isLeftOut = (uuid: string) => list.hasPerson(uuid);
    const candidates = list.isEmpty
      ? result.candidates
      : withoutCandidates(result.candidates, isLeftOut);
    if (isNamed) overwriteResult(database, firstId + position, describeSuppressed());
    else replaceResult(database, firstId + position, { ...result, candidates });
  }
}
