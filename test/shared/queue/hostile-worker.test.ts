// What an engine does with answers of a worker that is damaged, or lies.
import { expect, onTestFinished, test } from 'vitest';
import { reasons, rowStatuses } from '../../../engine/contract/jobs/job.ts';
import type { MatchBatch } from '../../../engine/directory/index/match-batch.ts';
import { emptyBatch } from '../../../engine/directory/match/match-rows.ts';
import { encodeAnswer } from '../../../engine/shared/queue/answer-bytes.ts';
import { parseRecords } from '../../../engine/spreadsheet/read-rows.ts';
import { postgresMissing } from '../../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows } from '../shared-fixture.ts';

const missing = postgresMissing();

/** An answer that names one person, and a company, for every row. */
const everyRow = (count: number, personId: number, companyId = 0): MatchBatch => {
  const batch = emptyBatch(count, []);
  batch.personIds.fill(personId);
  batch.companyIds.fill(companyId);
  batch.confidences.fill(1);
  batch.employmentStatuses.fill(1);
  batch.matchedOn.fill(12);
  return batch;
};

const head = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
const columns = (count: number) => {
  const bytes = encodeAnswer(everyRow(count, 1));
  return bytes.subarray(bytes.indexOf(10) + 1);
};
const withHead = (count: number, value: object) =>
  Buffer.concat([head({ count, candidates: [], ...value }), columns(count)]);
const change = (count: number, wrong: (batch: MatchBatch) => void) => {
  const batch = everyRow(count, 2);
  wrong(batch);
  return encodeAnswer(batch);
};
const candidate = (value: object) => ({
  row: 0,
  personIds: [1],
  scores: [0.5],
  companyIds: [0],
  employmentStatuses: [1],
  matchedOn: [4],
  ...value,
});
const open = (count: number, candidates: readonly object[]) => {
  const batch = emptyBatch(count, []);
  batch.reasons.fill(reasons.indexOf('ambiguous'));
  const bytes = encodeAnswer(batch);
  return Buffer.concat([head({ count, candidates }), bytes.subarray(bytes.indexOf(10) + 1)]);
};

/** Answers that no worker of this product writes. */
const unreadable: Readonly<Record<string, (count: number) => Buffer>> = {
  garbage: () => Buffer.from('xyz'),
  nothing: () => Buffer.alloc(0),
  'no line end': () => Buffer.from('{"count":2,"candidates":[]}'),
  'a number of rows too many': (count) => encodeAnswer(everyRow(count + 1, 1)),
  'a longer line': (count) =>
    Buffer.concat([
      Buffer.from(`{"count":${count},"candidates":[]}${' '.repeat(50)}\n`),
      columns(count),
    ]),
  'a line of megabytes': (count) =>
    Buffer.concat([
      Buffer.from(`{"count":${count},"candidates":[]}${' '.repeat(8 << 20)}\n`),
      columns(count),
    ]),
  'another property': (count) => withHead(count, { more: 1 }),
  'a prototype': (count) =>
    Buffer.concat([
      Buffer.from(`{"count":${count},"candidates":[],"__proto__":{"a":1}}\n`),
      columns(count),
    ]),
  'a confidence that is no number': (count) =>
    change(count, ({ confidences }) => confidences.fill(Number.NaN)),
  'a confidence above 1': (count) => change(count, ({ confidences }) => confidences.fill(2)),
  'a negative id': (count) => change(count, ({ personIds }) => personIds.fill(-1)),
  'a negative company': (count) => change(count, ({ companyIds }) => companyIds.fill(-1)),
  'an unknown field': (count) => change(count, ({ matchedOn }) => matchedOn.fill(0xffff)),
  'no person and no reason': (count) => change(count, ({ personIds }) => personIds.fill(0)),
  'a person and a reason': (count) => change(count, (batch) => batch.reasons.fill(1)),
  'a reason of services': (count) =>
    change(count, (batch) => {
      batch.personIds.fill(0);
      batch.employmentStatuses.fill(0);
      batch.reasons.fill(reasons.indexOf('source_error'));
    }),
  'a candidate with a fraction': (count) => open(count, [candidate({ personIds: [1.5] })]),
  'a candidate with a huge id': (count) => open(count, [candidate({ personIds: [9e15] })]),
  'a score that is infinite': (count) => open(count, [candidate({ scores: [1e308] })]),
  'a candidate without a score': (count) => open(count, [candidate({ scores: [] })]),
  'candidates for a row that was not asked': (count) => open(count, [candidate({ row: count })]),
  'candidates of one row twice': (count) => open(count, [candidate({}), candidate({})]),
  'many candidates': (count) =>
    open(
      count,
      Array.from({ length: 200_000 }, () => candidate({})),
    ),
};

