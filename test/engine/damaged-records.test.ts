/**
 * One damaged record of every kind in engine.db and directory.db, in one folder: its neighbours are
 * listed and read, and new work runs to its end. Each capability has a short proof of its own.
 * @module-tag full
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contacts, people } from '../cli/lists.ts';
import { makePlace } from '../cli/run-desk.ts';
import { type EngineHere, startEngineHere } from '../engine-here.ts';

/** What is stored as JSON, in every table whose records are read together. */
const columns: readonly (readonly [file: string, table: string, column: string])[] = [
  ['engine.db', 'job', 'mapping'],
  ['engine.db', 'pipeline', 'mapping'],
  ['engine.db', 'email_validation', 'counts'],
  ['engine.db', 'monitor', 'schedule'],
  ['engine.db', 'webhook', 'events'],
  ['engine.db', 'list_template', 'headers'],
  ['engine.db', 'retention_run', 'deleted'],
  ['directory.db', 'source_import', 'report'],
];
const place = makePlace();
let engine: EngineHere;
const ask = (method: string, path: string, body?: object) =>
  engine.ask(method, `/app/v1/${path}`, body) as Promise<never>;
const enrich = async (out: string) => {
  const line = `enrich contacts.csv --layers L1 --out ${out} --yes --json`;
  return String((await place.here(...line.split(' '))).json.job_id);
};
const unlock = () =>
  place.here(...'pipeline start --contacts contacts.csv --unlock email --yes --json'.split(' '));
const schedule = { rhythm: 'daily', time: '09:00', time_zone: 'UTC' };

/** Adds one record of each kind. Returns the id of its job. */
async function addRecords(name: string): Promise<string> {
  place.write(`${name}.csv`, people.replaceAll('Ada', name));
  await place.here('directory', 'import', `${name}.csv`);
  const jobId = await enrich(`${name}-out.csv`);
  await unlock();
  await place.here('validate-emails', 'contacts.csv', '--out', `${name}-v.csv`, '--yes');
  await ask('POST', 'monitors', { title: name, job_id: jobId, schedule });
  const url = `https://${name.toLowerCase()}.hooks.example/x`;
  await ask('POST', 'webhooks', { url, events: ['pipeline.completed'] });
  const columnsOf = { mapping: { email: 0 }, full_name_column: null, selected_layers: ['L1'] };
  await ask('POST', 'templates', { name, headers: ['E-mail'], ...columnsOf });
  return jobId;
}

let ids: readonly string[] = [];
beforeAll(async () => {
  place.write('contacts.csv', contacts);
  engine = await startEngineHere(place.dataDir);
  ids = [await addRecords('Ada'), await addRecords('Grace')];
  await engine.stop();
});
afterAll(() => place.remove());

/** Changes a database whose triggers refuse the change, as a damaged disk would. */
function withoutTriggers(database: Database.Database, work: () => void): void {
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  work();
  for (const { sql } of triggers) database.exec(sql);
}

/** Damages the first record of each kind. */
function damage(text: string): void {
  for (const file of ['engine.db', 'directory.db']) {
    const database = new Database(join(place.dataDir, file));
    database.pragma('ignore_check_constraints = ON');
    withoutTriggers(database, () => {
      for (const [, table, column] of columns.filter(([name]) => name === file)) {
        const first = `rowid = (SELECT min(rowid) FROM ${table})`;
        const { changes } = database
          .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${first}`)
          .run(text);
        expect(changes, table).toBe(1);
      }
    });
    database.close();
  }
}

const namesOf = (records: readonly { title?: string; name?: string; url?: string }[]) =>
  records.map(({ title, name, url }) => title ?? name ?? url);

async function checkNeighbours(text: string): Promise<void> {
  damage(text);
  engine = await startEngineHere(place.dataDir);
  try {
    const state: { directory: { imports: unknown[] } } = await ask('GET', 'state');
    expect(state.directory.imports).toHaveLength(1);
    const monitors: { title: string; problem: string | null }[] = await ask('GET', 'monitors');
    expect(namesOf(monitors)).toEqual(['Grace', 'Ada']);
    expect(monitors.map(({ problem }) => problem)).toEqual([null, expect.any(String)]);
    expect(namesOf(await ask('GET', 'webhooks'))).toHaveLength(2);
    expect(namesOf(await ask('GET', 'templates'))).toEqual(['Grace']);
    for (const list of ['jobs', 'pipelines', 'email-validations'])
      expect(await ask('GET', list), list).toMatchObject({ count: expect.any(Number) });
    expect(await ask('GET', `jobs/${ids[1]}/rows?limit=10&offset=0`)).toMatchObject({ count: 4 });
    await expect(ask('GET', `jobs/${ids[0]}/rows?limit=10&offset=0`)).rejects.toThrow(
      /What engine\.db has about the job .* is damaged \(mapping\)/,
    );
    await ask('GET', 'retention');
    const checks: { name: string; state: string; detail: string }[] = await ask('GET', 'doctor');
    expect(checks.find(({ name }) => name === 'Records')).toMatchObject({
      state: 'wrong',
      detail: expect.stringMatching(/^3 of \d+ .*job .*mapping.*pipeline .*mapping.*monitor 1/),
    });
    const again = await enrich('again.csv');
    expect(await ask('GET', `jobs/${again}`)).toMatchObject({ status: 'completed' });
    expect((await unlock()).json).toMatchObject({ status: 'completed' });
  } finally {
    expect(await engine.stop()).toBe(0);
  }
}

test('records that cannot be parsed are shown as far as they can be read, and stop no other', () =>
  checkNeighbours('{"a'));

test('nor do records of another form', () => checkNeighbours('[{"a":1}]'));
