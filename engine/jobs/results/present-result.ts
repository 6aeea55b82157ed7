// A stored result as JSON of the contract: names for codes, an entry of provenance per field.
import { formatCredits } from '../../contract/credits.ts';
import { importKinds } from '../../contract/directory.ts';
import type { InputRepair } from '../../contract/jobs/input-repairs.ts';
import {
  matchFields,
  type ResultRow,
  type Reviewed,
  type RowStatus,
  reasons,
  rowStatuses,
} from '../../contract/jobs/job.ts';
import { layerCodes } from '../../contract/jobs/layers.ts';
import type { OwnRecord } from '../../directory/read/own-lists.ts';
import { describeCandidates, expandProvenance } from '../../directory/read/projection.ts';
import { chargedLayers, priceRow, readLayerStatus } from '../../ledger/price-job.ts';
import type { JobRow } from '../job.table.ts';
import { type DescribedRepeat, notRepeated } from '../repeats/repeat-row.table.ts';
import { expandInferred } from './inferred-email.ts';
import type { ResultRecord } from './result.table.ts';
import { readFilled } from './result-fields.ts';

export function readRowStatus(record: Pick<ResultRecord, 'status'>): RowStatus {
  const status = rowStatuses[record.status];
  if (!status) throw new Error(`unknown row status ${record.status}`);
  return status;
}

const sentences: Partial<Record<(typeof reasons)[number], string>> = {
  source_error: 'The source did not answer for this row. Retry the failed rows later.',
};

/** The error message of a failed row; '' for any other (docs/api.md, GET /result/). */
export function presentRowError(record: ResultRecord): string {
  if (readRowStatus(record) !== 'failed') return '';
  return record.error ?? sentences[reasons[record.reason] ?? ''] ?? 'This row failed.';
}

/** Formats stored results of one job as JSON texts of result rows. */
export type ResultWriter = (
  record: ResultRecord,
  clientReferenceId: string,
  updatedAt: string,
  /** Who decided about the row; null if no person did. */
  decision?: Reviewed | null,
  repeated?: DescribedRepeat,
  repairs?: readonly InputRepair[],
  own?: OwnRecord,
) => string;

// Rows of one import share their sources, so a few texts cover almost all rows.
const knownProvenance = new Map<string, Map<readonly string[], string>>();
const knownProvenanceMax = 500;
let knownCount = 0;

function writeProvenance(compact: string | null, names: readonly string[]): string {
  if (!compact) return '{}';
  const known = knownProvenance.get(compact)?.get(names);
  if (known) return known;
  const text = JSON.stringify(expandProvenance(compact, names));
  if (knownCount >= knownProvenanceMax) {
    knownProvenance.clear();
    knownCount = 0;
  }
  const ofSources = knownProvenance.get(compact) ?? new Map<readonly string[], string>();
  knownProvenance.set(compact, ofSources.set(names, text));
  knownCount++;
  return text;
}

/** The JSON members that rows with the same status and layer outcomes share. */
function writeOutcome(job: JobRow, status: RowStatus, layerBits: number, freeLayers: number) {
  const isEnriched = status === 'enriched';
  const layers = job.codes.map((code) => [
    code,
    status === 'failed' ? 'failed' : readLayerStatus(layerBits, code),
  ]);
  const charged = formatCredits(priceRow(job, isEnriched, layerBits, freeLayers));
  const isFree = freeLayers !== 0 && (chargedLayers(job, layerBits) & ~freeLayers) === 0;
  const decision = isEnriched && !isFree ? 'used' : 'released';
  return {
    layers: `"status":"${status}","layer_status":${JSON.stringify(Object.fromEntries(layers))}`,
    charge: `"credits_charged":"${charged}","charge_decision":"${decision}"`,
  };
}

const matchedTexts = Array.from({ length: 2 ** matchFields.length }, (_text, bits) =>
  JSON.stringify(matchFields.filter((_field, bit) => (bits >> bit) & 1)),
);

function writeMatched(record: ResultRecord): string {
  const confidence = Math.round((record.confidence ?? 0) * 10_000) / 10_000;
  const { candidates } = record;
  return (
    `"reason":"${reasons[record.reason] ?? ''}","confidence":${confidence},` +
    `"matched_on":${matchedTexts[record.matchedOn] ?? '[]'},` +
    `"candidates":${candidates ? JSON.stringify(describeCandidates(candidates)) : '[]'}`
  );
}

const notRepeatedText = JSON.stringify(notRepeated.repeat).slice(1, -1);

const presentOwn = ({ entries }: OwnRecord): ResultRow['own_records'] =>
  importKinds.flatMap((kind) =>
    [...entries[kind]].map(([list, { id, otherIds, kept: fields }]) => ({
      list,
      kind,
      id,
      ...(otherIds.length > 0 && { other_ids: [...otherIds] }),
      fields,
    })),
  );

const writeRepeat = (repeated: DescribedRepeat): string =>
  repeated === notRepeated ? notRepeatedText : JSON.stringify(repeated.repeat).slice(1, -1);

/**
 * Creates the only formatter of stored results: JSON text with the fields in the order of the
 * contract. Pages concatenate these texts; serializing objects would take three times as long.
 */
export function createResultWriter(job: JobRow): ResultWriter {
  const outcomes = new Map<number, ReturnType<typeof writeOutcome>>();
  const outcomeOf = (record: ResultRecord, freeLayers: number) => {
    const key =
      (freeLayers * 4 ** layerCodes.length + record.layerBits) * rowStatuses.length + record.status;
    const known =
      outcomes.get(key) ?? writeOutcome(job, readRowStatus(record), record.layerBits, freeLayers);
    outcomes.set(key, known);
    return known;
  };
  const createdAt = `"created_at":"${job.createdAt}"`;
  return (
    record,
    clientReferenceId,
    updatedAt,
    decision = null,
    repeated = notRepeated,
    repairs = [],
    own,
  ) => {
    const { layers, charge } = outcomeOf(record, repeated.freeLayers);
    const { names, text } = readFilled(record);
    return (
      `{"row_index":${record.rowIndex},` +
      `"upstream_contact_uuid":${JSON.stringify(record.contactUuid ?? '')},` +
      `"client_reference_id":${JSON.stringify(clientReferenceId)},${layers},` +
      `"enriched_fields":${text},` +
      `"error_message":${JSON.stringify(presentRowError(record))},${charge},` +
      `${createdAt},"updated_at":"${updatedAt}",${writeMatched(record)},` +
      `"provenance":${writeProvenance(record.provenance, names)},` +
      `"review":${JSON.stringify(decision)},${writeRepeat(repeated)},` +
      `"input_repairs":${repairs.length > 0 ? JSON.stringify(repairs) : '[]'},` +
      `"inferred_email":${record.inferred ? JSON.stringify(expandInferred(record)) : 'null'},` +
      `"own_records":${own ? JSON.stringify(presentOwn(own)) : '[]'}}`
    );
  };
}
