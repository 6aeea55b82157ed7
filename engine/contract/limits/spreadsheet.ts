// Limits of spreadsheets: uploads, workbooks, and the tables decoded from them.

/** Bytes of an uploaded spreadsheet: 100 MB. */
export const csvUploadBytesMax = 104_857_600;
/** Bytes of an uploaded JSON file, which is held in memory: 50 MB. */
export const jsonUploadBytesMax = 52_428_800;
export const csvCellCharactersMax = 1_048_576;
/**
 * Characters of a cell that are read as a value of a row. A longer cell is a text, of which only
 * the start is read: patterns take a time that grows with the square of the length of some texts.
 */
export const valueCharactersMax = 2_000;
export const csvColumnsMax = 1_000;
export const previewRowsMax = 100;
/** Characters in the preview; no further row is added after them. */
export const previewCharactersMax = 1_048_576;
export const csvWarningsMax = 100;
/** Bytes of a workbook's XML parts, uncompressed: 256 MiB, about 400,000 rows of eight cells. */
export const workbookXmlBytesMax = 268_435_456;
/** Bytes of one part that is neither a sheet nor the shared strings, uncompressed: 16 MiB. */
export const workbookPartBytesMax = 16_777_216;
/** Compression ratio of a larger part. Sheets whose cells have references stay below 25. */
export const workbookRatioMax = 200;
export const workbookRatioBytesMin = 33_554_432;
export const workbookPartsMax = 10_000;
/** Nesting depth of XML elements in a workbook. Spreadsheet programs write about 20. */
export const workbookXmlDepthMax = 64;
/** Characters of one text or tag. Programs write at most 32,767 a cell, each as one to seven. */
export const workbookXmlTokenCharactersMax = 262_144;
export const workbookTextsMax = 10_000_000;
/** Rows of a sheet: the limit of spreadsheet programs. */
export const workbookRowsMax = 1_048_576;
/** Merged ranges and links of a sheet that are noted. */
export const workbookNotesMax = 200_000;
/** Cells of a sheet, as rows with content × columns: empty cells also take space when written. */
export const workbookCellsMax = 100_000_000;
/** Characters in a number format. Programs allow 255. */
export const numberFormatCharactersMax = 255;
/** Bytes of one group of rows of a Parquet file, uncompressed, which is held in memory: 256 MiB. */
export const parquetGroupBytesMax = 268_435_456;
/** Rows between two entries of an input's offset index. */
export const inputIndexStride = 1_000;
/** Bytes of an upload's table on disk: 1 GiB, ten times the size of an upload. */
export const tableBytesMax = 1_073_741_824;
/** Bytes of the table of a list that the directory imports: 8 GiB, twice the size of an import. */
export const importTableBytesMax = 8_589_934_592;
/** Bytes of the rows between two index entries, which readers keep in memory at once: 128 MiB. */
export const tableBlockBytesMax = 134_217_728;
/** Bytes in one read call on a table. Systems read at most 2 GiB. */
export const tableReadBytesMax = 1_073_741_824;
/** Lines with extra cells that are shown, and characters of each. */
export const wideLinesShownMax = 100;
export const wideLineCharactersMax = 200;
/** Lines that are no rows and that are shown. */
export const otherLinesShownMax = 100;
export const headerLinesMax = 20;
export const headerRowsComparedMax = 50;
/** Lines of a list with one contact below the other, whose columns are known only at its end. */
export const cardLinesMax = 200_000;
/** Lines with one cell that wait for the next row: at the end of a list they may be a footer. */
export const footerLinesMax = 50;
/** Visible sheets of a workbook whose column names are compared. */
export const sheetsComparedMax = 20;
export const sheetsListedMax = 100;
/** Rows of each kind that could be left out, and that are shown. */
export const checkedRowsShownMax = 50;
