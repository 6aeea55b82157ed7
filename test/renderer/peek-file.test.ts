/** The first rows of a dropped file, before the engine has read it. */
import { expect, test } from 'vitest';
import { peekFile } from '../../renderer/components/peek-file.ts';

const table = { labels: ['Vorname', 'Stadt'], rows: [['Jürgen', 'Köln']] };
const text = 'Vorname;Stadt\r\nJürgen;Köln\r\n';
const encode = (encoding: BufferEncoding, mark: number[] = []) =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]);

test.each([
  ['UTF-8', encode('utf8')],
  ['UTF-8 with a mark', encode('utf8', [0xef, 0xbb, 0xbf])],
  ['UTF-16 with a mark', encode('utf16le', [0xff, 0xfe])],
  ['Windows-1252', encode('latin1')],
])('text in %s is shown unchanged', async (_encoding, bytes) => {
  expect(await peekFile(new File([new Uint8Array(bytes)], 'a.csv'))).toEqual(table);
});

test.each([
  ['empty', []],
  ['a workbook', [...Buffer.from('PK\u0003\u0004')]],
  ['a PDF', [...Buffer.from('%PDF-1.7\n1 0 obj\n')]],
  ['an image', [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10]],
  ['UTF-16 without a mark', [...encode('utf16le')]],
])('a file that is %s is left to the engine', async (_what, bytes) => {
  expect(await peekFile(new File([new Uint8Array(bytes)], 'a.csv'))).toBeNull();
});

test('at most a hundred rows are shown', async () => {
  const lines = Array.from({ length: 50_000 }, (_, row) => `Ada,${row}`);
  const peek = await peekFile(new File([`Name,Row\n${lines.join('\n')}`], 'a.csv'));
  expect(peek?.rows).toHaveLength(100);
  expect(peek?.rows.at(-1)).toEqual(['Ada', '99']);
});

test('Excel’s first line with the delimiter is not a header', async () => {
  const peek = await peekFile(new File(['sep=;\r\nName;Note\r\nAda;a, b, c\r\n'], 'a.csv'));
  expect(peek).toEqual({ labels: ['Name', 'Note'], rows: [['Ada', 'a, b, c']] });
});

test('a row that is cut by the first bytes is not shown', async () => {
  const wide = 'x'.repeat(10_000);
  const lines = Array.from({ length: 60 }, (_, row) => `${row},${wide}`);
  const peek = await peekFile(new File([`Row,Text\n${lines.join('\n')}`], 'a.csv'));
  expect(peek?.rows.every(([, cell]) => cell === wide)).toBe(true);
});
