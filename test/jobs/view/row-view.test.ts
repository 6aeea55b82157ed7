// Filters, searches and orders of a job's rows equal plain statements over its exported rows.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reasons, rowStatuses } from '../../../engine/contract/jobs/job.ts';
import { layerByCode } from '../../../engine/contract/jobs/layers.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { readFacts } from '../../../engine/jobs/results/job-batch.table.ts';
import { overwriteResult } from '../../../engine/jobs/results/result.table.ts';
import { openRowList } from '../../../engine/jobs/results/view/list-rows.ts';
import { refreshFacts } from '../../../engine/jobs/results/view/refresh-facts.ts';
import { countOutcomes } from '../../../engine/jobs/results/view/row-facts.ts';
import { runsOf } from '../../property-runs.ts';
import { openExportFixture } from '../exports/export-fixture.ts';

type Cells = Readonly<Record<string, string>>;

const headers = ['Id', 'First', 'Last', 'Firm', 'Mail', 'Size'];
const mapping = { client_reference_id: 0, first_name: 1, last_name: 2, company_name: 3, email: 4 };
const fields = [...layerByCode.L1.fields, ...layerByCode.L2.fields, ...layerByCode.L3.fields];
const firsts = ['José', 'jose', 'Ann', 'عمر', 'Li "Lee"', ''];
const firms = ['Acme', 'ACME North', 'Zoë & Co', ''];
const sizes = ['9', '10', '2.5', 'n/a', '', '-1'];
const states = ['Current', 'Changed', 'Left', ''];

const pick = (from: readonly string[], at: number) => from[at % from.length] ?? '';

/** The found values of row `at`. Every third row has none. */
function valuesOf(at: number): Record<string, string> | null {
  if (at % 3 === 2) return null;
  const state = pick(states, at);
  const moved =
    state === 'Changed' ? { 'New company name': 'Initech', 'New email': `n${at}@i.x` } : {};
  return {
    'First name': pick(firsts, at + 1),
    'Current company name': pick(firms, at + 2),
    ...(at % 4 ? { Email: `p${at}@acme.example` } : {}),
    ...(at % 5 ? { 'Company city': `Town ${at % 7}` } : {}),
    'Employment status': state,
    ...moved,
  };
}

/** The import of a listed row: of the person, or of its employment only. */
const provenanceOf = (at: number): string =>
  at % 4 === 0
    ? JSON.stringify([
        ['Imported', 1, '2026-01-01'],
        [`Zoë's "list"`, 1, '2026-01-02'],
      ])
    : JSON.stringify([['Imported', 1, '2026-01-01']]);

const fromFinder = (values: Readonly<Record<string, string>>): string =>
  JSON.stringify(values.Email ? { Email: ['Finder', 0.9, '2026-01-03'] } : {});

/** A completed job whose results have both stored forms, and its rows as they are exported. */
async function openJob(rowCount: number) {
  const fixture = await openExportFixture();
  const { database, folder, read } = fixture;
  const rows = Array.from({ length: rowCount }, (_, at) => [
    String(at),
    pick(firsts, at),
    pick(firsts, at * 7),
    pick(firms, at),
    `m${at}@x.example`,
    pick(sizes, at * 5),
  ]);
  const uuid = await fixture.finish(headers, rows, mapping, [], ['L1', 'L2', 'L3']);
  const job = () => read(uuid);
  const { resultBase } = job();
  for (let at = 0; at < rowCount; at += 1) {
    const values = valuesOf(at);
    const isListed = at % 2 === 0;
    const listed = `L1:13,L2:7,L3:5${JSON.stringify(fields.map((name) => values?.[name] ?? null))}`;
    const reason = pick(['ambiguous', 'no_match'], at);
    overwriteResult(database, resultBase + at, {
      status: rowStatuses.indexOf(values ? 'enriched' : at % 2 ? 'skipped' : 'failed'),
      reason: reasons.indexOf(values ? '' : (reason as (typeof reasons)[number])),
      contactUuid: values ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : null,
      layerBits: values ? 1 + (values['Company city'] ? 4 : 0) : 0,
      fields: values && (isListed ? listed : JSON.stringify(values)),
      confidence: values ? 1 : null,
      error: null,
      provenance: values && (isListed ? provenanceOf(at) : fromFinder(values)),
    });
    refreshFacts(database, resultBase + at);
  }
  const exportRows = (list?: Uint32Array): Cells[] => {
    const pieces = fixture.write(uuid, { list });
    const text = pieces.map((piece) => Buffer.from(piece).toString()).join('');
    return parse(text, { columns: true }) as Cells[];
  };
  const list = (view: RowView): Uint32Array => {
    const steps = openRowList(database, folder, job(), view);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
  return { ...fixture, job, list, exportRows };
}

const fold = (text: string) =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const searched = [
  'First',
  'Last',
  'Firm',
  'Mail',
  'First name',
  'Last name',
  'Current company name',
  'Email',
  'New company name',
  'New email',
];

const isListedForm = ({ Id }: Cells) => Number(Id) % 2 === 0;

const ofPerson = ['First name', 'Current company name', 'Company city', 'New company name'];
const ofEmployment = ['Email', 'Employment status', 'New email'];

/** The sources of the values of an exported row, as `openJob` stores them. */
function listOrigins(row: Cells): string[] {
  const has = (names: readonly string[]) => names.some((name) => row[name]);
  if (row['Enrichment status'] !== 'enriched') return [];
  if (!isListedForm(row)) return row.Email ? ['Finder'] : [];
  const isMixed = Number(row.Id) % 4 === 0;
  return [
    ...(has(ofPerson) || (!isMixed && has(ofEmployment)) ? ['Imported'] : []),
    ...(isMixed && has(ofEmployment) ? [`Zoë's "list"`] : []),
  ];
}

/** Whether an exported row belongs to a view, as a reader of the file would decide. */
function belongs(row: Cells, view: RowView): boolean {
  const isFound = row['Enrichment status'] === 'enriched';
  const has = {
    changed: row['Employment status'] === 'Changed',
    left: row['Employment status'] === 'Left',
    email: Boolean(row.Email || row['New email']),
  };
  const layers: Record<string, boolean> = { L1: isFound, L2: Boolean(row['Company city']) };
  const text = fold(searched.map((name) => row[name] ?? '').join('\n'));
  return (
    (!view.status || row['Enrichment status'] === view.status) &&
    (!view.reason || row['Enrichment reason'] === view.reason) &&
    (!view.has || has[view.has]) &&
    (!view.layer || (layers[view.layer] ?? false)) &&
    (!view.origin || listOrigins(row).includes(view.origin)) &&
    (!view.source || (isFound && isListedForm(row) === (view.source === 'directory'))) &&
    fold(view.search ?? '')
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** The order of two exported values, without their direction. */
function compare(a: string, b: string): number {
  const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text);
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)));
}

