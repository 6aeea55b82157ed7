/** Every bound of spreadsheets: uploads, workbooks, and the tables that they become. */

/** Bytes of an uploaded spreadsheet: 100 MB. */
export const csvUploadBytesMax = 104_857_600;
/** Characters in one cell of a caller's row. */
export const csvCellCharactersMax = 1_048_576;
/** Columns in one spreadsheet. */
export const csvColumnsMax = 1_000;
/** Rows of an upload that are shown at once. */
export const previewRowsMax = 100;
/** Characters of those rows, after which no further row is kept for showing. */
export const previewCharactersMax = 1_048_576;
/** Warnings that are kept about one spreadsheet. */
export const csvWarningsMax = 100;
/** Bytes of a workbook's XML parts once unpacked: 256 MiB, some 400,000 rows of eight cells. */
export const workbookXmlBytesMax = 268_435_456;
/** Bytes of one part that is neither a sheet nor the shared text, once unpacked: 16 MiB. */
export const workbookPartBytesMax = 16_777_216;
/**
 * Times its packed size that a part may unpack to, where that is more than the bytes below: sheets
 * whose cells say where they are stay under 25.
 */
export const workbookRatioMax = 200;
export const workbookRatioBytesMin = 33_554_432;
/** Files inside a workbook. */
export const workbookPartsMax = 10_000;
/** Depth of the XML elements of a workbook; programs write some 20. */
export const workbookXmlDepthMax = 64;
/**
 * Characters of one text or tag in the XML of a workbook: programs write cells of 32,767 characters
 * at most, each as one to seven.
 */
export const workbookXmlTokenCharactersMax = 262_144;
/** Shared texts of a workbook. */
export const workbookTextsMax = 10_000_000;
/** Rows of a sheet: as many as any spreadsheet program has. */
export const workbookRowsMax = 1_048_576;
/** Cells of a sheet, rows with content × columns: empty ones cost space once they are written. */
export const workbookCellsMax = 100_000_000;
/** Characters in a number format; programs allow 255. */
export const numberFormatCharactersMax = 255;
/** Rows between two entries of an input's offset index. */
export const inputIndexStride = 1_000;
/** Bytes that an upload's table may come to on the disk: 1 GiB, ten times what is uploaded. */
export const tableBytesMax = 1_073_741_824;
/** The same for a list that the directory imports: 8 GiB, twice what is imported. */
export const importTableBytesMax = 8_589_934_592;
/** Bytes of the rows between two entries of the index, which readers hold at once: 128 MiB. */
export const tableBlockBytesMax = 134_217_728;
/** Bytes that one call reads of a table; systems read no more than 2 GiB. */
export const tableReadBytesMax = 1_073_741_824;
