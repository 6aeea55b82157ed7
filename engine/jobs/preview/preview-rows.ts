// The dry run of an estimate: up to 1,000 rows spread over the list are matched and projected as in
// a job, with the decisions and the charges of earlier jobs. Nothing is stored.
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import type { AppPreview } from '../../contract/jobs/app-jobs.ts';
import type { InputRepairRule } from '../../contract/jobs/input-repairs.ts';
import { type Preview, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { RepeatKind } from '../../contract/jobs/repeats.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { repairedRowsShownMax } from '../../contract/limits/jobs.ts';
import { createProjection } from '../../directory/read/projection.ts';
import {
  type ChargeRule,
  chargedLayers,
  listLayers,
  priceRow,
  readLayerStatus,
} from '../../ledger/price-job.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../../providers/directory-provider.ts';
import { listWanted } from '../../providers/waterfall/layer-fields.ts';
import { identifyRow } from '../../spreadsheet/inspect-rows.ts';
import { type RowsSample, runOfPlace, sampleRows } from '../../spreadsheet/sample-rows.ts';
import { suppressRows } from '../../suppression/suppress-rows.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';
import { listLacking } from '../matching/list-incomplete.ts';
import { createRecordIdMatcher } from '../matching/match-record-ids.ts';
import type { RepeatRules } from '../repeats/paid-layers.ts';
import { type EarlierAnswers, readEarlier } from '../repeats/read-earlier.ts';
import { type PersonOfRow, sortRows } from '../repeats/sort-rows.ts';
import { readFields } from '../results/result-fields.ts';
import { listRowRepairs } from '../results/row-repairs.ts';
import { recallDecisions } from '../review/recall-decisions.ts';

// The expected price of a list from the enriched rows of its sample, with the rules by which the
// job charges them. The price is exact if the sample is the whole list.

interface PricedSample {
  readonly rule: ChargeRule;
  readonly enriched: readonly PersonOfRow[];
  readonly sampled: number;
  readonly rowCount: number;
  readonly names: readonly (string | undefined)[];
  /** How many rows of the list name the same person as each row of the sample. */
  readonly sampleRepeats: readonly number[];
  readonly earlier: EarlierAnswers;
}

type Price = Pick<Preview, 'certainty' | 'expected_credits' | 'expected_layers' | 'savings'>;

const formatUnits = (units: number) => formatCredits(creditUnits(Math.round(units)));

/**
 * How many people the names of a list are about, from those of a sample (Chao and Lin 2012, for
 * samples without replacement): if most people of the sample are in it once, the list has more of
 * them; if most are in it several times, it has few others. The rows of a run are next to each
 * other, so that a person counts once in each run.
 * @param people of the names of the sample, with the run of each
 * @param namesPerName names of the list for each name of the sample
 */
function countPeople(
  people: readonly { readonly personUuid: string; readonly run: number }[],
  namesPerName: number,
): number {
  const runs = new Map<string, Set<number>>();
  for (const { personUuid, run } of people)
    runs.set(personUuid, (runs.get(personUuid) ?? new Set()).add(run));
  const metTimes = (times: number) =>
    [...runs.values()].filter(({ size }) => size === times).length;
  const [once, twice] = [metTimes(1), metTimes(2)];
  if (once === 0 || namesPerName <= 1) return runs.size;
  return runs.size + once ** 2 / (2 * twice + once / (namesPerName - 1));
}

/**
 * How many people of the list each person of a sample represents, by UUID. A row that is one of
 * many with its name represents little, because each of them could have been in the sample.
 */
function weighPeople(
  { sampled, rowCount, names, sampleRepeats }: PricedSample,
  rows: readonly PersonOfRow[],
): ReadonlyMap<string, number> {
  if (sampled === rowCount) return new Map(rows.map(({ personUuid }) => [personUuid, 1]));
  const weights = new Map<string, number>();
  const named = new Map<unknown, { readonly personUuid: string; readonly run: number }>();
  let total = 0;
  for (const { rowIndex, personUuid } of rows) {
    const weight = rowCount / sampled / (sampleRepeats[rowIndex] ?? 1);
    total += weight;
    weights.set(personUuid, (weights.get(personUuid) ?? 0) + weight);
    named.set(names[rowIndex] ?? rowIndex, { personUuid, run: runOfPlace(rowIndex) });
  }
  // Several names may mean one person.
  const peoplePerName = countPeople([...named.values()], total / named.size) / total;
  return new Map([...weights].map(([personUuid, weight]) => [personUuid, weight * peoplePerName]));
}

function createSavings() {
  const sums = new Map<RepeatKind, { rows: number; units: number }>();
  return {
    add(kind: RepeatKind, rows: number, units: number) {
      const sum = sums.get(kind) ?? { rows: 0, units: 0 };
      sums.set(kind, { rows: sum.rows + rows, units: sum.units + units });
    },
    list: (): Price['savings'] =>
      [...sums].flatMap(([kind, { rows, units }]) =>
        rows < 0.5 ? [] : [{ kind, rows: Math.round(rows), credits: formatUnits(units) }],
      ),
  };
}

function findCertainty({ sampled, rowCount, earlier }: PricedSample): Price['certainty'] {
  if (!earlier.isComplete) return 'at_most';
  return sampled === rowCount ? 'exact' : 'about';
}

function priceSample(sample: PricedSample): Price {
  const { rule, earlier } = sample;
  const sorted = sortRows(sample.enriched, earlier.known, () => new Map());
  const fullUnits = ({ layerBits }: PersonOfRow): number => priceRow(rule, true, layerBits);
  const savings = createSavings();
  const rowsPerRow = sample.rowCount / Math.max(1, sample.sampled);
  const addRow = (kind: RepeatKind, row: PersonOfRow) =>
    savings.add(kind, rowsPerRow, rowsPerRow * fullUnits(row));
  for (const { row } of sorted.known) addRow('known', row);
  for (const { row } of sorted.duplicates) addRow('duplicate', row);
  const wanted = new Map(
    sorted.firsts.map(({ personUuid, layerBits }) => [personUuid, chargedLayers(rule, layerBits)]),
  );
  const paid = earlier.findPaid(wanted);
  const layerUnits = new Map(rule.codes.map((code) => [code, 0]));
  const people = weighPeople(
    sample,
    sample.enriched.filter(({ personUuid }) => !earlier.known.has(personUuid)),
  );
  for (const row of sorted.firsts) {
    const units = fullUnits(row);
    const each = people.get(row.personUuid) ?? 0;
    savings.add('duplicate', rowsPerRow - each, (rowsPerRow - each) * units);
    const free = (paid.get(row.personUuid) ?? []).reduce((set, { layers }) => set | layers, 0);
    if (free !== 0)
      savings.add('paid_before', each, each * (units - priceRow(rule, true, row.layerBits, free)));
    for (const code of listLayers(chargedLayers(rule, row.layerBits) & ~free))
      layerUnits.set(code, (layerUnits.get(code) ?? 0) + each * (rule.prices[code] ?? 0));
  }
  const rounded = [...layerUnits].map(([code, units]) => [code, Math.round(units)] as const);
  return {
    certainty: findCertainty(sample),
    expected_credits: formatUnits(rounded.reduce((sum, [, units]) => sum + units, 0)),
    expected_layers: Object.fromEntries(rounded.map(([code, units]) => [code, formatUnits(units)])),
    savings: savings.list(),
  };
}

export interface PreviewRequest {
  readonly dir: string;
  readonly mapping: ColumnMapping;
  readonly threshold: number;
  readonly rule: ChargeRule;
  /** Which earlier jobs it would not charge again, if it were submitted now. */
  readonly repeats: RepeatRules;
  /** Rows of the whole list with the same text as an earlier row. */
  readonly duplicateRows: number;
  readonly sampleRepeats: readonly number[];
  readonly list: SuppressionList;
}

const share = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

const shares = (counts: ReadonlyMap<string, number>, whole: number) =>
  Object.fromEntries([...counts].map(([name, count]) => [name, share(count, whole)]));

function addAll(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function countRepairs(
  rows: RowsSample['rows'],
  mapping: ColumnMapping,
  found: readonly Projected[],
): Pick<Preview, 'input_repairs' | 'repaired_rows'> {
  const counts = new Map<InputRepairRule, number>();
  const shown: Preview['repaired_rows'] = [];
  for (const [at, { rowIndex, cells }] of rows.entries()) {
    const repairs = listRowRepairs(cells, mapping, {
      fields: found[at]?.fields ?? '{}',
      reason: found[at]?.reason ?? 0,
    });
    for (const rule of new Set(repairs.map((repair) => repair.rule)))
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
    if (repairs.length > 0 && shown.length < repairedRowsShownMax)
      shown.push({ row_index: rowIndex, input_repairs: [...repairs] });
  }
  return { input_repairs: Object.fromEntries(counts), repaired_rows: shown };
}

interface Projected {
  readonly row_index: number;
  readonly status: number;
  readonly reason: number;
  readonly contact_uuid: string | null;
  readonly layer_bits: number;
  readonly fields: string | null;
}

const isEnriched = ({ status }: Projected): boolean => rowStatuses[status] === 'enriched';

type SampleQuestion = Pick<PreviewRequest, 'mapping' | 'threshold' | 'list'> & {
  readonly accountId: number;
  readonly codes: ChargeRule['codes'];
  readonly headers: readonly string[];
};

/** A sample as a job would answer it from the directory, before its price. */
export function answerSample(
  store: ReadableDatabase,
  answer: DirectoryProvider['answer'],
  { headers, mapping, threshold, list, codes, accountId }: SampleQuestion,
  bytes: Uint8Array,
) {
  const projection = createProjection(store, { schema: 'directory', layers: codes });
  const matchIds = createRecordIdMatcher(store, { headers, mapping });
  const matched = matchIds(answer(bytes, mapping, threshold), bytes);
  const { recalls } = recallDecisions(store, { accountId, mapping }, matched, {
    firstRow: 0,
    bytes,
  });
  const { batch, positions: suppressed } = suppressRows(list, matched, bytes, mapping);
  projection.load(batch, 0);
  const found = store.prepare(projection.selectSql).all() as Projected[];
  const decided = recalls.filter(({ rowIndex }) => !suppressed.has(rowIndex)).length;
  return { found, suppressed, decided };
}

type CountedMember =
  | 'enriched'
  | 'expected_match_rate'
  | 'fill_rate'
  | 'reasons'
  | 'open_fields'
  | 'found_layers';

function countFound(
  found: readonly Projected[],
  codes: ChargeRule['codes'],
  known: ReadonlyMap<string, number>,
): Pick<AppPreview, CountedMember> {
  const layersFound = new Map<string, number>(codes.map((code) => [code, 0]));
  const fill = new Map<string, number>();
  const missed = new Map<string, number>();
  const open = new Map<string, number>();
  let enriched = 0;
  for (const row of found) {
    if (isEnriched(row)) {
      const fields = readFields({ fields: row.fields ?? '{}' });
      // A job asks before it compares the person with the excluded job.
      addAll(open, listLacking(fields, codes));
      if (known.has(row.contact_uuid ?? '')) addAll(missed, ['known_from_earlier_job']);
      else {
        enriched += 1;
        addAll(fill, Object.keys(fields));
        const hasData = (code: LayerCode) => readLayerStatus(row.layer_bits, code) === 'enriched';
        addAll(layersFound, codes.filter(hasData));
      }
    } else {
      const reason = reasons[row.reason] || 'no_match';
      addAll(missed, [reason]);
      // Any other reason is final.
      if (reason === 'no_match') addAll(open, listWanted(codes));
    }
  }
  const sampled = found.length;
  return {
    enriched,
    expected_match_rate: share(enriched, sampled),
    fill_rate: shares(fill, sampled),
    reasons: shares(missed, sampled),
    open_fields: shares(open, sampled),
    found_layers: shares(layersFound, sampled),
  };
}

/**
 * Runs the sample through the directory, the projection and the prices of a real job. `store` is a
 * connection to engine.db with the directory attached; only its temporary tables are written.
 */
export function previewRows(
  store: ReadableDatabase,
  answer: DirectoryProvider['answer'],
  request: PreviewRequest,
): AppPreview {
  const { mapping, rule, repeats, duplicateRows, sampleRepeats } = request;
  const { bytes, rows, sampled, rowCount, headers } = sampleRows(request.dir);
  const { found, suppressed, decided } = answerSample(
    store,
    answer,
    { ...request, headers, codes: rule.codes, accountId: repeats.accountId },
    bytes,
  );
  const enriched = found.flatMap((row): PersonOfRow[] => {
    const { row_index: rowIndex, contact_uuid: personUuid, layer_bits: layerBits } = row;
    return isEnriched(row) && personUuid ? [{ rowIndex, personUuid, layerBits }] : [];
  });
  const people = [...new Set(enriched.map(({ personUuid }) => personUuid))];
  const earlier = readEarlier(store, repeats, people);
  const names = rows.map(({ cells }) => identifyRow(cells, mapping)?.person);
  const sample = { rule, enriched, names, sampleRepeats, sampled, rowCount, earlier };
  return {
    sampled,
    duplicate_rows: duplicateRows,
    ...countFound(found, rule.codes, earlier.known),
    ...priceSample(sample),
    free_repeat_days: repeats.freeRepeatDays,
    decided_rows: sampled === 0 ? 0 : Math.round((decided / sampled) * rowCount),
    ...countRepairs(
      rows.map((row, at) => (suppressed.has(at) ? { ...row, cells: [] } : row)),
      mapping,
      found,
    ),
  };
}
