// Between the fields of a waterfall and the layers of the interface, in both directions.
import type { ResultRow } from '../../contract/jobs/job.ts';
import { emailStatuses } from '../../contract/jobs/job.ts';
import { type LayerCode, layerByCode, layerCodes } from '../../contract/jobs/layers.ts';
import {
  type FieldAnswer,
  type FieldHit,
  type ProviderField,
  type ProviderValueName,
  providerFields,
  type RowAnswer,
} from '../../contract/provider.ts';
import { displayNames } from '../waterfall/layer-fields.ts';

export const deskFields = ['work_email', 'employment', 'headquarters', 'new_job', 'phone'] as const;
type DeskField = (typeof deskFields)[number];

const layerOf: Readonly<Record<DeskField, LayerCode>> = {
  work_email: 'L1',
  employment: 'L1',
  headquarters: 'L2',
  new_job: 'L4',
  phone: 'MPA',
};

/** The layers that fields need, in order, with those that must be selected with them. */
export function layersOf(fields: readonly ProviderField[]): LayerCode[] {
  const wanted = fields.flatMap((field) => {
    const code = layerOf[field as DeskField];
    return [code, ...layerByCode[code].requires];
  });
  // MPA cannot be the only layer.
  return layerCodes.filter((code) => code === 'L1' || wanted.includes(code));
}

/** What is read of a result row. Anything else that the service sends is ignored. */
export type DeskRow = Pick<ResultRow, 'row_index' | 'status' | 'enriched_fields'> & {
  readonly error_message?: string | undefined;
  readonly credits_charged?: string | undefined;
  readonly provenance?:
    | Readonly<
        Record<
          string,
          {
            source?: string | undefined;
            observed_at?: string | undefined;
            confidence?: number | undefined;
          }
        >
      >
    | undefined;
};

const nameOf = (value: ProviderValueName): string | undefined =>
  value === 'employment_status' ? 'Employment status' : displayNames[value];

/** The hit or miss of a field. Its day is the oldest, its confidence the lowest of its values. */
function readField(field: DeskField, row: DeskRow): FieldAnswer {
  const values: Partial<Record<ProviderValueName, string>> = {};
  const days: string[] = [];
  const confidences: number[] = [];
  const sources = new Set<string>();
  for (const value of providerFields[field]) {
    const name = nameOf(value);
    const text = name === undefined ? undefined : row.enriched_fields[name];
    if (name === undefined || text === undefined || text === '') continue;
    values[value] = text;
    const { source, observed_at: day, confidence } = row.provenance?.[name] ?? {};
    if (source) sources.add(source);
    if (day && /^\d{4}-\d{2}-\d{2}/.test(day)) days.push(day.slice(0, 10));
    if (confidence !== undefined) confidences.push(confidence);
  }
  if (Object.keys(values).length === 0) return { kind: 'miss' };
  const status = emailStatuses.find((one) => one === row.enriched_fields['Email status']);
  const hit: FieldHit = {
    kind: 'hit',
    values,
    observedOn: days.toSorted()[0] ?? null,
    confidence: confidences.length === 0 ? null : Math.min(...confidences),
    ...(sources.size > 0 && { source: [...sources].join(', ') }),
    ...(field === 'work_email' && status && { status }),
  };
  return hit;
}

/** The answer for a row. A row that failed there was not charged, and may be asked again. */
export function readDeskRow(fields: readonly ProviderField[], row: DeskRow | undefined): RowAnswer {
  const failed = (detail: string): FieldAnswer => ({
    kind: 'failed',
    failure: 'source_error',
    detail,
  });
  const answerOf = (field: ProviderField): FieldAnswer => {
    if (!row) return failed('The result has no such row.');
    if (row.status === 'failed') return failed(row.error_message || 'The row failed there.');
    return row.status === 'enriched' ? readField(field as DeskField, row) : { kind: 'miss' };
  };
  return Object.fromEntries(fields.map((field) => [field, answerOf(field)]));
}
