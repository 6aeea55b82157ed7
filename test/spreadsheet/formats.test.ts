// Lists in formats that are neither CSV nor .xlsx: what is read of them, and what is refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { csvColumnsMax } from '../../engine/contract/limits/spreadsheet.ts';
import { detectFile } from '../../engine/spreadsheet/detect.ts';
import { writeParquet } from '../../engine/spreadsheet/export/write-parquet.ts';
import { writeJsonLines } from '../../engine/spreadsheet/export/write-table.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { runsOf } from '../property-runs.ts';
import { tableOf } from './export/read-exported.ts';
import { makeWorkbook, packZip } from './make-workbook.ts';
import { readList } from './read-list.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-formats-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

type Rows = readonly (readonly string[])[];

const escapeXml = (text: string): string =>
  text.replace(/[&<>"\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const makeOds = (tables: string, styles = ''): Buffer =>
  packZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml':
      '<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" ' +
      `xmlns:text="x"><office:automatic-styles>${styles}</office:automatic-styles><office:body>` +
      `<office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  });
const odsText = (text: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${escapeXml(text)}</text:p></table:table-cell>`;
const odsTable = (rows: Rows): string =>
  `<table:table table:name="List">${rows
    .map((cells) => `<table:table-row>${cells.map(odsText).join('')}</table:table-row>`)
    .join('')}</table:table>`;

const makeXml = (sheets: string): string =>
  `<?xml version="1.0"?><Workbook xmlns:ss="s">${sheets}</Workbook>`;
const xmlSheet = (rows: Rows): string =>
  `<Worksheet ss:Name="List"><Table>${rows
    .map(
      (cells) =>
        `<Row>${cells
          .map((cell) => `<Cell><Data ss:Type="String">${escapeXml(cell)}</Data></Cell>`)
          .join('')}</Row>`,
    )
    .join('')}</Table></Worksheet>`;

/** The same rows in every format. The first row has the names. */
const writers: Readonly<Record<string, (rows: Rows) => string | Uint8Array>> = {
  'an OpenDocument spreadsheet': (rows) => makeOds(odsTable(rows)),
  'an XML spreadsheet': (rows) => makeXml(xmlSheet(rows)),
  'a workbook': (rows) => makeWorkbook([rows]),
  'a web page': (rows) =>
    `<html><table>${rows
      .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`)
      .join('')}</table></html>`,
  'JSON Lines': ([names = [], ...rows]) =>
    rows
      .map((cells) =>
        JSON.stringify(Object.fromEntries(names.map((name, at) => [name, cells[at]]))),
      )
      .join('\n'),
  JSON: ([names = [], ...rows]) =>
    JSON.stringify({
      meta: { count: rows.length },
      data: rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]]))),
    }),
  Parquet: ([names = [], ...rows]) =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: names.map((name, at) => ({
          name,
          data: rows.map((cells) => cells[at] ?? ''),
          type: 'STRING' as const,
        })),
      }),
    ),
};

const word = fc.stringMatching(/^[a-zäß<&"'愛\u{1f600}]([ a-z0-9é;,<&"]{0,8}[a-zäß愛])?$/u);
const list = fc.tuple(word, fc.array(fc.tuple(word, word, word), { minLength: 2, maxLength: 6 }));

test.each(Object.entries(writers))('%s gives the rows that were written', async (_kind, write) => {
  await fc.assert(
    fc.asyncProperty(list, async ([first, rows]) => {
      const names = ['First name', 'Email', 'Note'];
      const lines = [names, ...rows.map(([, ...rest]) => [first, ...rest])];
      const { found } = await readList(write(lines), { header: 'yes', other_lines: 'keep' });
      expect(found).toEqual(lines);
    }),
    { numRuns: runsOf(15) },
  );
});

test('cells of an OpenDocument spreadsheet are read as the sheet shows them', async () => {
  const hidden =
    '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
  const cell = (type: string, value: string, shown: string) =>
    `<table:table-cell office:value-type="${type}" office:${type === 'date' ? 'date-' : type === 'boolean' ? 'boolean-' : ''}value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
  const secret = odsTable([
    ['Email', 'First name', 'Company'],
    ['x', 'y', 'z'],
  ]).replace('table:name="List"', 'table:name="Secret" table:style-name="ta2"');
  const body =
    '<table:table table:name="Contacts"><table:table-row table:number-rows-repeated="2">' +
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row>' +
    `${['Email', 'Id', 'Phone', 'Amount', 'Since', 'Active', 'Note'].map(odsText).join('')}` +
    '<table:table-cell table:number-columns-repeated="16377"/></table:table-row><table:table-row>' +
    '<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p>' +
    '</office:annotation><text:p><text:a>a@ola</text:a>.example</text:p></table:table-cell>' +
    cell('float', '7', '007') +
    cell('float', '30123456', '(030) 123456') +
    cell('float', '1234.5', '1.234,50 €') +
    cell('date', '2024-01-31T00:00:00', '31.01.24') +
    cell('boolean', 'true', 'WAHR') +
    '<table:table-cell office:value-type="string"><text:p>two<text:s text:c="2"/>words</text:p>' +
    '<text:p>next line</text:p></table:table-cell></table:table-row><table:table-row ' +
    `table:number-rows-repeated="2">${odsText('b@ola.example')}<table:table-cell ` +
    'table:formula="of:=[.A1]"/></table:table-row><table:table-row ' +
    'table:number-rows-repeated="1048570"><table:table-cell/></table:table-row></table:table>';
  const { found, kind, sheet, reading, warnings, headerLine } = {
    reading: null,
    ...(await readList(makeOds(secret + body, hidden))),
  };
  expect([kind, sheet, reading, headerLine]).toEqual(['ods', 'Contacts', null, 3]);
  expect(found.slice(1)).toEqual([
    [
      'a@ola.example',
      '007',
      '(030) 123456',
      '1234.5',
      '2024-01-31',
      'TRUE',
      'two  words\nnext line',
    ],
    ['b@ola.example', '', '', '', '', '', ''],
    ['b@ola.example', '', '', '', '', '', ''],
  ]);
  expect(warnings[0]?.message).toMatch(
    /^One cell has a formula without a value and is empty, the first in row 5/,
  );
  const secrets = await readList(makeOds(secret + body, hidden), { sheet: 'Secret' });
  expect(secrets.found[1]).toEqual(['x', 'y', 'z']);
});

