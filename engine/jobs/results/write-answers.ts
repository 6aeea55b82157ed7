/** Writes a provider's answers over the results of a batch, in the batch's transaction. */
import { type Reason, type RowStatus, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  layerStatuses,
} from '../../contract/jobs/layers.ts';
import type { ProviderAnswer } from '../../contract/provider.ts';
import { compactProvenance } from '../../directory/read/provenance.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { ReadyAnswers } from '../matching/enrich-batch.ts';
import { overwriteResult } from './result.table.ts';

type Found = Extract<ProviderAnswer, { kind: 'found' }>;

/** The status of a layer, given the found values (docs/rules.md, "What the layers answer"). */
function statusOf(
  code: LayerCode,
  found: Found,
  fields: ReadonlyMap<string, string>,
): (typeof layerStatuses)[number] {
  const { fields: names, isOfMove } = layerByCode[code];
  if (isOfMove && found.employmentStatus === 'Current') return 'not_applicable';
  if (isOfMove && found.employmentStatus === 'Left') return 'not_found';
  return names.some((name) => fields.has(name)) ? 'enriched' : 'not_found';
}

/** Values of the selected layers. An address that is known to be invalid is never returned. */
function selectFields(found: Found, codes: readonly LayerCode[]): Map<string, string> {
  const isInvalid = found.values['Email status'] === 'invalid';
  const fields = new Map<string, string>();
  for (const code of codes) {
    if (layerByCode[code].isOfMove && found.employmentStatus !== 'Changed') continue;
    for (const name of layerByCode[code].fields) {
      const isStatus = name === 'Employment status';
      const value = isStatus ? found.employmentStatus : (found.values[name] ?? '');
      if (value !== '' && !(isInvalid && /email/i.test(name))) fields.set(name, value);
    }
  }
  return fields;
}

/** Codes of the tables in contract/jobs/job.ts. */
const codeOf = (status: RowStatus, reason: Reason) => ({
  status: rowStatuses.indexOf(status),
  reason: reasons.indexOf(reason),
});

/** The result of a found contact; null if it has no values for the selected layers. */
function describeFound(found: Found, codes: readonly LayerCode[], source: string) {
  const fields = selectFields(found, codes);
  if (fields.size === 0) return null;
  let layerBits = 0;
  for (const code of codes) {
    const status = layerStatuses.indexOf(statusOf(code, found, fields));
    layerBits |= status << (2 * layerCodes.indexOf(code));
  }
  return {
    ...codeOf('enriched', ''),
    contactUuid: found.contactUuid,
    layerBits,
    fields: JSON.stringify(Object.fromEntries(fields)),
    confidence: found.confidence,
    provenance: compactProvenance(source, found.confidence, found.observedOn),
    error: null,
  };
}

const describeFailed = (detail: string) => ({
  ...codeOf('failed', 'source_error'),
  ...{ contactUuid: null, layerBits: 0, fields: null, confidence: null, provenance: null },
  error: detail,
});

/**
 * Writes the answers of a batch whose results already exist. Rows that the provider does not know
 * keep the directory's result. Call inside the batch's transaction.
 * @param firstId result.id of the batch's first row
 */
export function writeAnswers(
  database: WritableDatabase,
  job: { readonly codes: readonly LayerCode[]; readonly source: string; readonly firstId: number },
  { positions, answers }: ReadyAnswers,
): void {
  for (const [nth, position] of positions.entries()) {
    const answer = answers[nth];
    if (!answer || answer.kind === 'nothing') continue;
    const result =
      answer.kind === 'found'
        ? describeFound(answer, job.codes, job.source)
        : describeFailed(answer.detail);
    if (result) overwriteResult(database, job.firstId + position, result);
  }
}
