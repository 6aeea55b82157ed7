// The price before the start: what an estimate says, and what the job then charges.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { createReader } from '../../engine/app/workers/create-reader.ts';
import { creditUnits, formatCredits } from '../../engine/contract/credits.ts';
import { type AppPreview, newJobs } from '../../engine/contract/jobs/app-jobs.ts';
import { type LayerCode, layerCodes } from '../../engine/contract/jobs/layers.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { emptyBatch } from '../../engine/directory/match/match-rows.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import type { Matched } from '../../engine/jobs/matching/create-match-worker.ts';
import { readEarlier } from '../../engine/jobs/repeats/read-earlier.ts';
import { listRepeats } from '../../engine/jobs/repeats/repeat-row.table.ts';
import { applyPicks } from '../../engine/jobs/review/apply-picks.ts';
import { listWaiting } from '../../engine/jobs/review/review-pick.table.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { chargedLayers, listLayers, readLayerStatus } from '../../engine/ledger/price-job.ts';
import { putSharedDirectory } from '../../engine/shared/settings/shared-directory.table.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { inventName } from '../invented-names.ts';
import { runsOf } from '../property-runs.ts';
import { now, openJobFixture } from './job-fixture.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);
const credits = (units: number) => formatCredits(creditUnits(units));
const mapping = { first_name: 0, last_name: 1, company_name: 2 };
const columns =
  'person_id,first_name,last_name,organization,company city,title,email,mobile phone,is_current';

/** A row about a person: 9,000 and 9,001 are the names of two people each. */
const person = (at: number, company = 'Acme Widgets') => [...inventName(at), company];

/** People with and without a phone, and twins. Every third is at a company of its own. */
const lines = (people: number) => [
  ...count(people).map((at) => {
    const company = at % 3 === 2 ? 'Beta Works,Basel' : 'Acme Widgets,';
    const email = at % 2 === 0 ? `p${at}@acme.example` : '';
    const phone = at % 4 === 0 ? `+41 79 123 45 ${10 + (at % 90)}` : '';
    return `p${at},${inventName(at)},${company},Buyer,${email},${phone},1`;
  }),
  ...[9_000, 9_001].flatMap((at) =>
    ['Chief', 'Clerk'].map(
      (title) =>
        `t${at}${title},${inventName(at)},Acme Widgets,,${title},${title}${at}@a.example,,1`,
    ),
  ),
];

async function openEstimates(people = 9) {
  const fixture = await openJobFixture();
  const { folder, directory, database, account } = fixture;
  const peoplePath = join(folder, 'people.csv');
  writeFileSync(peoplePath, [columns, ...lines(people), ''].join('\n'));
  await importDirectory(directory, { peoplePath, source: 'crm' });
  await fixture.deps.whenGeneration(0);
  const reader = createReader({ folder });
  onTestFinished(() => reader.stop(null));
  await reader.takeIndex({ buffer: buildIndex(directory).buffer });
  const estimate = async (rows: readonly string[][], order: Order): Promise<AppPreview> => {
    const dir = join(folder, 'estimated');
    writeRowsTable({ headers: ['First name', 'Last name', 'Company'], rows, targetDir: dir });
    const { layers: codes, newSince, at, matched = null } = order;
    const { id: accountId } = account;
    const preview = await reader.previewRows({
      accountId,
      dir,
      mapping,
      codes,
      newSince,
      at: at.toISOString(),
      matched,
    });
    return newJobs.estimate.answer.shape.preview.unwrap().strict().parse(preview);
  };
  const enrich = async (rows: readonly string[][], { layers, newSince, at }: Order) => {
    const uuid = fixture.submit(rows, layers, { at, ...(newSince && { newSince }) });
    await runJob({ ...fixture.deps, now: () => at }, fixture.read(uuid).id);
    return fixture.read(uuid);
  };
  /** The version of engine.db, which any write by another connection changes. */
  const readVersion = () => database.pragma('data_version', { simple: true });
  return { ...fixture, estimate, enrich, readVersion };
}
type Estimates = Awaited<ReturnType<typeof openEstimates>>;