test('an XML spreadsheet has places, days, marks within texts and hidden sheets', async () => {
  const xml = makeXml(
    '<Worksheet ss:Name="Old"><Table><Row><Cell><Data>Email</Data></Cell><Cell><Data>Name</Data>' +
      '</Cell></Row></Table><WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>' +
      '</Worksheet><Worksheet ss:Name="List"><Table><Row ss:Index="3">' +
      '<Cell><Data>Email</Data></Cell>' +
      '<Cell ss:MergeAcross="1"><Data>Name</Data></Cell><Cell><Data>Since</Data></Cell></Row><Row>' +
      '<Cell ss:Index="2"><ss:Data ss:Type="String"><B>An</B>na</ss:Data></Cell>' +
      '<Cell ss:Index="4">' +
      '<Data ss:Type="DateTime">2024-01-31T00:00:00.000</Data></Cell></Row></Table></Worksheet>',
  );
  const { found, sheet, headerLine } = await readList(xml);
  expect([sheet, headerLine]).toEqual(['List', 3]);
  expect(found).toEqual([
    ['Email', 'Name', '', 'Since'],
    ['', 'Anna', '', '2024-01-31'],
  ]);
  await expect(readList('<?xml version="1.0"?><rss/>')).rejects.toThrow(
    'The file is XML, not a table.',
  );
});

