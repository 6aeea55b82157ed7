// What the schema refuses of repeated people; schema.test.ts runs them.

type Refusal = readonly [what: string, sql: string, message: string];

const insertRepeat = (values: string) => `INSERT INTO repeat_row VALUES (${values})`;
const insertPerson = (values: string) => `INSERT INTO job_person VALUES (${values})`;
const counted = 'duplicate_rows + paid_before_rows <= enriched_rows';

/** [what, SQL, the words of the refusal], on the store that schema.test.ts fills. */
export const repeatRefusals: readonly Refusal[] = [
  [
    'a layer that charges less than nothing',
    "INSERT INTO layer_charge SELECT id, 'L1', -1 FROM job LIMIT 1",
    'units >= 0',
  ],
  ['duplicates below 0', 'UPDATE job SET duplicate_rows = -1', 'duplicate_rows >= 0'],
  ['paid rows below 0', 'UPDATE job SET paid_before_rows = -1', 'paid_before_rows >= 0'],
  ['known rows below 0', 'UPDATE job SET known_rows = -1', 'known_rows >= 0'],
  ['more duplicates than enriched rows', 'UPDATE job SET duplicate_rows = 1', counted],
  ['more paid rows than enriched rows', 'UPDATE job SET paid_before_rows = 1', counted],
  ['more known rows than skipped rows', 'UPDATE job SET known_rows = 1', 'known_rows <='],
  [
    'people of an unfinished job',
    'UPDATE job SET people_indexed = 1',
    "people_indexed = 0 OR status = 'completed'",
  ],
  ['people that are half there', 'UPDATE job SET people_indexed = 2', 'people_indexed IN (0, 1)'],
  ['an unknown excluded job', "UPDATE job SET new_since = 'nobody'", 'FOREIGN KEY'],
  ['free days of a job below 0', 'UPDATE job SET free_repeat_days = -1', 'free_repeat_days >= 0'],
  [
    'more free days than ten years',
    'UPDATE account SET free_repeat_days = 3651',
    'free_repeat_days BETWEEN 0 AND 3650',
  ],
  ['an account that half infers', 'UPDATE account SET infer_emails = 2', 'infer_emails IN (0, 1)'],
  ['a row that repeats itself', insertRepeat('1, 1, 0, 1'), 'source_id <> id'],
  ['an unknown kind of repeat', insertRepeat('2, 1, 3, 1'), 'kind IN (0, 1, 2)'],
  ['a repeat that frees no layer', insertRepeat('2, 1, 0, 0'), 'free_layers > 0'],
  ['a person of an unknown job', insertPerson('1, 1, 7, 99, 0'), 'FOREIGN KEY'],
  ['a person of a row below 0', insertPerson('1, 1, 7, 1, -1'), 'row_index >= 0'],
  ['a person charged twice', insertPerson('1, 2, 7, 1, 0'), 'is_charged IN (0, 1)'],
];
