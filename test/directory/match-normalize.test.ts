// Names of people and companies are parsed before they are compared.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUrlKey } from '../../engine/directory/normalize/match-address.ts';
import {
  listReadings,
  normalizeCompany,
} from '../../engine/directory/normalize/normalize-company.ts';
import { normalizeName } from '../../engine/directory/normalize/normalize-name.ts';
import { profileUrlKey } from '../../engine/directory/normalize/normalize-url.ts';

test.each([
  ['Dr. Mary-Jane', 'O’Neil-Smith, Jr., Ph.D.', 'maryjane', 'oneilsmith', 1],
  ['J.D.', 'Vance', 'jd', 'vance', 0],
  ['Smith, John Q. III', '', 'john', 'smith', 4],
  ['Ludwig van Beethoven', '', 'ludwig', 'vanbeethoven', 0],
  ['', 'Juan de la Cruz', 'juan', 'delacruz', 0],
  ['Søren', 'Straße', 'soren', 'strasse', 0],
  ['小明', '王', '小明', '王', 0],
  ['Ольга', 'Иванова', 'ольга', 'иванова', 0],
  ['The Rt Hon Sir Keir', 'Starmer KC', 'keir', 'starmer', 0],
  ['Lord', 'McFall of Alcluith', undefined, 'mcfall', 0],
  ['Cher', '', 'cher', '', 0],
])('the name %j %j is %s and %s', (first, last, firstKey, lastKey, generation) => {
  const name = normalizeName(first, last);
  expect(name.firstKeys[0]).toBe(firstKey);
  expect(name).toMatchObject({ last: lastKey, generation });
});

test.each([
  ['Acme, Inc.', 'The ACME Corporation'],
  ['Southern Arkansas Univ. Main Campus', 'Southern Arkansas University Main Campus'],
  ['Texas A&M University', 'Texas A & M Univ'],
  ['City of St. Louis', 'City of Saint Louis'],
  ['Michigan St.', 'Michigan State'],
  ['N.H. House of Reps', 'New Hampshire House of Representatives'],
  ['U.S. Steel Corp', 'United States Steel Corporation'],
  ['I.B.M.', 'IBM'],
  ['Müller GmbH & Co. KG', 'Mueller'.replace('ue', 'ü')],
  ['Sylvamo Corporation Common Stock', 'Sylvamo Corp'],
  ['AT&T Inc.', 'A T & T'],
  ['AT & T', 'ATT'],
  ['S&P Global', 'S.P. Global Inc'],
  ['E I du Pont', 'E.I. du Pont'],
  ['Trustco Bank Corp N Y', 'TrustCo Bank Corp NY'],
  ['3 M Company', '3M'],
  ['McBride Clinic L L C', 'McBride Clinic'],
  ['Acme L.L.C.', 'Acme'],
  ['Nordwerk Aktiengesellschaft', 'Nordwerk AG'],
  ['Nordwerk Gesellschaft mit beschränkter Haftung', 'Nordwerk GmbH'],
  ['OAO Severny', 'Open Joint Stock Company Severny'],
  ['TOOL WORKS CORPORATION JOINT STOCK COMPANY', 'JSC Tool Works Corp.'],
  ['ООО "Ромашка"', 'Общество с ограниченной ответственностью «Ромашка»'],
  ['Ромашка ЗАО', 'ромашка'],
  ['Societatea cu Răspundere Limitată Brad', 'S.R.L. Brad'],
  ['Przykład Spółka z ograniczoną odpowiedzialnością', 'Przykład Sp. z o.o.'],
  ['Ejemplo Sociedad Anónima de Capital Variable', 'Ejemplo S.A. de C.V.'],
  ['株式会社山田製作所', '山田製作所（株）'],
  ['주식회사 한빛', '한빛㈜'],
  ['上海长江贸易有限公司', '上海长江贸易'],
  ['Nordwerk Aktiebolag', 'Nordwerk AB'],
  ['Nordwerk eingetragener Verein', 'Nordwerk e.V.'],
  ['SIA Nordwerk', 'Nordwerk'],
  ['Nordwerk OÜ', 'Nordwerk'],
  ['Νορντ Α.Ε.', 'Νορντ'],
  ['Công ty TNHH Nordwerk', 'Công ty cổ phần Nordwerk'],
  ['شركة نورد', 'نورد'],
  ['บริษัท นอร์ด จำกัด', 'นอร์ด'],
  ['First National Bank', '1st National Bank'],
  ['3 Rivers Trust', 'Three Rivers Trust'],
  ['AT and T Inc.', 'AT&T'],
])('the companies %j and %j are one', (a, b) => {
  expect(normalizeCompany(a).key).toBe(normalizeCompany(b).key);
});