test('a web page gives its table of contacts, in its own encoding', async () => {
  const page =
    '<html><head><meta charset=windows-1252><style>td>a{b<c}</style><script>"<table>"</script>' +
    '</head><body><table><tr><td>Menu<td>Help</table><!-- <table> --><TABLE><TR><TH colspan=2>' +
    'First&nbsp;Name<TH>Email<TH>Company<tr><td>J\u00fcr<b>gen</b><td>x<td>j@ola.example' +
    '<td rowspan=2>Ola &amp; S&ouml;hne<tr><td>Zo&#235;<br>Maria<td><table><tr><td>in</td></tr>' +
    '</table><td>a < b</table></body></html>';
  const { found, encoding, sheet } = await readList(Buffer.from(page, 'latin1'));
  expect([encoding, sheet]).toEqual(['windows-1252', 'Table 2']);
  expect(found).toEqual([
    ['First Name', '', 'Email', 'Company'],
    ['Jürgen', 'x', 'j@ola.example', 'Ola & Söhne'],
    ['Zoë Maria', 'in', 'a < b', 'Ola & Söhne'],
  ]);
  await expect(readList('<html><p>No list</html>')).rejects.toThrow('a web page without a table');
});

test('each contact of an address book is a row', async () => {
  const { found } = await readList(
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Dr. Ann Lee\r\nN:Lee;Ann;May;Dr.;MBA\r\n' +
      'ORG:Ola\\, Ltd;Sales\r\n' +
      'TITLE:Buyer\r\nEMAIL;TYPE=INTERNET,WORK:ann@ola.exam\r\n ple\r\n' +
      'item1.EMAIL:a2@ola.example\r\n' +
      'TEL;TYPE=CELL:+49 170 1\r\nTEL;TYPE=WORK,FAX:+49 2\r\n' +
      'ADR;TYPE=WORK:;;Main 1;Bremen;;28195;DE\r\n' +
      'PHOTO;ENCODING=b:AAAA\r\n BBBB\r\nSOCIALPROFILE:https://linkedin.com/in/ann\r\nEND:VCARD\r\n' +
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\nller;Bo;;;\n' +
      'TEL;CELL:+49 171\nEND:VCARD\n' +
      // Folded as well as broken softly, a type without its name, and Base64.
      'BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=D0=98=D0=B2=\n =D0=B0=D0=BD;\n' +
      'ORG;BASE64:T2xh\nEMAIL;PREF;INTERNET:i@ola.example\nEND:VCARD\n' +
      'BEGIN:VCARD\nVERSION:4.0\nFN:Cut off\n',
  );
  const [names = [], ...rows] = found;
  const contacts = rows.map((cells) =>
    Object.fromEntries(names.map((name, at) => [name, cells[at]]).filter(([, cell]) => cell)),
  );
  expect(contacts).toEqual([
    {
      'Full name': 'Dr. Ann Lee',
      'First name': 'Ann',
      'Middle name': 'May',
      'Last name': 'Lee',
      'Name suffix': 'MBA',
      Company: 'Ola, Ltd',
      Department: 'Sales',
      'Job title': 'Buyer',
      'Work email': 'ann@ola.example',
      email: 'a2@ola.example',
      'Mobile phone': '+49 170 1',
      'Work Street': 'Main 1',
      'Work City': 'Bremen',
      'Work Postal code': '28195',
      'Work Country': 'DE',
      'LinkedIn profile': 'https://linkedin.com/in/ann',
    },
    {
      'First name': 'Bo',
      'Last name': 'Müller',
      'Mobile phone': '+49 171',
    },
    { 'Last name': 'Иван', Company: 'Ola', email: 'i@ola.example' },
  ]);
});

