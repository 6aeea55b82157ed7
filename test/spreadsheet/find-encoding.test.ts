// The encoding of a text file is found by its letters.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Encoding } from '../../engine/contract/reading/encodings.ts';
import { createPlainDecoder } from '../../engine/spreadsheet/decode-text.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-encoding-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function read(bytes: Uint8Array, encoding?: Encoding) {
  const sourcePath = join(dir, 'list.csv');
  writeFileSync(sourcePath, bytes);
  const reading = { header: 'yes' as const, ...(encoding && { encoding }) };
  return prepareTable({ sourcePath, targetDir: null, fileName: 'list.csv', reading });
}

/** The bytes of each character, by decoding every byte and pair of bytes. */
function createEncoder(encoding: Encoding): (text: string) => Buffer {
  const bytesOf = new Map<string, number[]>();
  const add = (...bytes: number[]) => {
    const { text, fault } = createPlainDecoder(encoding)(Uint8Array.from(bytes), true);
    if (fault === '' && [...text].length === 1 && !bytesOf.has(text)) bytesOf.set(text, bytes);
  };
  if (encoding.startsWith('utf-32'))
    return (text) => {
      const points = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
      const bytes = Buffer.from(points.buffer);
      return encoding === 'utf-32be' ? bytes.swap32() : bytes;
    };
  for (let first = 0; first < 256; first++) add(first);
  const isWide = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encoding);
  for (let first = 0x81; isWide && first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add(first, second);
  return (text) =>
    Buffer.from(
      [...text].flatMap((character) => {
        const bytes = bytesOf.get(character);
        if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
        return bytes;
      }),
    );
}