function sortRows(rows: readonly Cells[], { sort, direction }: RowView): Cells[] {
  if (sort === undefined) return [...rows];
  const [kind, name = ''] = sort.split(':');
  const column = kind === 'input' ? (headers[Number(name)] ?? '') : name;
  const sorted = (row: Cells) =>
    (sort === 'reason' ? row['Enrichment reason'] : row[column])?.trim() ?? '';
  const filled = rows.filter((row) => sorted(row) !== '');
  const sign = direction === 'desc' ? -1 : 1;
  return [
    ...filled.toSorted((a, b) => sign * compare(sorted(a), sorted(b))),
    ...rows.filter((row) => sorted(row) === ''),
  ];
}

const some = <Value>(...values: Value[]) => fc.constantFrom(undefined, undefined, ...values);
const views: fc.Arbitrary<RowView> = fc.record({
  status: some(...rowStatuses),
  reason: some<RowView['reason']>('ambiguous', 'no_match'),
  has: some<RowView['has']>('changed', 'left', 'email'),
  layer: some<RowView['layer']>('L1', 'L2', 'L3'),
  source: some<RowView['source']>('directory', 'provider'),
  origin: some('Imported', 'Zoë\'s "list"', 'Finder', 'Email', '2026-01-01', 'Nobody'),
  search: some('jose', 'ACME', 'zoe', 'p1 acme', 'عمر', '"lee"', 'm2 acme', 'initech', '%'),
  sort: some('input:0', 'input:1', 'input:5', 'found:First name', 'found:Company city', 'reason'),
  direction: some<RowView['direction']>('asc', 'desc'),
} satisfies Record<keyof RowView, unknown>);

test('the rows of any view are those of a plain statement over the exported rows', async () => {
  const { list, exportRows } = await openJob(90);
  const all = exportRows();
  fc.assert(
    fc.property(views, (view) => {
      const expected = sortRows(
        all.filter((row) => belongs(row, view)),
        view,
      );
      expect(exportRows(list(view))).toEqual(expected);
    }),
    { numRuns: runsOf(200) },
  );
});

test('the counts of outcomes are the numbers of the rows that their filters list', async () => {
  const { database, job, list } = await openJob(30);
  const { id, codes } = job();
  const counts = countOutcomes(readFacts(database, id), codes);
  const count = (view: RowView) => list(view).length;
  expect(counts).toEqual({
    rows: 30,
    statuses: Object.fromEntries(rowStatuses.map((status) => [status, count({ status })])),
    reasons: { ambiguous: count({ reason: 'ambiguous' }), no_match: count({ reason: 'no_match' }) },
    has: Object.fromEntries(
      (['changed', 'left', 'email'] as const).map((has) => [has, count({ has })]),
    ),
    layers: Object.fromEntries(codes.map((layer) => [layer, count({ layer })])),
    sources: { directory: count({ source: 'directory' }), provider: count({ source: 'provider' }) },
  });
  expect(counts.has.changed).toBeGreaterThan(0);
  expect(counts.sources.provider).toBeGreaterThan(0);
});