interface Order {
  readonly layers: readonly LayerCode[];
  readonly newSince?: string | undefined;
  readonly at: Date;
  readonly matched?: Matched;
}

/** What a job charged for each layer. */
function readCharges({ database, results }: Estimates, job: JobRow) {
  const lastId = job.resultBase + job.totalRows - 1;
  const free = new Map<number, number>();
  for (const { id, freeLayers } of listRepeats(database, { firstId: job.resultBase, lastId }))
    free.set(id, (free.get(id) ?? 0) | freeLayers);
  const units = new Map(job.codes.map((code) => [code, 0]));
  for (const { rowIndex, status, layerBits } of results(job).filter((row) => row.status === 0)) {
    const set = chargedLayers(job, layerBits) & ~(free.get(job.resultBase + rowIndex) ?? 0);
    expect(status).toBe(0);
    for (const code of listLayers(set))
      units.set(code, (units.get(code) ?? 0) + (job.prices[code] ?? 0));
  }
  return Object.fromEntries([...units].map(([code, sum]) => [code, credits(sum)]));
}

const rowsOf = ({ savings }: AppPreview, kind: AppPreview['savings'][number]['kind']) =>
  savings.find((one) => one.kind === kind)?.rows ?? 0;

/** The share of a job's rows in which each layer returned data. */
function readFoundLayers({ results }: Estimates, job: JobRow) {
  const enriched = results(job).filter((row) => row.status === 0);
  const shareOf = (code: LayerCode) =>
    enriched.filter(({ layerBits }) => readLayerStatus(layerBits, code) === 'enriched').length /
    job.totalRows;
  return Object.fromEntries(
    job.codes.map((code) => [code, Math.round(shareOf(code) * 10_000) / 10_000]),
  );
}

function expectCharged(fixture: Estimates, preview: AppPreview, job: JobRow): void {
  expect(preview.certainty).toBe('exact');
  expect(preview.expected_layers).toEqual(readCharges(fixture, job));
  expect(preview.found_layers).toEqual(readFoundLayers(fixture, job));
  expect(preview).toMatchObject({
    expected_credits: credits(job.chargedUnits),
    enriched: job.enrichedRows,
  });
  expect({
    duplicate: rowsOf(preview, 'duplicate'),
    paid_before: rowsOf(preview, 'paid_before'),
    known: rowsOf(preview, 'known'),
  }).toEqual({
    duplicate: job.duplicateRows,
    paid_before: job.paidBeforeRows,
    known: job.knownRows,
  });
}

const selections: readonly LayerCode[][] = [
  ['L1'],
  ['L1', 'MPA'],
  ['L1', 'L2'],
  ['L1', 'L2', 'MPA'],
  [...layerCodes],
];
const rowOf = fc.record({
  at: fc.constantFrom(...count(9), 9_000, 9_001, 200, 201),
  company: fc.constantFrom('Acme Widgets', 'Acme Widgets', 'Acme Widgets Inc', 'Beta Works'),
});
const round = fc.record({
  rows: fc.array(rowOf, { minLength: 1, maxLength: 14 }),
  layers: fc.constantFrom(...selections),
  chargePolicy: fc.constantFrom('row' as const, 'layers_found' as const),
  freeRepeatDays: fc.constantFrom(0, 1, 3, 30),
  infersEmails: fc.boolean(),
  /** Which earlier job is excluded, counted from the newest; none if there are fewer. */
  excluded: fc.option(fc.nat({ max: 5 }), { nil: 99 }),
  daysLater: fc.nat({ max: 2 }),
  /** What is decided about the rows that wait: a candidate, none of them, or nothing. */
  decisions: fc.array(fc.constantFrom(0, 1, 'none' as const, 'open' as const), { maxLength: 3 }),
  suppresses: fc.boolean(),
});