// The text of recipients, and their names and addresses.
test.each<[kind: string, text: string, rows: string[][]]>([
  [
    'one a line',
    'Ann Lee <ann@ola.example>\r\n"Kim, Bo" <bo@ola.example>\r\n',
    [
      ['Ann Lee', 'ann@ola.example'],
      ['Kim, Bo', 'bo@ola.example'],
    ],
  ],
  [
    'a field with semicolons and names with commas',
    'To: Lee, Ann <ann@ola.example>; Kim, Bo <bo@ola.example>; cy@ola.example; Di Fox',
    [
      ['Lee, Ann', 'ann@ola.example'],
      ['Kim, Bo', 'bo@ola.example'],
      ['', 'cy@ola.example'],
      ['Di Fox', ''],
    ],
  ],
  [
    'fields with commas, on several lines',
    'To: Ann Lee <ann@ola.example>, "Kim, Bo" <bo@ola.example>,\n  <cy@ola.example>\n' +
      'Cc: Di <di@ola.example>\n',
    [
      ['Ann Lee', 'ann@ola.example'],
      ['Kim, Bo', 'bo@ola.example'],
      ['', 'cy@ola.example'],
      ['Di', 'di@ola.example'],
    ],
  ],
  [
    'other brackets, comments, repeated addresses and encoded words',
    'Ann Lee [mailto:ann@ola.example]\nbo@ola.example (Bo Kim)\n' +
      "'cy@ola.example' <cy@ola.example>\n" +
      '=?UTF-8?Q?J=C3=BCrgen_M?= =?UTF-8?B?w7xsbGVy?= <jm@ola.example>\n',
    [
      ['Ann Lee', 'ann@ola.example'],
      ['Bo Kim', 'bo@ola.example'],
      ['', 'cy@ola.example'],
      ['Jürgen Müller', 'jm@ola.example'],
    ],
  ],
  ['a heading', 'Attendees:\nZoë Lee <zoe@ola.example>\n', [['Zoë Lee', 'zoe@ola.example']]],
  [
    'addresses alone, in one line',
    'ann@ola.example; bo@ola.example, cy@ola.example',
    [
      ['', 'ann@ola.example'],
      ['', 'bo@ola.example'],
      ['', 'cy@ola.example'],
    ],
  ],
])('each recipient that a mail program names is a row: %s', async (_kind, text, rows) => {
  expect((await readList(text)).found).toEqual([['Full name', 'Email'], ...rows]);
});

test.each([
  ['a column of recipients among others', 'Company,Contact\nOla,Ann Lee <ann@ola.example>\n'],
  ['two cells without names of columns', 'Ola,Ann Lee <a@ola.example>\nElm,Bo <b@elm.example>\n'],
  ['a name and an address in brackets', 'Name;Email\nAnn Lee;<ann@ola.example>\n'],
  ['columns of addresses', 'a@ola.example,b@ola.example\nc@ola.example,d@ola.example\n'],
  ['one address a line', 'a@ola.example\nb@ola.example\n'],
  ['text behind the address', 'Ann Lee <ann@ola.example>, Ola Ltd\nBo <b@ola.example>, Elm\n'],
])('cells with addresses are no recipients: %s', (_kind, text) => {
  expect(detectFile(Buffer.from(text)).kind).toBe('csv');
});

test('objects in JSON are columns of their own, and lists of texts one cell', async () => {
  const { found } = await readList(
    '{"a": 1, "b": {"c": null, "d": true}}\n{"a": 12345678901234567890, "e": ["x", 2]}\n',
  );
  expect(found).toEqual([
    ['a', 'b.c', 'b.d', 'e'],
    ['1', '', 'true', ''],
    ['12345678901234567890', '', '', 'x; 2'],
  ]);
});

const [annOfJson, boOfJson] = ['{"name":"Ann Lee","email":"a@ola.example"}', '{"name":"Bo Kim"}'];
const peopleOfJson = [
  ['name', 'email'],
  ['Ann Lee', 'a@ola.example'],
  ['Bo Kim', ''],
];

const card = (...lines: string[]): string => `BEGIN:VCARD\n${lines.join('\n')}\nEND:VCARD\n`;