/** A worker that writes any bytes. */
async function openHostile() {
  const fixture = await openSharedFixture();
  const { shared } = fixture;
  const worker = await shared.connectAs('desk_queue');
  let isStopped = false;
  onTestFinished(() => {
    isStopped = true;
  });
  /** Answers every batch until the call resolves. */
  const answering = async (bytesOf: (count: number) => Buffer, work: Promise<unknown>) => {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver && !isStopped)
      await worker.use(async (client) => {
        const { rows } = await client.query<{ key: string; rows: Buffer }>(
          'SELECT ctid::text AS key, rows FROM match_batch',
        );
        for (const { key, rows: bytes } of rows)
          await client.query(
            `WITH taken AS (SELECT * FROM match_batch WHERE ctid = $1::tid FOR UPDATE),
               answered AS (
                 INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker, answer)
                 SELECT job_uuid, first_row, digest, 99, 'hostile', $2 FROM taken)
             SELECT delete_batch(job_uuid, first_row, digest) FROM taken`,
            [key, bytesOf(parseRecords(bytes).length)],
          );
      });
    await ended;
  };
  const outcomeOf = (uuid: string) => {
    const { rows, chargedUnits } = fixture.outcome(fixture.own, uuid);
    const [known, ...others] = rows.map(({ status, reason }) => [
      rowStatuses[status],
      reasons[reason],
    ]);
    return { known, others: new Set(others.map(String)), count: others.length, chargedUnits };
  };
  return { ...fixture, answering, outcomeOf };
}

/** The first row is answered by the own directory, and charged; every other one fails. */
const allFailed = {
  known: ['enriched', ''],
  others: new Set(['failed,source_error']),
  count: 9,
  chargedUnits: 10_000,
};

test('rows whose answer cannot be read fail with the reason, free, and the job goes on', async () => {
  if (missing) return console.warn(missing);
  const { own, run, answering, outcomeOf, countQueue } = await openHostile();
  for (const [name, bytesOf] of Object.entries(unreadable)) {
    const uuid = own.submit(teamRows.slice(0, 10));
    await answering(bytesOf, run(uuid));
    expect([name, own.read(uuid).status, outcomeOf(uuid)]).toEqual([name, 'completed', allFailed]);
    const [, failed] = own.results(own.read(uuid));
    expect(failed?.error).toMatch(/an answer that cannot be read/);
    expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
  }
});

test('a person who does not fit the row is not written, although a worker names them', async () => {
  if (missing) return console.warn(missing);
  const { own, run, shared, answering, outcomeOf } = await openHostile();
  const { rows } = await shared.admin.pool.query<{ id: number; company: number }>(
    `SELECT p.id, e.company_id AS company FROM person p JOIN employment e ON e.person_id = p.id
     WHERE p.first_name = 'Bo3' AND p.last_name = 'Stone'`,
  );
  const [bo] = rows;
  const strangers = [
    teamRows[0]!,
    ...Array.from({ length: 9 }, (_, at) => [`Nosuch${at}`, 'Person', 'Zzz Ltd']),
  ];
  const lies: Readonly<Record<string, (count: number) => Buffer>> = {
    'one person for all': (count) => encodeAnswer(everyRow(count, bo!.id)),
    'with the employer': (count) => encodeAnswer(everyRow(count, bo!.id, bo!.company)),
    'no one of the directory': (count) => encodeAnswer(everyRow(count, 2 ** 31 - 1)),
  };
  for (const [name, bytesOf] of Object.entries(lies)) {
    const uuid = own.submit(strangers);
    await answering(bytesOf, run(uuid));
    expect([name, outcomeOf(uuid)]).toEqual([name, allFailed]);
    expect(own.results(own.read(uuid))[1]?.error).toMatch(/does not fit the row/);
  }
  // The right person, with an employer of someone else, or with too little confidence.
  const right = [teamRows[0]!, ...Array.from({ length: 9 }, () => teamRows[4]!)];
  const halfLies: Readonly<Record<string, (count: number) => Buffer>> = {
    'another employer': (count) => encodeAnswer(everyRow(count, bo!.id, bo!.company + 1)),
    'little confidence': (count) => {
      const batch = everyRow(count, bo!.id, bo!.company);
      batch.confidences.fill(0.1);
      return encodeAnswer(batch);
    },
  };
  for (const [name, bytesOf] of Object.entries(halfLies)) {
    const uuid = own.submit(right);
    await answering(bytesOf, run(uuid));
    expect([name, outcomeOf(uuid)]).toEqual([name, allFailed]);
  }
  // Candidates who do not fit are not offered.
  const uuid = own.submit(strangers);
  const offer = (count: number) => open(count, [candidate({ personIds: [bo!.id] })]);
  await answering(offer, run(uuid));
  expect(outcomeOf(uuid)).toMatchObject({ chargedUnits: 10_000 });
  for (const { candidates } of own.results(own.read(uuid))) expect(candidates).toBeNull();
});
