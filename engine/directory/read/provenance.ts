// Provenance in two forms: the compact text stored with each result row, and the full record that
// is shown. Full provenance in every row would take three times the space of the row
// (docs/benchmarks.md).
//
// Compact: [person, employment, company, office, mobile, direct, exceptions?]. An entry is
// ["source", trust, "observed on"]; only "observed on" if the source is the person's, on another
// day; 0 if it equals the person's; null if there is no such record. exceptions has, for the first
// four, the values from other sources: [[field code, "source", trust, "observed on"], …].
//
// The text of values from providers is an object: display name → ["source", trust, "observed on"].
import type { Provenance } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import { recordFields } from '../normalize/record-fields.ts';
import {
  claimedRecord,
  type FieldSource,
  fieldSources,
  type ResultRecord,
  readsRecord,
} from './projection-fields.ts';

type Entry = readonly [source: string, trust: number, observedOn: string];
type Exception = readonly [field: number, ...Entry];

const claimEntries = `json_group_array(json('[' || k.field || ',' || s.provenance_head || '"'
  || k.observed_on || '"]'))`;

export function provenanceSql(schema: string, layers: readonly LayerCode[]): string {
  const head = (importId: string) =>
    `(SELECT s.provenance_head FROM ${schema}.source_import s WHERE s.id = ${importId})`;
  const entry = (alias: string) => `CASE WHEN ${alias}.id IS NULL THEN 'null'
    WHEN ${alias}.import_id = p.import_id
      THEN iif(${alias}.observed_on = p.observed_on, '0', '"' || ${alias}.observed_on || '"')
    ELSE '[' || ${head(`${alias}.import_id`)} || '"' || ${alias}.observed_on || '"]' END`;
  const phone = (kind: string) => `iif(p.${kind}_phone IS NULL, 'null', iif(p.has_foreign_phone = 0,
    '0', (SELECT '[' || ${head('t.import_id')} || '"' || t.observed_on || '"]'
     FROM ${schema}.person_phone t
     WHERE t.person_id = p.id AND t.kind = '${kind}' AND t.number = p.${kind}_phone
     ORDER BY t.id DESC LIMIT 1)))`;
  const claims = (record: string, alias: string) =>
    `(SELECT ${claimEntries}
     FROM ${schema}.value_claim k JOIN ${schema}.source_import s ON s.id = k.import_id
     WHERE k.record = ${record} AND k.record_id = ${alias}.id AND k.is_current)`;
  const [hasOffice, hasPhones] = [readsRecord(layers, 'office'), readsRecord(layers, 'phone')];
  const slots = [
    ['0', 'p'],
    ['1', 'e'],
    ['2', 'c'],
    ...(hasOffice ? [['2', 'h'] as const] : []),
  ] as const;
  const isMixed = slots.map(([, alias]) => `${alias}.is_mixed`).join(' OR ');
  const exceptions = slots.map(([record, alias]) => claims(record, alias)).join(" || ',' || ");
  const entries = [
    `'[' || ${head('p.import_id')} || '"' || p.observed_on || '"]'`,
    entry('e'),
    entry('c'),
    hasOffice ? entry('h') : "'null'",
    ...['mobile', 'direct'].map((kind) => (hasPhones ? phone(kind) : "'null'")),
  ];
  return `'[' || ${entries.join(" || ',' || ")}
    || iif(${isMixed}, ',[' || ${exceptions} || ']', '') || ']'`;
}

/** The same for a row about a company, whose record stands in the place of the person's. */
export const companyProvenanceSql = (schema: string): string =>
  `'[[' || (SELECT s.provenance_head FROM ${schema}.source_import s WHERE s.id = h.import_id)
    || '"' || h.observed_on || '"],null,null,0,null,null'
    || iif(h.is_mixed, ',[[],[],[],' || (SELECT ${claimEntries}
       FROM ${schema}.value_claim k JOIN ${schema}.source_import s ON s.id = k.import_id
       WHERE k.record = 2 AND k.record_id = h.id AND k.is_current) || ']', '') || ']'`;

export interface ValueSource {
  readonly source: string;
  readonly confidence: number;
  /** YYYY-MM-DD. */
  readonly observedOn: string;
}

/** The compact text of a row whose values come from outside the directory, by display name. */
export const fieldProvenance = (fields: ReadonlyMap<string, ValueSource>): string =>
  JSON.stringify(
    Object.fromEntries(
      [...fields].map(([name, from]) => [name, [from.source, from.confidence, from.observedOn]]),
    ),
  );

const describeEntry = ([source, confidence, observedOn]: Entry): Provenance => ({
  source,
  observed_at: observedOn,
  confidence,
});

function expandFields(compact: string, names: readonly string[]): Record<string, Provenance> {
  const entries = JSON.parse(compact) as Record<string, Entry>;
  return Object.fromEntries(
    names.flatMap((name) => (entries[name] ? [[name, describeEntry(entries[name])]] : [])),
  );
}

const slotOf: Readonly<Record<ResultRecord, number>> = {
  person: 0,
  employment: 1,
  company: 2,
  office: 3,
  phone: 4,
};

/**
 * Expands the provenance of each field.
 * @param compact the provenance column of a result row
 * @param fieldNames display names of the fields in the row
 */
export function expandProvenance(
  compact: string,
  fieldNames: readonly string[],
): Record<string, Provenance> {
  if (compact.startsWith('{')) return expandFields(compact, fieldNames);
  const sources: Partial<Record<string, FieldSource>> = fieldSources;
  const parts = JSON.parse(compact) as unknown[];
  const person = parts[0] as Entry;
  const exceptions = (parts[6] ?? []) as readonly (readonly Exception[])[];
  const described = fieldNames.flatMap((name) => {
    const source = sources[name];
    if (!source) return [];
    const record = claimedRecord[source.record];
    const slot = slotOf[source.record] + (source.field === 'direct_phone' ? 1 : 0);
    const codes: readonly string[] = record ? recordFields[record] : [];
    const exception = exceptions[slot]?.find(([code]) => code === codes.indexOf(source.field));
    // A person who left has no current employment; the source is that of the person's record.
    const said = exception?.slice(1) ?? (parts[slot] || person);
    const entry = typeof said === 'string' ? [person[0], person[1], said] : said;
    return [[name, describeEntry(entry as Entry)] as const];
  });
  return Object.fromEntries(described);
}
