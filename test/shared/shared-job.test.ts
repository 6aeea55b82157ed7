// Jobs that ask the shared directory about what the own directory does not know.
import { expect, test } from 'vitest';
import { runJob } from '../../engine/jobs/run-job.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows } from './shared-fixture.ts';

const missing = postgresMissing();

test('a job has what the team knows, with its sources, at the price of a job over one directory', async () => {
  if (missing) return console.warn(missing);
  const { own, team, startWorker, run, countQueue, outcome } = await openSharedFixture();
  const layers = ['L1', 'L2', 'MPA'];
  const uuid = own.submit(teamRows, layers);
  startWorker();
  await run(uuid);
  const expected = team.submit(teamRows, layers);
  await runJob({ ...team.deps, batchRowsMax: 10 }, team.read(expected).id);
  const [found, known] = [outcome(own, uuid), outcome(team, expected)];
  expect(found.enrichedRows).toBe(61);
  // The first row is answered by the own directory.
  expect(found.rows[0]?.provenance).toContain('crm.csv');
  expect(found.rows[1]?.provenance).toContain('team.csv');
  expect({ ...found, rows: found.rows.slice(1) }).toEqual({ ...known, rows: known.rows.slice(1) });
  expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
});

test('a person on the list of the owner is not written, also if a worker answered before', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, run, outcome } = await openSharedFixture();
  const { suppress } = createSuppressionCommands({
    database: own.database,
    now: own.deps.now,
    onChange: () => undefined,
  });
  const add = (value: string) =>
    suppress({ values: [{ kind: 'email', value }], reason: '', source: 'app', author: 'app' });
  await add('bo3@team3.example');
  startWorker();
  const uuid = own.submit(teamRows.slice(0, 12));
  await run(uuid, (step) => ({
    shared: {
      ...step,
      async ask(rows) {
        const answer = await step.ask(rows);
        // Between the answer to a batch and its transaction.
        if (rows.firstRow === 10) await add('bo10@team3.example');
        return answer;
      },
    },
  }));
  const { rows } = outcome(own, uuid);
  const suppressed = rows.flatMap(({ reason, fields, contactUuid }, at) =>
    reason === 4 ? [{ at, fields, contactUuid }] : [],
  );
  expect(suppressed).toEqual([
    { at: 4, fields: '{}', contactUuid: '' },
    { at: 11, fields: '{}', contactUuid: '' },
  ]);
});

test('the people of a company are not written if an alias of it is on the list of the owner', async () => {
  if (missing) return console.warn(missing);
  const { own, shared, startWorker, run, outcome } = await openSharedFixture();
  await shared.admin.pool.query(
    `INSERT INTO company_alias (id, company_id, name, import_id)
     SELECT 1, id, 'Former Team', import_id FROM company WHERE name = 'Team Company 3'`,
  );
  const { suppress } = createSuppressionCommands({
    database: own.database,
    now: own.deps.now,
    onChange: () => undefined,
  });
  const values = [{ kind: 'company', value: 'Former Team' } as const];
  await suppress({ values, reason: '', source: 'app', author: 'app' });
  startWorker();
  const uuid = own.submit(teamRows.slice(0, 12));
  await run(uuid);
  const { rows } = outcome(own, uuid);
  // Bo3 and Bo10 work there.
  expect(rows.flatMap(({ reason }, at) => (reason === 4 ? [at] : []))).toEqual([4, 11]);
});
