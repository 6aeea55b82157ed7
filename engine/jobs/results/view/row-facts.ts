// What is known of each row for filters and counts, in one 32-bit number per row: bits 0–1 the
// status, from bit 2 two bits per layer, from bit 16 what the row has, from bit 20 the reason. A
// batch stores the numbers of its rows, so that filters and counts read no result.
import {
  type EmploymentStatus,
  type Reason,
  type RowStatus,
  reasons,
  rowStatuses,
} from '../../../contract/jobs/job.ts';
import {
  type DisplayName,
  type LayerCode,
  layerByCode,
  layerCodes,
  layerStatuses,
  layers,
} from '../../../contract/jobs/layers.ts';
import type { Outcomes, RowContent, RowView } from '../../../contract/jobs/row-view.ts';

const hasShift = 16;
const reasonShift = 20;
const changedBit = 1;
const leftBit = 2;
const emailBit = 4;
const providerBit = 8;

const contentBits: Readonly<Record<RowContent, number>> = {
  changed: changedBit << hasShift,
  left: leftBit << hasShift,
  email: emailBit << hasShift,
};
const fromProvider = providerBit << hasShift;

function placeOf(name: DisplayName): number {
  const before = layerByCode[layers.find(({ fields }) => fields.includes(name))!.code];
  const required = layers.filter(({ code }) => before.requires.includes(code));
  const offset = required.reduce((sum, { fields }) => sum + fields.length, 0);
  return offset + before.fields.indexOf(name);
}

const layersOf = "substr(fields, 1, instr(fields, '[') - 1)";
const array = "substr(fields, instr(fields, '['))";
/** A value of the array form; NULL if the row does not have the layer. */
const listed = (name: DisplayName, code: LayerCode) =>
  `iif(${layersOf} LIKE '%${code}:%', json_extract(${array}, '$[${placeOf(name)}]'), NULL)`;
const named = (name: DisplayName) => `json_extract(fields, '$."${name}"')`;
const codeOf = (value: string, status: EmploymentStatus, bit: number) =>
  `(ifnull(${value}, '') = '${status}') * ${bit}`;
const bitsOf = (read: (name: DisplayName, code: LayerCode) => string) => {
  const employment = read('Employment status', 'L1');
  const emails = [read('Email', 'L1'), read('New email', 'L3')];
  const hasEmail = `(${emails.map((email) => `ifnull(${email}, '') <> ''`).join(' OR ')})`;
  return (
    `${codeOf(employment, 'Changed', changedBit)} + ${codeOf(employment, 'Left', leftBit)}` +
    ` + ${hasEmail} * ${emailBit}`
  );
};

const contentsSql = `CASE WHEN fields IS NULL THEN 0
  WHEN substr(fields, 1, 1) = '{' THEN ${bitsOf(named)} ELSE ${bitsOf(listed)} END
  + (ifnull(substr(provenance, 1, 1), '') = '{') * ${providerBit}`;

/** A status that is none of rowStatuses is that of a row to be matched again. */
const packSql = (contents: string) =>
  `min(status, ${rowStatuses.length}) + layer_bits * 4
   + (${contents}) * ${2 ** hasShift} + reason * ${2 ** reasonShift}`;

/** An SQL expression over the table `result`: the fact of a row. */
export const factSql = packSql(contentsSql);

/** The same over a projection of the directory, which has the contents of its rows as a column. */
export const projectedFactSql = packSql('contents');

/** The status and layers of a fact: four statuses, then two bits per layer. */
export const outcomeOf = (fact: number): number => fact & 0xffff;

const packFact = (outcome: number, more: number): number => (more * 2 ** hasShift + outcome) >>> 0;

/** The facts of rows as bytes of the file, the lowest byte first. */
export const factsToBytes = (facts: Uint32Array): Uint8Array =>
  new Uint8Array(facts.buffer, facts.byteOffset, facts.byteLength);

export function bytesToFacts(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Uint32Array(bytes.slice().buffer);
}

const found = layerStatuses.indexOf('enriched');
const shiftOf = (code: LayerCode) => 2 + 2 * layerCodes.indexOf(code);
const enriched = rowStatuses.indexOf('enriched' satisfies RowStatus);

export function createFactFilter({
  status,
  reason,
  has,
  layer,
  source,
}: RowView): (fact: number) => boolean {
  let mask = 0;
  let wanted = 0;
  const want = (bits: number, value: number) => {
    mask |= bits;
    wanted |= value;
  };
  if (status !== undefined) want(3, rowStatuses.indexOf(status));
  if (reason !== undefined) want(15 << reasonShift, reasons.indexOf(reason) << reasonShift);
  if (has !== undefined) want(contentBits[has], contentBits[has]);
  if (source !== undefined) want(fromProvider, source === 'provider' ? fromProvider : 0);
  const shift = layer === undefined ? 0 : shiftOf(layer);
  const needsMatch = layer !== undefined || source !== undefined;
  return (fact) =>
    (fact & mask) === wanted &&
    (!needsMatch || (fact & 3) === enriched) &&
    (layer === undefined || ((fact >>> shift) & 3) === found);
}

/** Numbers of rows by their fact. An array is three times as fast as a map for each row. */
function countFacts(all: Iterable<Uint32Array>) {
  // By the high half of a fact, of which a job has few, then by the low one.
  const counts = new Map<number, Uint32Array>();
  let rows = 0;
  let high = -1;
  let lows: Uint32Array = new Uint32Array();
  for (const facts of all) {
    rows += facts.length;
    for (let at = 0; at < facts.length; at += 1) {
      const fact = facts[at] as number;
      if (fact >>> hasShift !== high) {
        high = fact >>> hasShift;
        lows = counts.get(high) ?? new Uint32Array(2 ** hasShift);
        counts.set(high, lows);
      }
      const low = fact & 0xffff;
      lows[low] = (lows[low] as number) + 1;
    }
  }
  const byFact = [...counts].flatMap(([upper, ofUpper]) =>
    Array.from(ofUpper.entries())
      .filter(([, times]) => times > 0)
      .map(([lower, times]) => [packFact(lower, upper), times] as const),
  );
  return { rows, byFact };
}

export function countOutcomes(all: Iterable<Uint32Array>, codes: readonly LayerCode[]): Outcomes {
  const { rows, byFact } = countFacts(all);
  const count = (view: RowView): number => {
    const passes = createFactFilter(view);
    let sum = 0;
    for (const [fact, times] of byFact) if (passes(fact)) sum += times;
    return sum;
  };
  const named = reasons.filter((reason): reason is Exclude<Reason, ''> => reason !== '');
  return {
    rows,
    statuses: {
      enriched: count({ status: 'enriched' }),
      skipped: count({ status: 'skipped' }),
      failed: count({ status: 'failed' }),
    },
    reasons: Object.fromEntries(
      named.map((reason) => [reason, count({ reason })] as const).filter(([, sum]) => sum > 0),
    ),
    has: {
      changed: count({ has: 'changed' }),
      left: count({ has: 'left' }),
      email: count({ has: 'email' }),
    },
    layers: Object.fromEntries(codes.map((layer) => [layer, count({ layer })])),
    sources: {
      directory: count({ source: 'directory' }),
      provider: count({ source: 'provider' }),
    },
  };
}
