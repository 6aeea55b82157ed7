// No route of the team's directory gives someone who opted out in the own directory alone.
import { expect, test } from 'vitest';
import { companyNameKey } from '../../engine/directory/normalize/normalize-company.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { openSharedPeople } from '../../engine/shared/records/open-people.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';
import { openSharedFixture, teamRows } from './shared-fixture.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);

const team = [
  { first: 'Uma', last: 'Same', jobs: [{ at: 'One Ltd' }] },
  { first: 'Eve', last: 'Mail', jobs: [{ at: 'Two Ltd', email: 'eve@two.example' }] },
  { first: 'Pia', last: 'Page', url: 'https://social.example/in/pia' },
  { first: 'Tom', last: 'Phone' },
  { first: 'Ned', last: 'Name', jobs: [{ at: 'Five Ltd' }] },
  {
    first: 'Old',
    last: 'Ned',
    otherNames: [['Ned', 'Former'] as const],
    jobs: [{ at: 'Five Ltd' }],
  },
  // The same name elsewhere, and a colleague who shares the address of an office.
  { first: 'Ned', last: 'Name', jobs: [{ at: 'Other Ltd' }] },
  { first: 'Ida', last: 'Office', jobs: [{ at: 'Two Ltd', email: 'info@two.example' }] },
];
const open = [7, 8].map((at) => `person ${at}`);

const makeTeam = () => {
  const directory = makeDirectory(team);
  directory.exec(`UPDATE person SET profile_key = 'social.example/in/pia' WHERE id = 3;
    UPDATE person SET mobile_phone = '+41446681800' WHERE id = 4;
    INSERT INTO person_phone (person_id, kind, number, import_id, observed_on)
      VALUES (4, 'mobile', '+41446681800', 1, '2026-01-01');`);
  const setKey = directory.prepare('UPDATE company SET name_key = ? WHERE name = ?');
  for (const name of ['One Ltd', 'Two Ltd', 'Five Ltd', 'Other Ltd'])
    setKey.run(companyNameKey(name), name);
  return directory;
};

test('a person who opted out in the own directory is not in a search, a page or an unlock of the team', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  await loadDirectory(admin, makeTeam(), { secret, source: 'team' });
  const own = await openJobFixture();
  await own.importPeople('crm.csv', [
    'a,Une,Autre,Anywhere,,,1',
    'b,Eva,Changed,Elsewhere,,EVE@two.example,1',
    'c,Pina,Pagina,,,,1',
    'd,Thomas,Fone,,,,1',
    'e,Ned,Name,Five Ltd,,,1',
    'f,Ned,Former,Five Ltd,,,1',
    'g,Info,Desk,Two Ltd,,info@two.example,1',
  ]);
  own.directory.exec(`UPDATE person SET uuid = 'person 1' WHERE first_name = 'Une';
    UPDATE person SET profile_key = 'social.example/in/pia' WHERE first_name = 'Pina';
    UPDATE person SET mobile_phone = '+41446681800' WHERE first_name = 'Thomas';
    INSERT INTO person_phone (person_id, kind, number, import_id, observed_on)
      SELECT id, 'mobile', '+41446681800', import_id, observed_on FROM person
      WHERE first_name = 'Thomas'`);
  const search = openTeamSearch(admin, own.database);
  const found = async () => {
    const { total, results } = await search.people({ limit: 25, offset: 0 });
    expect(total).toBe(results.length);
    return results.map(({ uuid }) => uuid);
  };
  const everyone = team.map((_person, at) => `person ${at + 1}`);
  expect(await found()).toEqual(everyone);
  own.directory.exec('UPDATE person SET opted_out = 1');
  expect(await found()).toEqual(open);
  expect((await search.contacts(everyone)).map(({ uuid }) => uuid)).toEqual(open);
  const { database, close } = await openSharedPeople(admin, own.database, everyone);
  const shown = database.prepare('SELECT uuid FROM person WHERE suppressed = 0 ORDER BY id');
  expect(shown.pluck().all()).toEqual(open);
  close();
  search.close();
});

test('a row of a job that means someone who opted out in the own directory ends as suppressed', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, run } = await openSharedFixture();
  startWorker();
  await own.importPeople('opt-out.csv', ['x,Bob,Private,,,bo0@team0.example,1']);
  own.directory.exec("UPDATE person SET opted_out = 1 WHERE last_name = 'Private'");
  const uuid = own.submit(teamRows.slice(1, 3));
  await run(uuid);
  const rows = own.results(own.read(uuid));
  expect(rows.map(({ status, contactUuid }) => [status, contactUuid !== ''])).toEqual([
    [1, false],
    [0, true],
  ]);
  expect(own.read(uuid)).toMatchObject({ enrichedRows: 1, skippedRows: 1 });
});
