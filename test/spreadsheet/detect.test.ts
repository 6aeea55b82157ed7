// The type of a file, detected from its first bytes.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { detectFile, detectHeadBytes } from '../../engine/spreadsheet/detect.ts';
import { makeWorkbook, packZip } from './make-workbook.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const workbook = makeWorkbook([
  [
    ['a', 'b'],
    ['1', '2'],
  ],
]);
const png = latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');

test.each([
  ['a CSV', latin('a,b\n1,2\n'), 'x.csv', 'csv'],
  ['a CSV named .xlsx', latin('a,b\n1,2\n'), 'x.xlsx', 'csv'],
  ['a workbook', workbook, 'x.xlsx', 'xlsx'],
  ['a workbook named .csv', workbook, 'x.csv', 'xlsx'],
  ['a zip whose parts lie deeper, named .xlsx', packZip({ 'a.xml': 'x' }), 'x.XLSX', 'xlsx'],
  ['a text document', packZip({ 'word/document.xml': 'x' }), 'x.xlsx', 'document'],
  [
    'an OpenDocument text',
    packZip({ mimetype: 'application/vnd.oasis.opendocument.text' }),
    'x.odt',
    'document',
  ],
  ['an OpenDocument spreadsheet', packZip({ 'content.xml': 'x' }), 'x.ods', 'ods'],
  ['a spreadsheet of Numbers', packZip({ 'Index/Document.iwa': 'x' }), 'x.csv', 'numbers'],
  [
    'a binary workbook',
    packZip({ '[Content_Types].xml': 'x', 'xl/workbook.bin': 'x' }),
    'x.xlsx',
    'xlsb',
  ],
  [
    'a workbook with a password',
    latin(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${[...'EncryptedPackage'].join('\0')}\0`),
    'x.xlsx',
    'locked',
  ],
  ['a Parquet file', latin('PAR1\x15\x04'), 'x.csv', 'parquet'],
  ['a vCard', latin('BEGIN:VCARD\r\nVERSION:3.0\r\n'), 'x.csv', 'vcard'],
  ['a calendar', latin('BEGIN:VCALENDAR\n'), 'x.csv', 'calendar'],
  ['an RTF', latin('{\\rtf1\\ansi'), 'x.csv', 'rtf'],
  [
    'a web archive',
    latin('MIME-Version: 1.0\nX-Doc: y\nContent-Type: multipart/related; boundary="a"\n'),
    'x.xls',
    'mhtml',
  ],
  ['an email', latin('Return-Path: <a@b.example>\r\nReceived: from x\r\n'), 'x.csv', 'email'],
  [
    'a shortcut of Google Drive',
    latin('{"url": "https://docs.google.com/x", "doc_id": "1"}'),
    'x.gsheet',
    'shortcut',
  ],
  ['a zip of a CSV', packZip({ 'x.csv': 'a,b' }), 'x.zip', 'zip'],
  ['a gzip', gzipSync('a,b'), 'x.csv.gz', 'zip'],
  ['an old workbook', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest'), 'x.xls', 'xls'],
  ['a PDF', latin('%PDF-1.7\n'), 'x.csv', 'pdf'],
  ['an image', png, 'x.csv', 'image'],
  ['a program', readFileSync(process.execPath).subarray(0, 65_536), 'x.csv', 'binary'],
  ['a web page named .xls', latin('\xef\xbb\xbf\n <html><table><tr><td>a'), 'x.xls', 'html'],
  ['a table of a web page', Buffer.from('\uFEFF<TABLE border=1>', 'utf16le'), 'x.xls', 'html'],
  ['a workbook in XML', latin('<?xml version="1.0"?>\n<Workbook>'), 'x.xls', 'xml'],
  ['a script of a database', latin("-- dump\nINSERT INTO c VALUES ('a');"), 'x.sql', 'sql'],
  ['a directory listing', latin('dn: cn=Ann,mail=a@b.example\ncn: Ann\n'), 'x.ldif', 'ldif'],
  ['YAML', latin('- name: Ann\n  email: a@b.example\n'), 'x.yaml', 'yaml'],
  ['JSON', latin('[\n {"name": "Ann", "email": "a@b.example"}]'), 'x.csv', 'json'],
  ['a CSV with a mark of markup', latin('<b>name</b>,b\n1,2\n'), 'x.csv', 'csv'],
  ['a CSV with braces', latin('{id},[name]\n1,2\n'), 'x.csv', 'csv'],
  ['nothing', latin(''), 'x.csv', 'empty'],
  ['nothing but a mark', latin('\xef\xbb\xbf'), 'x.csv', 'empty'],
])('%s is detected', (_title, bytes, name, kind) => {
  expect(detectFile(bytes, name).kind).toBe(kind);
});

test.each([
  ['plain text', latin('a,b\n'), 'utf-8', 0],
  ['a UTF-8 mark', latin('\xef\xbb\xbfa,b\n'), 'utf-8', 3],
  ['UTF-8', Buffer.from('Zoë,b\n'), 'utf-8', 0],
  [
    'UTF-8 with a byte of Windows-1252',
    Buffer.from('5a6fc3ab2ce92c620a', 'hex'),
    'windows-1252',
    0,
  ],
  ['Windows-1252', latin('Zo\xeb,b\n'), 'windows-1252', 0],
  ['UTF-7', latin('M+APw-ller,b\n'), 'utf-7', 0],
  ['phones and tags with a plus', latin('+49 421 1-2,a+abc@b.example\n+ABC-,1\n'), 'utf-8', 0],
  ['a block of NUL characters at the end', latin(`a,b\n${'\0'.repeat(4_000)}`), 'utf-8', 0],
  ['a UTF-16LE mark', Buffer.from('\uFEFFa,b\n', 'utf16le'), 'utf-16le', 2],
  ['a UTF-16BE mark', Buffer.from('\uFEFFa,b\n', 'utf16le').swap16(), 'utf-16be', 2],
  ['UTF-16LE without a mark', Buffer.from('name,ö\n1,2\n', 'utf16le'), 'utf-16le', 0],
  ['UTF-16BE without a mark', Buffer.from('name,ö\n1,2\n', 'utf16le').swap16(), 'utf-16be', 0],
  [
    'a character cut by the end of the head',
    Buffer.from(`${'x'.repeat(detectHeadBytes - 1)}ë`),
    'utf-8',
    0,
  ],
])('the encoding of %s is detected', (_title, bytes, encoding, bomBytes) => {
  expect(detectFile(bytes)).toMatchObject({ kind: 'csv', encoding, bomBytes });
});

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b;c\n1;"2,0";3\n', ';'],
  ['a\tb\n1\t2\n', '\t'],
  ['a`b\n1`2\n', '`'],
  ['a，b\n1，2\n', '，'],
  ['a؛b\n1؛2\n', '؛'],
  ['a|b\n1|2\n', '|'],
  ['"Last, First";Email\n"Doe, Jane";x\n', ';'],
  ['name;amount\nx;1,5\ny;2,5\n', ';'],
  ['a,b,c\n1\n1,2\n', ','],
  ['a;b', ';'],
  ['one column\nx;y,z\n', ','],
  ['sep=|\na,b|c\n', '|'],
  ['"sep=;"\na;b,c\n', ';'],
  ['"open;quote', ','],
  ['a^b\n1^2\n', '^'],
  ['a~b\n1,0~2\n', '~'],
  ['a\x1fb\n1\x1f2\n', '\x1f'],
  ['a§b§c\n1§2§3\n', '§'],
  ['a:b\n1:2\n', ':'],
  ['Tel:Name\n1:2\n', ':'],
  // Addresses without a header.
  ['https://a.example\nhttps://b.example\n', ','],
  ['mailto:a@b.de\nmailto:b@b.de\n', ','],
  // It does not split every line.
  ['a^b\n12\n', ','],
  ['http://a.example\nb\n', ','],
  // Lines of a printed table, and comments.
  ['+--+--+\n|a |b |\n+--+--+\n|1 |2 |\n+--+--+\n', '|'],
  ['# a, b, c, d, e\n# f, g\na;b\n1;2\n', ';'],
  ['~ a, b, c, d, e\n-- f, g\na;b\n1;2\n', ';'],
  // Notes above the names have other delimiters, or none.
  ['Notes:\nOne, two, and more\n\na;b;c\n1;2;3\n4;5;6\n7;8;9\n', ';'],
  ['Exported list\na,b\n1,2\n3,4\n', ','],
  ['Name, given;Name, family;City\nAda;Byron;Leeds\nBo;Ström;Oslo\n', ';'],
  ['a;b;c\nx;1,5;2,25\ny;2,5;0,5\n', ';'],
])('the delimiter of %j is %j', (text, delimiter) => {
  expect(detectFile(Buffer.from(text)).delimiter).toBe(delimiter);
});
