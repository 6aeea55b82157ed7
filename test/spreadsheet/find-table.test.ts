// The table is found in a file: its column names, and the lines that are no rows.
import { expect, test } from 'vitest';
import type { Reading } from '../../engine/contract/reading/reading.ts';
import { makeWorkbook } from './make-workbook.ts';
import { readList } from './read-list.ts';

type Rows = readonly (readonly string[])[];

async function read(content: string | Uint8Array, reading?: Partial<Reading>) {
  const table = await readList(content, reading);
  return { ...table, others: table.otherLines.map(({ line, kind }) => `${line} ${kind}`) };
}

const quote = (cell: string): string =>
  /[",;\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The lines as programs write them: each with all cells, or without the empty ones at its end. */
const writers: Readonly<Record<string, (lines: Rows) => string | Uint8Array>> = {
  'a CSV': (lines) => lines.map((line) => trimEnd(line).map(quote).join(',')).join('\n'),
  'a padded CSV': (lines) => pad(lines, ';').join('\r\n'),
  'a text with tabs': (lines) => `${pad(lines, '\t').join('\r')}\r`,
  'a workbook': (lines) => makeWorkbook([lines]),
};

function trimEnd(line: readonly string[]): readonly string[] {
  let length = line.length;
  while (length > 1 && line[length - 1] === '') length--;
  return line.slice(0, length);
}

function pad(lines: Rows, delimiter: string): string[] {
  const width = Math.max(...lines.map((line) => line.length));
  return lines.map((line) =>
    Array.from({ length: width }, (_cell, at) => quote(line[at] ?? '')).join(delimiter),
  );
}

const turn = (rows: Rows): string[][] =>
  (rows[0] ?? []).map((_cell, at) => rows.map((row) => row[at] ?? ''));

const [ada, bo, cy] = [
  ['Ada', 'Byron', 'ada@engines.example', 'Engines'],
  ['Bo', 'Ström', 'bo@nordlys.example', 'Nordlys'],
  ['Cy', 'Young', '', 'Mound'],
];
const names = ['First name', 'Last name', 'Email', 'Company'];

const twentyNotes = Array.from({ length: 20 }, (_note, at) => [`Note ${at + 1}`]);

/** A file's lines, the table that is meant, and the lines that are no rows. */
const kinds: readonly (readonly [title: string, lines: Rows, table: Rows, others: string[]])[] = [
  [
    'notes',
    [['About this file:'], ['Some addresses are hidden, as their owners wished.'], names, ada, bo],
    [names, ada, bo],
    ['1 above_header', '2 above_header'],
  ],
  [
    'a title and facts about the report',
    [['Trade fair 2024'], ['Printed on', '2024-03-01'], [''], names, ada, cy],
    [names, ada, cy],
    ['1 above_header', '2 above_header'],
  ],
  [
    'names in line 20',
    [...twentyNotes.slice(0, 19), names, ada, bo],
    [names, ada, bo],
    Array.from({ length: 19 }, (_line, at) => `${at + 1} above_header`),
  ],
  [
    'comments of a program',
    [['# Exported by Prospecto'], ['# filter:', 'country', 'role', 'x'], names, ada, ['// end']],
    [names, ada],
    ['1 above_header', '2 above_header', '5 footer'],
  ],
  [
    'comments above names that no one knows',
    [
      ['# one', 'b', 'c'],
      ['~ two', 'b', 'c'],
      ['-- three', 'b', 'c'],
      ['% four', 'b', 'c'],
      ['Spalte A', 'Wert', 'Zeichen'],
      ['x', 'y', 'z'],
      ['p', 'q', 'r'],
    ],
    [
      ['Spalte A', 'Wert', 'Zeichen'],
      ['x', 'y', 'z'],
      ['p', 'q', 'r'],
    ],
    ['1 above_header', '2 above_header', '3 above_header', '4 above_header'],
  ],
  [
    'the questions and ids of a survey below the names',
    [
      ['RecipientLastName', 'RecipientEmail', 'Q1'],
      ['Recipient Last Name', 'Recipient Email', 'Where do you work?'],
      ['{"ImportId":"last"}', '{"ImportId":"email"}', '{"ImportId":"q1"}'],
      ['Byron', 'ada@engines.example', 'Engines'],
      ['Ström', 'bo@nordlys.example', 'Nordlys'],
    ],
    [
      ['RecipientLastName', 'RecipientEmail', 'Q1'],
      ['Byron', 'ada@engines.example', 'Engines'],
      ['Ström', 'bo@nordlys.example', 'Nordlys'],
    ],
    ['2 below_header', '3 below_header'],
  ],
  [
    'kinds of answers below the questions of a survey',
    [names, ['', 'Response', 'Open-Ended Response', 'Response'], ada, bo],
    [names, ada, bo],
    ['2 below_header'],
  ],
  [
    'the letters of a spreadsheet above the columns, and the numbers of rows before them',
    [
      ['', 'A', 'B', 'C', 'D'],
      ['1', ...names],
      ['2', ...ada],
      ['3', ...bo],
    ],
    [
      ['', ...names],
      ['2', ...ada],
      ['3', ...bo],
    ],
    ['1 above_header'],
  ],
  [
    'another table below a gap',
    [names, ada, bo, [''], ['Company', 'Website'], ['Engines', 'engines.example'], ['Nordlys', '']],
    [names, ada, bo],
    ['5 other_table', '6 other_table', '7 other_table'],
  ],
  [
    'sections of an attendance report, of which one has the table',
    [
      ['1. Summary'],
      ['Meeting title', 'Fair'],
      ['Attended', '2'],
      [''],
      ['2. Participants'],
      names,
      ada,
      bo,
      [''],
      ['3. Activities'],
      ['Name', 'Joined at'],
      ['Ada Byron', '10:15 a.m.'],
    ],
    [names, ada, bo],
    [
      '1 above_header',
      '2 above_header',
      '3 above_header',
      '5 above_header',
      '10 footer',
      '11 other_table',
      '12 other_table',
    ],
  ],
  [
    'sections of a webinar, of which the hosts have names too',
    [
      ['Topic', 'Webinar ID', 'Start'],
      ['Fair', '812 1111 2222', '10:15'],
      ['Host Details'],
      ['First name', 'Email', 'Joined'],
      ['Eve', 'eve@host.example', '10:00'],
      ['Attendee Details'],
      names,
      ada,
      bo,
    ],
    [names, ada, bo],
    [1, 2, 3, 4, 5, 6].map((line) => `${line} above_header`),
  ],
  [
    'filters of a report below a gap',
    [names, ada, bo, [''], ['Applied filters:\nCountry is GB']],
    [names, ada, bo],
    ['5 footer'],
  ],
  [
    'rows with their numbers, which have no name',
    [names, ['1', ...ada], ['2', ...bo], ['3', ...cy]],
    [
      ['', ...names],
      ['1', ...ada],
      ['2', ...bo],
      ['3', ...cy],
    ],
    [],
  ],
  [
    'groups with the number of their rows',
    [names, ['Engines Ltd (1)'], ada, ['Nordlys (2 contacts)'], bo, cy],
    [names, ada, bo, cy],
    ['2 total', '4 total'],
  ],
  [
    'subtotals of groups',
    [
      ['Company', 'Email', 'Deals'],
      ['Engines', 'ada@engines.example', '3'],
      ['Engines Total', '', '3'],
      ['Nordlys', 'bo@nordlys.example', '2'],
      ['Subtotal Nordlys', '', '2'],
      ['Total for all', '', '5'],
      ['Deep Total', 'cy@deep.example', '1'],
    ],
    [
      ['Company', 'Email', 'Deals'],
      ['Engines', 'ada@engines.example', '3'],
      ['Nordlys', 'bo@nordlys.example', '2'],
      ['Deep Total', 'cy@deep.example', '1'],
    ],
    ['3 total', '5 total', '6 total'],
  ],
  ['the name of an encoding', [['UTF-8'], names, ada, bo], [names, ada, bo], ['1 above_header']],
  [
    'a title above names that no one knows',
    [['Kundenkartei'], ['Spalte A', 'Wert', 'Zeichen'], ['x', 'y', 'z'], ['p', 'q', 'r']],
    [
      ['Spalte A', 'Wert', 'Zeichen'],
      ['x', 'y', 'z'],
      ['p', 'q', 'r'],
    ],
    ['1 above_header'],
  ],
  [
    'groups of columns',
    [
      ['Person', '', '', 'Employer', ''],
      ['First name', 'Last name', 'City', 'Company', 'City'],
      ['Ada', 'Byron', 'London', 'Engines', 'Leeds'],
    ],
    [
      ['First name', 'Last name', 'Person City', 'Company', 'Employer City'],
      ['Ada', 'Byron', 'London', 'Engines', 'Leeds'],
    ],
    ['1 above_header'],
  ],
  [
    'a group of the company, whose places and phones are not the contact’s',
    [
      ['Contact', '', '', 'Company', '', ''],
      ['First name', 'Last name', 'Email', 'Name', 'City', 'Phone'],
      ['Ada', 'Byron', 'ada@engines.example', 'Engines', 'Leeds', '+44 113 496 0601'],
    ],
    [
      ['First name', 'Last name', 'Email', 'Name', 'Company City', 'Company Phone'],
      ['Ada', 'Byron', 'ada@engines.example', 'Engines', 'Leeds', '+44 113 496 0601'],
    ],
    ['1 above_header'],
  ],
  [
    'units below the names',
    [
      ['Company', 'City', 'Revenue', 'Staff'],
      ['', '', '(EUR m)', '(heads)'],
      ['Engines', 'Leeds', '12,5', '40'],
      ['Mound', 'Cleveland', '3', '7'],
    ],
    [
      ['Company', 'City', 'Revenue', 'Staff'],
      ['Engines', 'Leeds', '12,5', '40'],
      ['Mound', 'Cleveland', '3', '7'],
    ],
    ['2 below_header'],
  ],
  [
    'types below the names',
    [names, ['text', 'text', 'email', 'optional'], ada, bo],
    [names, ada, bo],
    ['2 below_header'],
  ],
  [
    'the names again, between the rows of joined files',
    [names, ada, names, bo, names, cy],
    [names, ada, bo, cy],
    ['3 repeated_header', '5 repeated_header'],
  ],
  [
    'the names again, below groups that made them longer',
    [
      ['', '', 'Person', 'Employer'],
      ['First name', 'Last name', 'City', 'City'],
      ['Ada', 'Byron', 'London', 'Leeds'],
      ['First name', 'Last name', 'City', 'City'],
      ['Bo', 'Cole', 'Bonn', 'Cologne'],
    ],
    [
      ['First name', 'Last name', 'Person City', 'Employer City'],
      ['Ada', 'Byron', 'London', 'Leeds'],
      ['Bo', 'Cole', 'Bonn', 'Cologne'],
    ],
    ['1 above_header', '4 repeated_header'],
  ],
  [
    'a footer of several lines',
    [names, ada, bo, [''], ['Contacts of the north'], ['Copyright 2024 Byron & Co.']],
    [names, ada, bo],
    ['5 footer', '6 footer'],
  ],
  [
    'a footer of more lines than there are rows',
    [
      names,
      ada,
      [''],
      ['Contacts'],
      ['Copyright 2024 Byron, Inc.'],
      ['Page 1 of 1'],
      ['North sales'],
    ],
    [names, ada],
    ['4 footer', '5 footer', '6 footer', '7 footer'],
  ],
  [
    'a remark on secrecy and the number of records',
    [names, ada, bo, ['Confidential - for the sales team'], ['Grand Totals (2 records)']],
    [names, ada, bo],
    ['4 footer', '5 total'],
  ],
  [
    'the program that wrote the list',
    [names, ada, bo, ['Generated by Kontakto 3.1 on 1 March 2024']],
    [names, ada, bo],
    ['4 footer'],
  ],
  [
    'totals',
    [
      ['Company', 'City', 'Deals', 'Value'],
      ['Engines', 'Leeds', '3', '1,200.50'],
      ['Subtotal', '', '3', '1,200.50'],
      ['Mound', 'Cleveland', '2', '$80'],
      ['Summe', '', '5', '1,280.50'],
    ],
    [
      ['Company', 'City', 'Deals', 'Value'],
      ['Engines', 'Leeds', '3', '1,200.50'],
      ['Mound', 'Cleveland', '2', '$80'],
    ],
    ['3 total', '5 total'],
  ],
  [
    'rules of a printed table',
    [names, ['-----', '----', '----', ':---'], ada, bo, ['------']],
    [names, ada, bo],
    ['2 below_header', '5 footer'],
  ],
  [
    'numbers of pages',
    [
      names,
      ['2 of 3 pages'],
      ada,
      ['', 'Seite 2 von 3'],
      bo,
      ['p. 3/4'],
      ['Showing 1 to 2 of 57 entries'],
      cy,
      ['', '', '第3页 共3页'],
    ],
    [names, ada, bo, cy],
    ['2 footer', '4 footer', '6 footer', '7 footer', '9 footer'],
  ],
  [
    'headings of groups: words for groups, countries, periods, departments, letters and signs',
    [
      names,
      ['Region North'],
      ada,
      ['Team', 'B'],
      ada,
      ['Deutschland'],
      bo,
      ['Q1 2024'],
      bo,
      ['Vertrieb und Marketing'],
      bo,
      ['A – C'],
      bo,
      ['*** VIP ***'],
      cy,
      ['Отдел продаж'],
      cy,
      ['华北地区'],
      cy,
    ],
    [names, ada, ada, bo, bo, bo, bo, cy, cy, cy],
    [2, 4, 6, 8, 10, 12, 14, 16, 18].map((line) => `${line} no_contact`),
  ],
  [
    'a group whose name is in a column of the next row, and cells of columns without contacts',
    [
      ['Name', 'Email', 'City'],
      ['Leeds'],
      ['Ada Byron', 'ada@engines.example', 'Leeds'],
      ['', '', 'Oslo'],
      ['Bo Ström', 'bo@nordlys.example', 'Oslo'],
    ],
    [
      ['Name', 'Email', 'City'],
      ['Ada Byron', 'ada@engines.example', 'Leeds'],
      ['Bo Ström', 'bo@nordlys.example', 'Oslo'],
    ],
    ['2 no_contact', '4 no_contact'],
  ],
  [
    'totals that stand alone',
    [names, ada, ['Subtotal'], bo, ['Total North'], ['Region South Total'], cy, ['Summe']],
    [names, ada, bo, cy],
    ['3 total', '5 total', '6 total', '8 total'],
  ],
  [
    'groups above their rows, with totals that have a number below a name',
    [
      ['Region', 'Name', 'Email', 'City'],
      ['North'],
      ['', 'Ada Byron', 'ada@engines.example', 'Leeds'],
      ['', 'Bo Ström', 'bo@nordlys.example', 'Oslo'],
      ['North Total', '2'],
      ['East', 'Cy Young', 'cy@mound.example', 'Bath'],
      ['', 'Di Marsh', 'di@mound.example', 'Bath'],
      ['East Total', '2', '', ''],
      ['', 'Ed Total', 'ed@mound.example', 'Bath'],
      ['Grand Total', '4'],
    ],
    [
      ['Region', 'Name', 'Email', 'City'],
      ['', 'Ada Byron', 'ada@engines.example', 'Leeds'],
      ['', 'Bo Ström', 'bo@nordlys.example', 'Oslo'],
      ['East', 'Cy Young', 'cy@mound.example', 'Bath'],
      ['', 'Di Marsh', 'di@mound.example', 'Bath'],
      ['', 'Ed Total', 'ed@mound.example', 'Bath'],
    ],
    ['2 no_contact', '5 total', '8 total', '10 total'],
  ],
  [
    'a total below one column of names',
    [['Name'], ['Ada Byron'], ['Bo Ström'], ['Total']],
    [['Name'], ['Ada Byron'], ['Bo Ström']],
    ['4 total'],
  ],
  [
    'blocks of lines, as address labels have them',
    [
      ['Ada Byron'],
      ['Head of Sales'],
      ['Engines, Ltd'],
      ['12 Mill St, Leeds'],
      ['Tel. +44 20 7946 0018'],
      ['ada@engines.example'],
      [''],
      ['Nordlys AS'],
      ['Bo Ström'],
      ['Email: bo@nordlys.example'],
      [''],
      ['Cy Young <cy@mound.example>'],
      ['Mound'],
    ],
    [
      ['Full name', 'Phone', 'Email', 'Job title', 'Company', 'Address'],
      [
        'Ada Byron',
        '+44 20 7946 0018',
        'ada@engines.example',
        'Head of Sales',
        'Engines, Ltd',
        '12 Mill St, Leeds',
      ],
      ['Bo Ström', '', 'bo@nordlys.example', '', 'Nordlys AS', ''],
      ['Cy Young', '', 'cy@mound.example', '', 'Mound', ''],
    ],
    [],
  ],
  // Nothing is left out that may be a row.
  [
    'people of one name, also among headings',
    [names, ['Cher'], ['', 'West'], ada, ['Region North'], ['Zendaya'], bo, ['Jordan'], cy],
    [names, ['Cher', '', '', ''], ['', 'West', '', ''], ada, ['Zendaya', '', '', ''], bo]
      .concat([['Jordan', '', '', '']])
      .concat([cy]),
    ['5 no_contact'],
  ],
  [
    'people and companies whose name is a word for groups',
    [
      ['Last name', 'First name', 'Email', 'Company'],
      ['List', 'Ann'],
      ['Branch', '', '', 'Mound'],
      ['Day', '', '', '4'],
      ['Byron', 'Ada', 'ada@engines.example', 'Engines'],
    ],
    [
      ['Last name', 'First name', 'Email', 'Company'],
      ['List', 'Ann', '', ''],
      ['Branch', '', '', 'Mound'],
      ['Day', '', '', '4'],
      ['Byron', 'Ada', 'ada@engines.example', 'Engines'],
    ],
    [],
  ],
  [
    'a heading in two cells, of which one is in a column of addresses',
    [
      ['Name', 'Email', 'Department', 'Company'],
      ['Region', 'North'],
      ['Ada Byron', 'ada@engines.example', 'Sales', 'Engines'],
      ['', '', 'Team', 'Mound'],
      ['Bo Ström', 'bo@nordlys.example', 'Sales', 'Nordlys'],
    ],
    [
      ['Name', 'Email', 'Department', 'Company'],
      ['Ada Byron', 'ada@engines.example', 'Sales', 'Engines'],
      ['', '', 'Team', 'Mound'],
      ['Bo Ström', 'bo@nordlys.example', 'Sales', 'Nordlys'],
    ],
    ['2 no_contact'],
  ],
  [
    'companies whose names read like headings, among names alone',
    [
      ['Company', 'City'],
      ['Q & M'],
      ['Hansen Group'],
      ['Region Hannover'],
      ['Europa'],
      ['Team A'],
      ['Q2'],
      ['Engines', 'Leeds'],
      ['Region North'],
      ['Mound'],
    ],
    [
      ['Company', 'City'],
      ['Q & M', ''],
      ['Hansen Group', ''],
      ['Region Hannover', ''],
      ['Europa', ''],
      ['Q2', ''],
      ['Engines', 'Leeds'],
      ['Mound', ''],
    ],
    ['6 no_contact', '9 no_contact'],
  ],
  [
    'companies whose names read like headings, among full rows',
    [
      ['Name', 'Domain', 'City'],
      ['Engines', 'engines.example', 'Leeds'],
      ['Hansen Group'],
      ['Europa'],
      ['Q & M'],
      ['Mound', 'mound.example', 'Oslo'],
      ['Nordlys', 'nordlys.example', 'Oslo'],
    ],
    [
      ['Name', 'Domain', 'City'],
      ['Engines', 'engines.example', 'Leeds'],
      ['Hansen Group', '', ''],
      ['Q & M', '', ''],
      ['Mound', 'mound.example', 'Oslo'],
      ['Nordlys', 'nordlys.example', 'Oslo'],
    ],
    ['4 no_contact'],
  ],
  [
    'companies in one column',
    [['Company'], ['Engines'], ['Total']],
    [['Company'], ['Engines'], ['Total']],
    [],
  ],
  [
    'a company called Total',
    [names, ['Jean', 'Roux', '', 'Total'], ada],
    [names, ['Jean', 'Roux', '', 'Total'], ada],
    [],
  ],
  [
    'companies called Total and Sum',
    [
      ['Company', 'City'],
      ['Total', 'Paris'],
      ['Sum', 'Oslo'],
    ],
    [
      ['Company', 'City'],
      ['Total', 'Paris'],
      ['Sum', 'Oslo'],
    ],
    [],
  ],
  [
    'rows with a single cell, also the last one',
    [names, ['', '', 'x@engines.example', ''], ['Ada', '', '', ''], bo, ['', '', '', 'Acme Ltd.']],
    [names, ['', '', 'x@engines.example', ''], ['Ada', '', '', ''], bo, ['', '', '', 'Acme Ltd.']],
    [],
  ],
  [
    'rows that hold known names of columns',
    [
      ['Kürzel', 'Rolle', 'Ort'],
      ['ab', 'Company', 'Title'],
      ['cd', 'Company', 'City'],
      ['ef', 'Email', 'City'],
    ],
    [
      ['Kürzel', 'Rolle', 'Ort'],
      ['ab', 'Company', 'Title'],
      ['cd', 'Company', 'City'],
      ['ef', 'Email', 'City'],
    ],
    [],
  ],
  [
    'one column',
    [['Email'], ['a@b.example'], ['c@d.example']],
    [['Email'], ['a@b.example'], ['c@d.example']],
    [],
  ],
  [
    'names in the first column, and a contact in each other one',
    turn([names, ada, bo, cy]),
    [names, ada, bo, cy],
    [],
  ],
  [
    'such a table with numbered contacts and a column of notes',
    turn([
      ['Feld', 'Vorname', 'E-Mail', 'Notiz'],
      ['Kontakt 1', 'Ada', 'ada@engines.example', ''],
      ['Kontakt 2', 'Bo', '', 'ruft an'],
    ]),
    [
      ['Feld', 'Vorname', 'E-Mail', 'Notiz'],
      ['Kontakt 1', 'Ada', 'ada@engines.example', ''],
      ['Kontakt 2', 'Bo', '', 'ruft an'],
    ],
    [],
  ],
  [
    'contacts one below the other, with other columns and a second email',
    [
      ...turn([names, ada]),
      ['Name', 'Bo Ström'],
      ['Email', 'bo@nordlys.example'],
      ['Email', 'b@b.example'],
    ].map(([name = '', value = '']) => [name === 'First name' ? 'Name' : name, value]),
    [
      ['Name', 'Last name', 'Email', 'Company', 'Email 2'],
      [...ada, ''],
      ['Bo Ström', '', 'bo@nordlys.example', '', 'b@b.example'],
    ],
    [],
  ],
  [
    'a count of the rows below them, in words',
    [names, ada, bo, [], ['Total contacts: 2']],
    [names, ada, bo],
    ['5 footer'],
  ],
  [
    'columns of kinds and values',
    [
      ['Kind', 'Value'],
      ['Email', 'a@b.example'],
      ['Company', 'Engines'],
      ['Email', 'c@d.example'],
    ],
    [
      ['Kind', 'Value'],
      ['Email', 'a@b.example'],
      ['Company', 'Engines'],
      ['Email', 'c@d.example'],
    ],
    [],
  ],
];

test.each(
  kinds.flatMap(([title, lines, table, others]) =>
    Object.keys(writers).map((form) => ({ title, form, lines, table, others })),
  ),
)('$title: $form', async ({ form, lines, table, others }) => {
  const result = await read(writers[form]?.(lines) ?? '');
  expect(result.found).toEqual(table);
  expect(result.others).toEqual(others);
  expect(result.otherCount).toBe(others.length);
});

test('the column names are looked for in no line after the twentieth', async () => {
  const lines = [...twentyNotes, names, ada, bo];
  const { found } = await read(pad(lines, ';').join('\n'));
  expect(found[0]?.[0]).toBe('Note 1');
});

const aligned = [
  ['Name', 'Company', 'Email'],
  ['Byron, Ada', 'Engines of Leeds', 'ada@engines.example'],
  ['Ström, Bo', '', 'bo@nordlys.example'],
];

test.each([
  [
    'columns that begin at the same places, below a title',
    'Guests of the fair\n\n' +
      'Name        Company           Email\n' +
      'Byron, Ada  Engines of Leeds  ada@engines.example\n' +
      'Ström, Bo                     bo@nordlys.example\n',
  ],
  [
    'names a single space apart',
    'Name       Company          Email\n' +
      'Byron, Ada Engines of Leeds ada@engines.example\n' +
      'Ström, Bo                   bo@nordlys.example\n',
  ],
  [
    'a rule below the names, and a count',
    'Name       Company          Email\n' +
      '---------- ---------------- -------------------\n' +
      'Byron, Ada Engines of Leeds ada@engines.example\n' +
      'Ström, Bo                   bo@nordlys.example\n\n(2 rows affected)\n',
  ],
  [
    'names with colons',
    'Name: Byron, Ada\nCompany: Engines of Leeds\nEmail: ada@engines.example\n\n' +
      'Name: Ström, Bo\nEmail: bo@nordlys.example\n',
  ],
])('a text that is aligned with spaces is a table: %s', async (_title, text) => {
  const { found } = await read(text);
  expect(found).toEqual(aligned);
});

test.each([
  ['bars at both ends', '| Name | Email |\n| :--- | ---: |\n| Ada | ada@engines.example |\n'],
  [
    'text around it',
    'The list:\n\n|Name|Email|\n|-|-|\n|Ada|ada@engines.example|\n\nI left out one contact.\n',
  ],
  ['a rule of another editor', '| Name | Email |\n|---+---|\n| Ada | ada@engines.example |\n'],
  ['names between two bars', '||Name||Email||\n|Ada|ada@engines.example|\n'],
])('a table of a wiki or of Markdown is read without its bars: %s', async (_form, text) => {
  expect((await read(text)).found).toEqual([
    ['Name', 'Email'],
    ['Ada', 'ada@engines.example'],
  ]);
});

test('a bar in a cell of Markdown is a part of its text', async () => {
  const text = '| Name | Company |\n|---|---|\n| Ada | Engines \\| Leeds |\n';
  expect((await read(text)).found[1]).toEqual(['Ada', 'Engines | Leeds']);
});

test('a cell that is longer than its aligned column moves those behind it', async () => {
  const { found } = await read(
    'Name        Email               City\n' +
      'Ada Byron   ada@engines.example Leeds\n' +
      'Bo Ström    bo@nordlys.example  Oslo\n'.repeat(300) +
      'Wilhelmina-Ann Long  w@long.example  Ulm\n',
  );
  expect(found.at(-1)).toEqual(['Wilhelmina-Ann Long', 'w@long.example', 'Ulm']);
});

test('rows without column names are no blocks of lines, whatever is between them', async () => {
  const text = 'Ada,ada@engines.example\nCy,cy@mound.example\n\nBo,bo@nordlys.example\n';
  expect((await read(text)).found).toHaveLength(4);
});

test('two hundred contacts one below the other are rows, unless the line of names is given', async () => {
  const text = Array.from({ length: 200 }, (_, at) => `Name,Ada ${at}\nEmail,a${at}@b.example\n`);
  const { found, warnings } = await read(text.join(''));
  expect([found.length, found[200]]).toEqual([201, ['Ada 199', 'a199@b.example']]);
  expect(warnings[0]?.message).toContain('in the first column');
  expect((await read(text.join(''), { header: 'auto', header_line: 1 })).found).toHaveLength(400);
});

test('the first rows have the line numbers of the file, also where lines are left out', async () => {
  const { firstLines } = await read(
    'Notes:\n\nName,Email\nAda,a@b.example\n\nTotal,1\nBo,b@b.example\n',
  );
  expect(firstLines).toEqual([4, 7]);
});

test('rows without a text are left out and counted; many at the end are the rest of a sheet', async () => {
  const readEnd = async (count: number) => {
    const { found, others } = await read(
      `${names.join(',')}\n${ada.join(',')}\n,,,\n${bo.join(',')}\n${',,,\n'.repeat(count)}`,
    );
    expect(found).toEqual([names, ada, bo]);
    return others;
  };
  expect(await readEnd(200)).toEqual(['3 empty']);
  expect(await readEnd(2)).toEqual(['3 empty', '5 empty', '6 empty']);
});

test('a title above contacts without column names is left out', async () => {
  const { found, headerLine, others } = await read(
    'Our guests\nAda Byron,ada@engines.example,Leeds\nBo Ström,bo@nordlys.example,Oslo\n',
  );
  expect(found).toHaveLength(3);
  expect([headerLine, others]).toEqual([null, ['1 above_header']]);
});

test('the lines of a printed table and the mark of a joined file are no rows', async () => {
  const printed =
    '+-----+-----+\n| Name | Email |\n+-----+-----+\n| Ada | a@b.example |\n+-----+-----+\n';
  const { found, others } = await read(printed);
  expect(found).toEqual([
    ['Name', 'Email'],
    ['Ada', 'a@b.example'],
  ]);
  expect(others).toEqual(['1 above_header', '3 footer', '5 footer']);
  const joined = await read(
    '\ufeffName,Email\nAda,a@b.example\n\ufeffName,Email\nBo,b@b.example\n',
  );
  expect(joined.others).toEqual(['3 repeated_header']);
});

test('a footer is one, also where its text has the delimiter', async () => {
  const text = `${names.join(',')}\n${ada.join(',')}\nCopyright 2024 Byron, all rights reserved.\n`;
  const { found, others } = await read(text);
  expect([found, others]).toEqual([[names, ada], ['3 footer']]);
});

test('the end of a file of DOS is no row, and a second mark no letter', async () => {
  const { found } = await read('\uFEFF\uFEFFFirst name,Email\nAda,ada@engines.example\n\u001a');
  expect(found).toEqual([
    ['First name', 'Email'],
    ['Ada', 'ada@engines.example'],
  ]);
});

test('one option names the line of the column names, and one keeps every line below it', async () => {
  const text = 'Title\nFirst name,Email\nAda,ada@engines.example\nTotal,1\n';
  expect((await read(text)).found).toEqual([
    ['First name', 'Email'],
    ['Ada', 'ada@engines.example'],
  ]);
  const below = await read(text, { header_line: 3, other_lines: 'keep' });
  expect(below.found).toEqual([
    ['Ada', 'ada@engines.example'],
    ['Total', '1'],
  ]);
  expect((await read(text, { header: 'auto', other_lines: 'keep' })).found).toHaveLength(3);
});