const lists: readonly (readonly [Encoding, ...string[][]])[] = [
  [
    'windows-1252',
    ['Jörg,Strauß'],
    ['Hélène,Garçon'],
    ['Begoña,Ibáñez'],
    ['Inês,Falcão'],
    ['Åse,Bjørnsen'],
    ['Noël,D’Hondt'],
  ],
  ['macintosh', ['Jörg,Strauß', 'Käthe,Brügge'], ['Hélène,Garçon'], ['Åse,Bjørnsen']],
  ['ibm850', ['Jörg,Strauß', 'Käthe,Brügge'], ['Hélène,Lefèvre', 'André,Noël']],
  [
    'windows-1250',
    ['Michał,Grześkowiak', 'Błażej,Wąs'],
    ['Bořivoj,Šťastný'],
    ['Jenő,Fűrész'],
    ['Đurđa,Perić'],
  ],
  ['iso-8859-2', ['Michał,Grześkowiak', 'Błażej,Wąs']],
  ['windows-1251', ['Тамара,Щербакова', 'Юрий,Гусев'], ['Наталія,Їжакевич'], ['Живко,Ћирић']],
  ['koi8-r', ['Тамара,Щербакова', 'Юрий,Гусев']],
  ['ibm866', ['Тамара,Щербакова', 'Юрий,Гусев']],
  ['x-mac-cyrillic', ['Тамара,Щербакова', 'Юрий,Гусев']],
  ['windows-1253', ['Ευτυχία,Μαυρομάτη']],
  ['windows-1254', ['Tuğba,Işık', 'Çiğdem,Şahin']],
  ['windows-1255', ['אברהם,שפירא']],
  ['windows-1256', ['يوسف,المصري']],
  ['windows-1257', ['Ģirts,Kļaviņš'], ['Žydrūnas,Paškevičius']],
  ['windows-874', ['ประเสริฐ,แก้วมณี']],
  ['shift_jis', ['美咲,藤原', '大和,三浦電機株式会社'], ['サトウ,ユミ']],
  ['euc-jp', ['美咲,藤原', '大和,三浦電機株式会社']],
  ['gb18030', ['建国,欧阳', '丽华,上海贸易有限公司']],
  ['big5', ['淑惠,歐陽', '俊傑,高雄貿易有限公司']],
  ['euc-kr', ['영수,박', '지훈,부산무역 주식회사']],
  ['iso-8859-15', ['Cécile,Lebœuf', 'Šimon,Brûlé', 'Noël,5 €'], ['Sœur,Thérèse']],
  ['iso-8859-3', ['Ġużeppa,Żahra', 'Ċikku,Ħili']],
  ['iso-8859-4', ['Tõnu,Šults', 'Ülle,Žukov', 'Jüri,Mägi']],
  ['iso-8859-6', ['يوسف,المصري']],
  ['iso-8859-7', ['Ευτυχία,Άννα', 'Άρης,Μαυρομάτη']],
  ['iso-8859-8', ['אברהם,שפירא']],
  ['iso-8859-10', ['Šárka,Þórsdóttir', 'Guðrún,Ægisdóttir']],
  ['iso-8859-13', ['Ģirts,Kļaviņš'], ['Žydrūnas,Paškevičius']],
  ['ibm437', ['Jörg,Strauß', 'Käthe,Brügge'], ['Hélène,Garçon']],
  ['ibm737', ['Ευτυχία,Μαυρομάτη']],
  ['ibm775', ['Ģirts,Kļaviņš', 'Žydrūnas,Paškevičius']],
  ['ibm852', ['Michał,Grześkowiak', 'Błażej,Wąs'], ['Bořivoj,Šťastný']],
  ['ibm857', ['Tuğba,Işık', 'Çiğdem,Şahin']],
  ['ibm862', ['אברהם,שפירא']],
  ['ibm865', ['Åse,Bjørnsen', 'Jørgen,Kjær']],
  ['x-mac-ce', ['Michał,Grześkowiak', 'Błażej,Wąs'], ['Bořivoj,Šťastný']],
  ['x-mac-greek', ['Ευτυχία,Μαυρομάτη']],
  ['x-mac-turkish', ['Tuğba,Işık', 'Çiğdem,Şahin']],
  ['ibm037', ['Ann,a.lee@lee.com', 'José,Núñez']],
  ['ibm273', ['Jörg,joerg@strauss.de', 'Käthe,Brügge']],
  ['ibm500', ['Hélène,Garçon', 'Ann,a.lee@lee.com']],
  ['utf-32le', ['Michał,Grześkowiak']],
  ['utf-32be', ['Ann,Lee', '健太,😀']],
];

const ends = ['\n', '\r\n', '\r'];
const delimiters = [',', ';', '\t'];

test.each(
  lists.flatMap(([encoding, ...texts]) => texts.map((lines, at) => ({ encoding, lines, at }))),
)('$encoding is found: $lines', async ({ encoding, lines, at }) => {
  const [end = '\n', delimiter = ','] = [ends[at % 3], delimiters[at % 3]];
  const text = ['First name,Last name', ...lines].join(end).replaceAll(',', delimiter) + end;
  const found = await read(createEncoder(encoding)(text));
  expect(found.firstRows).toEqual(lines.map((line) => line.split(',')));
});

const latin = (text: string) => createEncoder('windows-1252')(text);

test.each([
  ['an ellipsis after ß', 'Name,Note\nMeier,groß…\nKönig,früh\nLöw,spät\n'],
  ['a quotation mark after É', 'Name,Note\nMeier,“CAFÉ”\n'],
  ['a dash after a capital', 'Name,Note\nLÜNÉ–SOHN,x\nBär,y\n'],
])('bytes of Windows-1252 that are UTF-8 by accident are no UTF-8: %s', async (_title, text) => {
  const { firstRows, warnings } = await read(latin(text));
  const expected = text.trim().split('\n').slice(1);
  expect([firstRows.map((cells) => cells.join(',')), warnings]).toEqual([expected, []]);
});