test.each([
  ['University of Texas at Dallas', 'University of Texas at Austin'],
  ['Iowa Senate', 'Iowa House of Representatives'],
  ['Delta Air', 'Delta Dental'],
  ['AT&T', 'T'],
  ['Texas A&M', 'Texas American'],
  ['SAS Institute', 'Institute'],
  ['Spa World', 'World'],
  ['Too Good', 'Good'],
  ['Sparkasse Indiana', 'Sparkasse'],
  ['Lindner Stiftung', 'Lindner'],
])('the companies %j and %j are two', (a, b) => {
  expect(normalizeCompany(a).key).not.toBe(normalizeCompany(b).key);
});

test.each([
  ['Larder Ltd (trading as Nordwerk)', 'Nordwerk'],
  ['Larder Ltd T/A Nordwerk', 'Nordwerk'],
  ['Larder d.b.a. Nordwerk', 'Nordwerk'],
  ['Larder GmbH (vormals: Nordwerk AG)', 'Nordwerk'],
  ['Larder SA, anciennement Nordwerk', 'Nordwerk'],
  ['Larder (ex-Nordwerk)', 'Nordwerk'],
  ['Larder S.L. (antes Nordwerk)', 'Nordwerk'],
  ['Larder (旧Nordwerk)', 'Nordwerk'],
])('the company %j is also called %j', (name, other) => {
  const keys = listReadings(name).map((reading) => normalizeCompany(reading).key);
  expect(keys).toEqual(expect.arrayContaining(['larder', normalizeCompany(other).key]));
});

test('words of other names are words of names outside of brackets', () => {
  for (const name of ['Fed Ex Corp', 'Now Foods', 'Ora Labs'])
    expect(listReadings(name)).toEqual([]);
});

test('a name of any text is parsed without an error, and its keys have no space or mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (first, last) => {
      const name = normalizeName(first, last);
      for (const key of [...name.firstKeys, name.last, ...name.lastParts])
        expect(key).toMatch(/^[\p{L}\p{N}\p{M}]*$/u);
      normalizeCompany(`${first} ${last}`);
    }),
  );
});

test('the fast path and the slow path give a URL the same key', () => {
  const host = fc.constantFrom(
    'linkedin.com',
    'www.linkedin.com',
    'uk.linkedin.com',
    'Example.org',
    'www.senate.gov',
    'a.b-c.io',
    'xn--bcher-kva.example',
    'a--b.com',
    '1.2.3.4',
    'localhost',
    '-a.com',
    'a.c0m',
  );
  const path = fc.constantFrom(
    '',
    '/',
    '/in/Ada-L',
    '/in/ada-l/',
    '/a/b/',
    '/a//b',
    '/%7Ea',
    '/a?trk=1',
    '/a#x',
    '/../a',
    '/IN/x',
    '/in',
    '/pub/ada/1/2',
  );
  fc.assert(
    fc.property(fc.constantFrom('https://', 'http://', '', 'HTTPS://'), host, path, (a, b, c) => {
      expect(readUrlKey(a + b + c)).toBe(profileUrlKey(a + b + c));
    }),
    { numRuns: 400 },
  );
});
