// Initials of companies, as their pictures.
import { expect, test } from 'vitest';
import { initialsOf } from '../../engine/contract/company-words.ts';

test.each([
  ['Rheinwerk Energy Inc.', 'RE'],
  ['Siemens AG', 'S'],
  ['Ashgrove Maschinenbau GmbH & Co. KG', 'AM'],
  ['The Bosch Group GmbH', 'BG'],
  ['Fiat S.p.A.', 'F'],
  ['Kowalski Sp. z o.o.', 'K'],
  ['OOO Romashka', 'R'],
  ['J. P. Morgan Chase & Co.', 'JP'],
  ['AT&T Inc.', 'A'],
  ['Procter & Gamble', 'PG'],
  ['Universität zu Köln', 'UK'],
  ['adidas', 'A'],
  ['Limited', 'L'],
  ['Österreichische Post AG', 'ÖP'],
  ['株式会社', '株'],
  ['–', ''],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
