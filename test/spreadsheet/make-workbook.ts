// Creates small real .xlsx files for tests: a zip of the required parts.
import { crc32, deflateRawSync } from 'node:zlib';

/** A cell of a sheet's XML: text, or a raw `<c>` element whose reference is filled in. */
export type SheetCell =
  | string
  | { readonly type?: string; readonly style?: number; readonly v: string };

export function packZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function formatSheet(rows: readonly (readonly SheetCell[])[]): string {
  const lines = rows.map((cells, row) => {
    const xml = cells.map((cell, column) => {
      const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
      if (cell === '') return '';
      if (typeof cell === 'string') {
        const text = `<is><t xml:space="preserve">${escapeXml(cell)}</t></is>`;
        return `<c r="${reference}" t="inlineStr">${text}</c>`;
      }
      const type = cell.type ? ` t="${cell.type}"` : '';
      const style = cell.style === undefined ? '' : ` s="${cell.style}"`;
      return `<c r="${reference}"${type}${style}><v>${escapeXml(cell.v)}</v></c>`;
    });
    return `<row r="${row + 1}">${xml.join('')}</row>`;
  });
  return wrapRows(lines.join(''));
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';

export type Parts = Readonly<Record<string, string | Uint8Array>>;

/**
 * A workbook with the given sheet XML, as `Sheet1`, `Sheet2` and so on. Style 1 is a date, style 2
 * a date with time.
 * @param more further parts, or replacements of the default ones
 */
export function packWorkbook(sheets: readonly (string | Uint8Array)[], more: Parts = {}): Buffer {
  const numbers = sheets.map((_, place) => place + 1);
  const listed = numbers.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`);
  const related = numbers.map(
    (n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/s${n}.xml"/>`,
  );
  const styles = `<Relationship Id="rId99" Type="${office}/styles" Target="styles.xml"/>`;
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `<Types xmlns="${packaging}/content-types"/>`,
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets>` +
      '</workbook>',
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${packaging}/relationships">${related.join('')}${styles}` +
      '</Relationships>',
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/>` +
      '<xf numFmtId="22"/></cellXfs></styleSheet>',
  };
  for (const [place, sheet] of sheets.entries()) files[`xl/worksheets/s${place + 1}.xml`] = sheet;
  return packZip({ ...files, ...more });
}

/** A sheet's XML around the XML of its rows. */
export const wrapRows = (rows: string): string =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;

/** A workbook of the given sheets, with the styles of packWorkbook. */
export const makeWorkbook = (sheets: readonly (readonly (readonly SheetCell[])[])[]): Buffer =>
  packWorkbook(sheets.map(formatSheet));

/** A small workbook with one cell in the last row and last column. */
export const makeFarCell = (): Buffer =>
  packWorkbook([
    wrapRows(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Email</t></is></c></row>' +
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    ),
  ]);

/** The refusal of that workbook. */
export const farCellRefusal =
  'Sheet1 uses 1,048,576 rows × 16,384 columns because of cell XFD1048576. Delete the empty ' +
  'rows and columns, or save the sheet as "CSV UTF-8" and choose the new file.';
