// An uploaded list of people: a text file with column names.
import { timestampExample } from '../../engine/contract/examples.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { idOf } from './empty-desk.ts';

export const uploadExample: Upload = {
  upload_id: idOf(5),
  file_name: 'people.csv',
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  bytes: 50,
  row_count: 3,
  headers: ['First name', 'Last name', 'Company'],
  labels: ['First name', 'Last name', 'Company'],
  first_rows: [['Ada', 'Lovelace', 'Analytical Engines']],
  mapping: { first_name: 0, last_name: 1, company_name: 2 },
  rows_without_identity: 0,
  duplicate_rows: 0,
  warnings: [],
  expires_at: timestampExample,
  full_name_column: null,
  suggestions: [],
  files: [],
  reading: {
    sheet: null,
    sheets: [],
    header: true,
    first_row_is_contact: false,
    extra_cells: 'refuse',
    wide_count: 0,
    wide_lines: [],
    letters: { is_sure: true, sample: '', others: [] },
    header_line: 1,
    other_count: 0,
    other_lines: [],
  },
};