function decide(
  fixture: Estimates,
  job: JobRow,
  decisions: (number | 'none' | 'open')[],
  at: Date,
) {
  const { database, folder, account, results } = fixture;
  const waiting = listWaiting(database, job, { after: null, limit: decisions.length });
  const records = results(job);
  const picks = waiting.flatMap((row, nth) => {
    const decision = decisions[nth] ?? 'open';
    if (decision === 'open') return [];
    if (decision === 'none') return [{ row_index: row, contact_uuid: null }];
    const candidates: [string][] = JSON.parse(records[row]?.candidates ?? '[]');
    return [{ row_index: row, contact_uuid: candidates[decision]?.[0] ?? null }];
  });
  const command = { accountId: account.id, keyId: null, jobId: job.uuid, picks };
  if (picks.length > 0) applyPicks(database, folder, command, at);
}

test('an estimate takes the answers of a match thread that has the same index', async () => {
  const { directory, estimate } = await openEstimates();
  const { generation } = buildIndex(directory);
  const countEnriched = async (ofThread: number) => {
    const matched = { batch: emptyBatch(1, []), generation: ofThread };
    const order = { layers: ['L1'], at: now(), matched } as const;
    return (await estimate([person(0)], order)).enriched;
  };
  expect([await countEnriched(generation), await countEnriched(generation + 1)]).toEqual([0, 1]);
});

test('an estimate says that the directory of a team is not in it', async () => {
  const { database, estimate } = await openEstimates();
  const ask = () => estimate([person(0)], { layers: ['L1'], at: now() });
  expect((await ask()).has_team).toBeUndefined();
  putSharedDirectory(database, {
    address: 'postgres://a@localhost/team',
    hasSecret: 0,
    isOn: 1,
    matchesHere: 0,
    setAt: now().toISOString(),
    entry: 'entry',
    sealed: null,
  });
  expect((await ask()).has_team).toBe(true);
});

test('a job charges what its estimate says, whatever happened in earlier jobs', async () => {
  const fixture = await openEstimates();
  const { database, account, estimate, enrich, readVersion } = fixture;
  const suppressions = createSuppressionCommands({ database, now, onChange: () => undefined });
  const earlier: JobRow[] = [];
  let dayMs = now().getTime();
  await fc.assert(
    fc.asyncProperty(round, async ({ rows, layers, excluded, daysLater, ...given }) => {
      dayMs += daysLater * 86_400_000;
      const at = new Date(dayMs);
      const { chargePolicy, freeRepeatDays, infersEmails, decisions, suppresses } = given;
      updateAccount(database, account.id, {
        chargePolicy,
        freeRepeatDays,
        inferEmails: infersEmails,
      });
      if (suppresses)
        await suppressions.suppress({
          values: [{ kind: 'company', value: 'Beta Works' }],
          reason: '',
          source: 'app',
          author: 'app',
        });
      else await suppressions.removeSuppressions({ ids: count(1_000) });
      const newSince = earlier.at(-1 - excluded)?.uuid;
      const order = { layers, newSince, at };
      const list = rows.map((row) => person(row.at, row.company));
      const version = readVersion();
      const preview = await estimate(list, order);
      expect(readVersion()).toBe(version);
      const job = await enrich(list, order);
      expectCharged(fixture, preview, job);
      decide(fixture, job, decisions, at);
      earlier.push(job);
    }),
    { numRuns: runsOf(60) },
  );
});

/** One of many rows about a person, with a text of its own. */
const oneOfMany = (at: number, nth: number) => {
  const company = at % 3 === 2 ? 'Beta Works' : 'Acme Widgets';
  return [...inventName(at), `${company}${' Inc'.repeat(nth % 2)}${'.'.repeat(nth)}`];
};

