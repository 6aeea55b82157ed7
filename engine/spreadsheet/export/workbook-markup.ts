/** The parts of a workbook other than its sheets. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const changedFill = 'FFFFE699';

/** A style of cells: its number format, its font and fill, and further attributes. */
const format = (numFmt: number, font: number, fill: number, more = ''): string =>
  `<xf numFmtId="${numFmt}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"${more} ` +
  'applyNumberFormat="1" applyFont="1" applyFill="1"/>';

/** Number formats: 49 is text. */
const [general, asText, day] = [0, 49, 164];
const quoted = ' quotePrefix="1"';
/** The styles that `cellStyles` names, by index. */
const formats = [
  format(general, 0, 0),
  format(asText, 0, 0),
  format(asText, 0, 0, quoted),
  format(general, 0, 0),
  format(day, 0, 0),
  format(asText, 1, 0),
  format(asText, 0, 2),
  format(asText, 0, 2, quoted),
  format(asText, 1, 2),
];

const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill>' +
  `<fill><patternFill patternType="solid"><fgColor rgb="${changedFill}"/>` +
  '<bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${formats.length}">${formats.join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';

const relationships = (list: readonly string[]): string =>
  `${declaration}<Relationships xmlns="${packaging}/relationships">${list.join('')}` +
  '</Relationships>';

const relate = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

/** The name of the part of a sheet, by its number from 1. */
export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** The parts that name the sheets, by their names inside the archive. */
export function describeWorkbook(sheets: readonly string[]): Readonly<Record<string, string>> {
  const numbers = sheets.map((_name, at) => at + 1);
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${types}.${type}+xml"/>`;
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packaging}/content-types">` +
      '<Default Extension="rels" ' +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      override('xl/workbook.xml', 'sheet.main') +
      numbers.map((number) => override(sheetPart(number), 'worksheet')).join('') +
      `${override('xl/styles.xml', 'styles')}</Types>`,
    '_rels/.rels': relationships([relate('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
      sheets
        .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships([
      ...numbers.map((number) =>
        relate(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`),
      ),
      relate(`rId${sheets.length + 1}`, 'styles', 'styles.xml'),
    ]),
    'xl/styles.xml': styles,
  };
}

/** The start of a sheet, up to its rows: the header frozen, and the width of each column. */
export function beginSheet(widths: readonly number[], isFirst: boolean): string {
  const columns = widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews>` +
    `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
    '<sheetFormatPr defaultRowHeight="15"/>' +
    `${columns ? `<cols>${columns}</cols>` : ''}<sheetData>`
  );
}

/**
 * The end of a sheet. Ids and phones are text on purpose, so programs should not warn about them.
 * @param range the cells of the sheet, such as A1:C20
 */
export const endSheet = (range: string): string =>
  `</sheetData><ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/>` +
  '</ignoredErrors></worksheet>';
