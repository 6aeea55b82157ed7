// Limits of exports: workbooks, and overwrite rules.

/** Rows below the header in one sheet: the limit of spreadsheet programs less the header. */
export const exportSheetRowsMax = 1_048_575;
/** Characters in one cell of a workbook: the limit of Excel. */
export const exportCellCharactersMax = 32_767;
/** Bytes of one part of a workbook, uncompressed, and of the whole file: the limit of zip. */
export const exportPartBytesMax = 4_294_967_295;
/** Cells of each outcome and column that a diff shows. */
export const diffExamplesMax = 5;
export const diffSourcesMax = 100;
/** Columns with a rule, and sources of a rule. */
export const overwriteColumnsMax = 1_000;
export const overwriteSourcesMax = 100;

/** Rows of a list whose cells are read to find the column with the ids of a CRM's records. */
export const recordIdRowsMax = 200;

/** Columns that an export can choose; as many as a workbook can have. */
export const exportColumnsMax = 16_384;