test.each([
  ['letters with combining marks', 'Name,City\nJu\u0308rgen,Ko\u0308ln\n'],
  ['two letters of Vietnamese', 'Name,Email\nNguyễn Thị Mai,mai@ola.example\n'],
  ['four signs that no language has', 'Name§City§Email§Note\nAnn§Ulm§a@b.de§x\n'],
])('a short text of UTF-8 is no other encoding: %s', async (_title, text) => {
  const { encoding, letters } = await read(Buffer.from(text));
  expect([encoding, letters.isSure]).toEqual(['utf-8', true]);
});

test('letters that were encoded twice are repaired, unless UTF-8 is chosen', async () => {
  const text = 'Name,City\nJürgen,Köln – Süd\nZoë,“Łódź”\n';
  const twice = Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(text)));
  for (const bytes of [twice, Buffer.concat([Buffer.from('\ufeff'), twice])]) {
    const { firstRows, warnings } = await read(bytes);
    expect(firstRows).toEqual([
      ['Jürgen', 'Köln – Süd'],
      ['Zoë', '“Łódź”'],
    ]);
    expect(warnings).toEqual([
      { line: 1, message: expect.stringContaining('"JÃ¼rgen" is read as "Jürgen"') },
    ]);
  }
  // By a program that knows Latin-1 only, in which the second bytes are no letters.
  const names = 'Name,City\nIrène,Šiauliai\nBirutė,Łódź\n';
  const latin1 = Buffer.from(Buffer.from(names).toString('latin1'));
  expect((await read(latin1)).firstRows).toEqual([
    ['Irène', 'Šiauliai'],
    ['Birutė', 'Łódź'],
  ]);
  const { firstRows } = await read(twice, 'utf-8');
  expect(firstRows[0]?.[0]).toBe('JÃ¼rgen');
  const plain = await read(Buffer.from('Name,City\nJürgen,Ã¼ in a note\nZoë,Łódź\n'));
  expect(plain.warnings).toEqual([]);
  expect(plain.firstRows[0]).toEqual(['Jürgen', 'Ã¼ in a note']);
});

test('lines in two encodings are each read in their own, and the fewer are named', async () => {
  const [old, plain] = ['Zoë,Müller\n', 'José,Peña\n'];
  const head = Buffer.from('First name,Last name\n');
  const mostlyNew = await read(
    Buffer.concat([head, Buffer.from(plain.repeat(5)), latin(old), Buffer.from(plain)]),
  );
  expect(mostlyNew.firstRows[5]).toEqual(['Zoë', 'Müller']);
  expect(mostlyNew).toMatchObject({ encoding: 'utf-8', warnings: [{ line: 7 }] });
  const mostlyOld = await read(Buffer.concat([head, latin(old.repeat(5)), Buffer.from(plain)]));
  expect(mostlyOld.firstRows[5]).toEqual(['José', 'Peña']);
  expect(mostlyOld).toMatchObject({ encoding: 'windows-1252', warnings: [{ line: 7 }] });
  expect(mostlyOld.warnings[0]?.message).toBe(
    'Text in Unicode (UTF-8) was found in line 7, and read so. The other lines are Western ' +
      'European (Windows).',
  );
});

test('an encoding that is not sure is said with words and the next likely ones', async () => {
  const { letters } = await read(createEncoder('windows-1250')('Name,City\nx,Gdańsk\n'));
  expect(letters).toMatchObject({ isSure: false, sample: 'Gdańsk' });
  expect(letters.others.length).toBeGreaterThan(0);
});

test('one option names the encoding, and bytes that it does not have are refused', async () => {
  const bytes = createEncoder('windows-1250')('First name,City\nAnna,Toruń\n');
  expect((await read(bytes, 'windows-1250')).firstRows).toEqual([['Anna', 'Toruń']]);
  expect((await read(bytes, 'iso-8859-5')).firstRows).toEqual([['Anna', 'Toruё']]);
  await expect(read(bytes, 'euc-kr')).rejects.toThrow(
    'Line 2: these bytes are no text in the encoding Korean (EUC-KR).',
  );
});
