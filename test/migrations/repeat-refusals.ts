// What the schema refuses of repeated people; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const insertRepeat = (values: string) => `INSERT INTO repeat_row VALUES (${values})`;
const insertPerson = (values: string) => `INSERT INTO job_person VALUES (${values})`;
const counted = 'duplicate_rows + paid_before_rows <= enriched_rows';

export const repeatRefusals: readonly Refusal[] = [
  ["INSERT INTO layer_charge SELECT id, 'L1', -1 FROM job LIMIT 1", 'units >= 0'],
  ['UPDATE job SET duplicate_rows = -1', 'duplicate_rows >= 0'],
  ['UPDATE job SET paid_before_rows = -1', 'paid_before_rows >= 0'],
  ['UPDATE job SET known_rows = -1', 'known_rows >= 0'],
  ['UPDATE job SET duplicate_rows = 1', counted],
  ['UPDATE job SET paid_before_rows = 1', counted],
  ['UPDATE job SET known_rows = 1', 'known_rows <='],
  ['UPDATE job SET people_indexed = 1', "people_indexed = 0 OR status = 'completed'"],
  ['UPDATE job SET people_indexed = 2', 'people_indexed IN (0, 1)'],
  ["UPDATE job SET new_since = 'nobody'", 'FOREIGN KEY'],
  ['UPDATE job SET free_repeat_days = -1', 'free_repeat_days >= 0'],
  ['UPDATE account SET free_repeat_days = 3651', 'free_repeat_days BETWEEN 0 AND 3650'],
  ['UPDATE account SET infer_emails = 2', 'infer_emails IN (0, 1)'],
  [insertRepeat('1, 1, 0, 1'), 'source_id <> id'],
  [insertRepeat('2, 1, 3, 1'), 'kind IN (0, 1, 2)'],
  [insertRepeat('2, 1, 0, 0'), 'free_layers > 0'],
  [insertPerson('1, 1, 7, 99, 0'), 'FOREIGN KEY'],
  [insertPerson('1, 1, 7, 1, -1'), 'row_index >= 0'],
  [insertPerson('1, 2, 7, 1, 0'), 'is_charged IN (0, 1)'],
];