test.each<[what: string, text: string, rows: Rows]>([
  [
    'the preferred address first',
    card('FN:Ann Lee', 'EMAIL:a@lee.example', 'EMAIL;PREF=1:a@ola.example'),
    [
      ['Full name', 'email', 'email 2'],
      ['Ann Lee', 'a@ola.example', 'a@lee.example'],
    ],
  ],
  [
    'organisations without the name of a person',
    card('FN:Ann Lee', 'ORG:Ola') +
      card('KIND:org', 'FN:Elm') +
      card('N:;;;;', 'FN:Oak AS', 'ORG:Oak AS') +
      card('N:Ash;;;;', 'ORG:Ash', 'X-ABShowAs:COMPANY'),
    [
      ['Full name', 'Company'],
      ['Ann Lee', 'Ola'],
      ['', 'Elm'],
      ['', 'Oak AS'],
      ['', 'Ash'],
    ],
  ],
  [
    'a contact with the card of an assistant',
    card('FN:Ann Lee', 'AGENT:', 'BEGIN:VCARD', 'FN:Bo Kim', 'END:VCARD', 'TITLE:CEO'),
    [
      ['Full name', 'Job title'],
      ['Ann Lee', 'CEO'],
    ],
  ],
  [
    'a value that goes on in a line without a space',
    card('FN:Ann Lee', 'ADR;WORK:;;Dock Lane;Hull;;A1 ', '5AB;United Kingdom'),
    [
      ['Full name', 'Work Street', 'Work City', 'Work Postal code', 'Work Country'],
      ['Ann Lee', 'Dock Lane', 'Hull', 'A1 5AB', 'United Kingdom'],
    ],
  ],
])('a vCard is read with %s', async (_what, text, rows) => {
  expect((await readList(text)).found).toEqual(rows);
});

test('a group of contacts in an address book is no contact, and is named', async () => {
  const { found, warnings } = await readList(
    card('FN:Ann Lee') + card('KIND:group', 'FN:Friends', 'MEMBER:urn:uuid:1'),
  );
  expect(found).toEqual([['Full name'], ['Ann Lee']]);
  expect(warnings).toEqual([{ line: 4, message: expect.stringContaining('group of contacts') }]);
});

