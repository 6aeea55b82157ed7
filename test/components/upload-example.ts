/** What an upload says about its reading: a text file with column names. */
import type { Upload } from '../../engine/contract/uploads.ts';

export const readingExample: Pick<
  Upload,
  'full_name_column' | 'suggestions' | 'reading' | 'files'
> = {
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