test.each<[title: string, people: number, rows: string[][]]>([
  [
    'repeat a few people',
    100,
    count(40).flatMap((nth) => count(100).map((at) => oneOfMany(at, nth))),
  ],
  [
    'repeat a few people in rows that follow each other',
    100,
    count(100).flatMap((at) => count(40).map((nth) => oneOfMany(at, nth))),
  ],
  [
    'repeat a few people among many that nobody knows',
    40,
    count(8_000).map((at) => (at % 2 === 0 ? oneOfMany((at / 2) % 40, 0) : person(20_000 + at))),
  ],
  [
    'repeat each person once, in the next row',
    2_000,
    count(2_000).flatMap((at) => [oneOfMany(at, 0), oneOfMany(at, 1)]),
  ],
  ['repeat no person', 4_000, count(4_000).map((at) => oneOfMany(at, 0))],
])('the estimate is near the charge of rows that %s', async (_title, people, rows) => {
  const { estimate } = await openEstimates(people);
  const preview = await estimate(rows, { layers: ['L1'], at: now() });
  expect(preview.certainty).toBe('about');
  expect(Number(preview.expected_credits) / people).toBeGreaterThan(0.8);
  expect(Number(preview.expected_credits) / people).toBeLessThan(1.25);
});

test('the estimate of a part of the list says about, and counts repeats of the whole list', async () => {
  const fixture = await openEstimates(600);
  const { database, account, estimate, enrich } = fixture;
  const people = count(600).map((at) => [...inventName(at), at % 3 === 2 ? 'Beta Works' : 'Acme']);
  const half = people.filter((_one, at) => at % 2 === 0);
  const [layers, at] = [['L1'] as const, now()];
  await enrich(half, { layers, at });
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  const once = [...people, ...count(150).map((nth) => person(2_000 + nth))];
  const list = [...once, ...once];
  const preview = await estimate(list, { layers, at });
  expect(preview).toMatchObject({ certainty: 'about', sampled: 1_000, duplicate_rows: 750 });
  const job = await enrich(list, { layers, at });
  const sums = Object.fromEntries(preview.savings.map(({ kind, ...sum }) => [kind, sum]));
  expect(job).toMatchObject({ duplicateRows: 600, paidBeforeRows: 300, chargedUnits: 3_000_000 });
  const near = (text: string | undefined, goal: number) => {
    expect(Number(text)).toBeGreaterThan(goal * 0.9);
    expect(Number(text)).toBeLessThan(goal * 1.1);
  };
  near(preview.expected_credits, 300);
  near(sums.paid_before?.credits, 300);
  near(sums.duplicate?.credits, 600);
});

test('rows of jobs that no job has compared yet are read up to a limit, newest first', async () => {
  const fixture = await openEstimates();
  const { database, account, enrich } = fixture;
  const order = { layers: ['L1'], at: now() } as const;
  const excluded = await enrich([person(1), person(3)], order);
  await enrich([person(4), person(6)], order);
  await enrich([person(7)], order);
  const uuidOf = (at: number): string => {
    const [first, last] = inventName(at);
    const sql = 'SELECT uuid FROM directory.person WHERE first_name = ? AND last_name = ?';
    return database.prepare(sql).pluck().get(first, last) as string;
  };
  const asked = [1, 3, 4, 6, 7];
  const read = (newSince: string | null, rowsMax?: number) => {
    const rules = { accountId: account.id, freeRepeatDays: 9, createdAt: now().toISOString() };
    const people = asked.map(uuidOf);
    const wanted = new Map(people.map((uuid) => [uuid, 1]));
    const found = readEarlier(database, { ...rules, retryOf: null, newSince }, people, rowsMax);
    const paid = found.findPaid(wanted);
    return [
      found.isComplete,
      asked.filter((at) => found.known.has(uuidOf(at))),
      asked.filter((at) => paid.has(uuidOf(at))),
    ];
  };
  expect(read(null)).toEqual([true, [], [1, 3, 4, 6, 7]]);
  expect(read(null, 5)).toEqual([true, [], [1, 3, 4, 6, 7]]);
  expect(read(null, 4)).toEqual([false, [], [1, 4, 6, 7]]);
  expect(read(null, 1)).toEqual([false, [], [7]]);
  // The excluded job decides most, so it is read first.
  expect(read(excluded.uuid, 3)).toEqual([false, [1, 3], [1, 3, 7]]);
});