test.each<[form: string, text: string, rows?: Rows]>([
  ['rows below their names', '[["name","email"],["Ann Lee","a@ola.example"],["Bo Kim"]]'],
  [
    'the values of a sheet',
    '{"range":"A1:B3","values":[["name","email"],["Ann Lee","a@ola.example"],["Bo Kim",null]]}',
  ],
  [
    'names, numbers and rows apart',
    '{"columns":["name","email"],"index":[0,1],"data":[["Ann Lee","a@ola.example"],["Bo Kim",""]]}',
  ],
  [
    'columns by row',
    '{"name":{"0":"Ann Lee","1":"Bo Kim"},"email":{"0":"a@ola.example","1":null}}',
  ],
  ['columns as lists', '{"name":["Ann Lee","Bo Kim"],"email":["a@ola.example",null]}'],
  ['a list in objects', `{"ok":true,"data":{"total":2,"people":[${annOfJson},${boOfJson}]}}`],
  ['nodes', `{"data":{"people":{"edges":[{"node":${annOfJson}},{"node":${boOfJson}}]}}}`],
  [
    'objects by key',
    `{"people":{"k1":${annOfJson},"k2":{"name":"Bo Kim","email":""}}}`,
    [
      ['key', 'name', 'email'],
      ['k1', 'Ann Lee', 'a@ola.example'],
      ['k2', 'Bo Kim', ''],
    ],
  ],
  [
    'lists of objects, and what is deeper',
    '{"people":[{"emails":[{"value":"a@ola.example"},{"value":"a@lee.example"}],"x":[[1],{"y":2}]}]}',
    [
      ['emails.value', 'emails 2.value', 'x'],
      ['a@ola.example', 'a@lee.example', '[["1"],{"y":"2"}]'],
    ],
  ],
  ['one contact', annOfJson, peopleOfJson.slice(0, 2)],
  ['commas behind the last parts', `[\n${annOfJson},\n${boOfJson},\n]`],
  ['lines with commas', `${annOfJson},\n${boOfJson},\n`],
  ['objects over several lines', `${annOfJson.replace(',', ',\n')}\n${boOfJson}\n`],
  ['words for nothing', `[${annOfJson},{"name":"Bo Kim","email":NaN}]`],
  ['a code block', `\`\`\`json\n[${annOfJson},${boOfJson}]\n\`\`\`\n`],
  ['a script', `const people = [${annOfJson},\n${boOfJson}];\n`],
])('JSON is read as %s', async (_form, text, rows = peopleOfJson) => {
  const { found, kind } = await readList(text);
  expect(kind).toBe('json');
  expect(found).toEqual(rows);
});

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'])(
  'a Parquet file of another writer is read as that one reads it: %s',
  async (codec) => {
    const path = join(dir, 'peer.parquet');
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const columns =
      "concat('Person ', i) AS name, i::BIGINT * 1000000007 AS id, i % 3 = 0 AS active, " +
      "DATE '2024-01-01' + i::INT AS since, i / 7.0 AS share, " +
      "CASE WHEN i % 5 > 0 THEN 'Größe' END AS note, " +
      "['a', 'b'] AS tags";
    await duckdb.run(
      `COPY (SELECT ${columns} FROM range(4000) t(i)) TO '${path}' ` +
        `(FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 2048)`,
    );
    const oracle = await duckdb.runAndReadAll(
      "SELECT name, id::TEXT, active::TEXT, since::TEXT, coalesce(note, ''), " +
        `array_to_string(tags, '; ') FROM '${path}'`,
    );
    duckdb.closeSync();
    const rows: string[][] = [];
    const { headers, kind } = await prepareTable({
      sourcePath: path,
      targetDir: null,
      fileName: 'peer.parquet',
      onRow: (_line, cells) => rows.push([...cells.slice(0, 4), ...cells.slice(5)]),
    });
    expect([kind, headers]).toEqual([
      'parquet',
      ['name', 'id', 'active', 'since', 'share', 'note', 'tags'],
    ]);
    expect(rows).toEqual(oracle.getRows());
  },
);

const exported = tableOf(
  ['Email', 'Email', '', { name: 'Credits', type: 'number', isOwn: false }],
  Array.from({ length: 21_000 }, (_, at) => [
    `p${at}@ola.example`,
    at % 3 === 0 ? '=1+1 "Größe"\n' : '',
    `00${at}`,
    at % 2 === 0 ? `${at / 2}` : '',
  ]),
);
const exportedRows = [...exported.rows()].flat().map(({ cells }) => [...cells]);

test('an export as JSON Lines is read back as it was, and text stays text', async () => {
  const text = [...writeJsonLines(exported)].join('');
  expect(text.slice(0, text.indexOf('\n'))).toBe(
    '{"Email":"p0@ola.example","Email (2)":"=1+1 \\"Größe\\"\\n","Column 3":"000","Credits":0}',
  );
  const rows: string[][] = [];
  const [sourcePath, onRow] = [
    join(dir, 'x.jsonl'),
    (_line: number, cells: readonly string[]) => void rows.push([...cells]),
  ];
  writeFileSync(sourcePath, text);
  const { headers } = await prepareTable({
    sourcePath,
    targetDir: null,
    fileName: 'x.jsonl',
    onRow,
  });
  expect(headers).toEqual(['Email', 'Email (2)', 'Column 3', 'Credits']);
  expect(rows).toEqual(exportedRows);
});

