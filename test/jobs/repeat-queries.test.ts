// The queries about repeated people, whatever the size of the tables.
import { expect, test } from 'vitest';
import {
  findPaidRows,
  findReturned,
  findRowsOfJob,
  listUnindexed,
} from '../../engine/jobs/repeats/job-person.table.ts';
import { describeRepeats } from '../../engine/jobs/repeats/repeat-row.table.ts';
import { planStatements } from '../migrations/plan-statements.ts';
import { at } from '../migrations/temporary-store.ts';

test('the earlier rows of people are found by their keys only', () => {
  const sources = { accountId: 1, since: at, jobIds: [] };
  const plan = planStatements((database) => {
    findPaidRows(database, sources, ['p']);
    findRowsOfJob(database, { id: 1, accountId: 1 }, ['p']);
    expect([...findReturned(database, 1, 'p')]).toEqual([]);
    listUnindexed(database, sources);
    describeRepeats(database, 0, [1]);
  });
  const free = 'SEARCH f USING PRIMARY KEY (id=?)';
  const merged = 'SEARCH m USING COVERING INDEX merged_person_survivor (survivor_uuid=?)';
  const row = ['SEARCH j USING INTEGER PRIMARY KEY (rowid=?)'];
  const result = 'SEARCH r USING INTEGER PRIMARY KEY (rowid=?)';
  const person = 'SEARCH p USING PRIMARY KEY (account_id=? AND is_charged=? AND person_key=?';
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    merged,
    `${person})`,
    ...row,
    result,
    free,
    `${person} AND job_id=?)`,
    ...row,
    result,
    free,
    `${person})`,
    ...row,
    result,
    'SEARCH j USING INDEX job_without_people (account_id=?)',
    free,
    'SEARCH j USING INDEX sqlite_autoindex_job_3 (result_base=?)',
    expect.stringMatching(
      /^SEARCH job USING COVERING INDEX sqlite_autoindex_job_. \(result_base<\?\)$/,
    ),
  ]);
});