test('an export as Parquet is what another reader reads, in several groups', async () => {
  const path = join(dir, 'x.parquet');
  writeFileSync(
    path,
    Buffer.concat([...writeParquet(exported)].map((piece) => Buffer.from(piece))),
  );
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  const ask = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRows();
  expect(await ask(`SELECT count(*), sum("Credits"), max("Column 3") FROM '${path}'`)).toEqual([
    [21_000n, 55_119_750, '009999'],
  ]);
  const groups = `SELECT count(DISTINCT row_group_id) FROM parquet_metadata('${path}')`;
  expect(await ask(groups)).toEqual([[3n]]);
  const rows = await ask(`SELECT "Email", coalesce("Email (2)", ''), "Column 3" FROM '${path}'`);
  duckdb.closeSync();
  expect(rows).toEqual(exportedRows.map((cells) => cells.slice(0, 3)));
});

const wide = `${'<table:table-row>'}${odsText('x').replace('<table:table-cell', `<table:table-cell table:number-columns-repeated="${csvColumnsMax + 1}"`)}</table:table-row>`;

test.each<[what: string, content: string | Uint8Array, refusal: RegExp]>([
  [
    'an empty .ods',
    makeOds('<table:table/>'),
    /an OpenDocument spreadsheet \(\.ods\) without cells/,
  ],
  ['an empty XML spreadsheet', makeXml(''), /an XML spreadsheet without cells/],
  [
    'a text repeated over too many columns',
    makeOds(`<table:table table:name="A">${wide}</table:table>`),
    /more than 1,000 columns/,
  ],
  [
    'a text repeated over too many rows',
    makeOds(
      '<table:table table:name="A"><table:table-row table:number-rows-repeated="99999999">' +
        `${odsText('x')}</table:table-row></table:table>`,
    ),
    /more than 1,048,576 rows/,
  ],
  [
    'a spreadsheet without its content',
    packZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
    /content\.xml is missing/,
  ],
  [
    'a spreadsheet with a password',
    packZip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': 'x',
      'META-INF/manifest.xml': '<m:manifest><m:encryption-data/></m:manifest>',
    }),
    /protected with a password\. Open it in LibreOffice/,
  ],
  [
    'XML that ends early',
    makeXml('<Worksheet ss:Name="A"><Table>').replace('</Workbook>', ''),
    /not valid XML/,
  ],
  [
    'a cell beyond the last column',
    makeXml('<Worksheet><Table><Row><Cell ss:Index="99999"/></Row></Table></Worksheet>'),
    /a cell in column 99999/,
  ],
  ['a tag that is never closed', `<table><tr><td ${'x'.repeat(70_000)}`, /never closed/],
  [
    'a line that is no JSON',
    '{"a": 1}\n{"a": 2}\n{"a"\n',
    /Line 3 of the file is not complete JSON/,
  ],
  [
    'JSON with two lists',
    `{"people":[${annOfJson}],"firms":[{"name":"Ola"}]}`,
    /several lists: "people", "firms"\. Save the list that you mean/,
  ],
  ['a list in SYLK', 'ID;PWXL;N;E\nC;Y1;X1;K"Name"\nE\n', /SYLK or DIF\)\. Open it in Excel/],
  ['a list in DIF', 'TABLE\r\n0,1\r\n"EXCEL"\r\nVECTORS\r\n0,2\r\n', /SYLK or DIF/],
  [
    'contacts as jCard',
    '["vcard",[["version",{},"text","4.0"],["fn",{},"text","Ann Lee"]]]',
    /as jCard\. Export the contacts as a vCard/,
  ],
  [
    'several contacts as jCard',
    '[["vcard",[["fn",{},"text","Ann Lee"]]],["vcard",[["fn",{},"text","Bo Kim"]]]]',
    /as jCard/,
  ],
  ['JSON without a list', '{"error":"unauthorized","status":401}', /is not a list/],
  [
    'a Parquet file that ends early',
    Buffer.from('PAR1 and no more of it PAR1'),
    /The Parquet file cannot be read/,
  ],
  ['an address book without a whole contact', 'BEGIN:VCARD\nFN:Ann\n', /no complete contact/],
])('%s is refused', async (_what, content, refusal) => {
  await expect(readList(content)).rejects.toThrow(refusal);
});
