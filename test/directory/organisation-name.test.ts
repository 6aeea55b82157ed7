// Which texts of a column of names are those of organisations.
import { expect, test } from 'vitest';
import { isOrganisationName } from '../../engine/directory/names/organisation-name.ts';

test.each([
  ['a legal form', 'Bosch GmbH', 'ACME Corporation Ltd.', 'Acme, Inc.', 'Total S.A.', 'Volvo AB'],
  ['a form in capitals', 'SIEMENS AG', 'BOSCH AG', 'BANCO SANTANDER S.A.'],
  ['a form of several words', 'Orlen Sp. z o.o.', 'Kärcher SE & Co. KG', 'Weber (Schweiz) AG'],
  ['another script', '株式会社山田', 'ООО Ромашка', '北京华为有限公司', '삼성전자 주식회사'],
  ['a kind', 'Deutsche Bank', 'Universität Bremen', 'Hotel Adler', 'Ford Foundation'],
  ['a kind of something', 'University of Oxford', 'Ministry of Health', 'Bank of America, N.A.'],
  ['a kind behind a name', 'Ann Lee Consulting', 'Susan B Allen Memorial Hospital'],
  ['a company', 'The Boeing Company', '3M Company', 'Max-Planck-Institut'],
  ['surnames', 'Smith & Jones LLP', 'Johnson & Johnson', 'Müller & Söhne', 'H&M'],
])('%s names an organisation', (_why, ...texts) => {
  expect(texts.filter((text) => !isOrganisationName(text))).toEqual([]);
});

test('with another employer, a given name and a kind name a person', () => {
  const texts = [
    'Jay Fund',
    'Shelby Labs',
    'David D.F. Uran',
    'Deutsche Bank',
    'Ann Lee Consulting',
  ];
  const isOne = (employer: string) => texts.filter((text) => isOrganisationName(text, employer));
  expect(isOne('Acme')).toEqual(['Deutsche Bank', 'Ann Lee Consulting']);
  expect(isOne('')).toEqual(texts);
  expect(isOrganisationName('Jay Fund', 'JAY FUND')).toBe(true);
});

test.each([
  ['a surname like a form', 'Maria Sá', 'Maria Sa', 'MARIA SA', 'Jean Sas', 'Ng Co', 'R. K. Sas'],
  ['a surname like a kind', 'Ann Bank', 'Ed Church', 'Faith House', 'Joan Hospital'],
  ['a placeholder behind a name', 'Bob Private', 'Eva Public'],
  ['letters behind a name', 'Ann King, PC', 'Dr. Uwe Berg, LLM', 'Ada King MBA'],
  ['an employer behind a name', 'Ann Lee, Acme Inc.', 'Ann Lee (Acme GmbH)', 'Ann Lee | Ola AG'],
  ['a job', 'Marketing Manager', 'Ann Lee / Sales Director'],
  ['several people', 'Ann & Bo', 'Ann & Bo Kim', 'Ana Ruiz y Juan Pérez', 'Ann Lee & Partner'],
  ['a name with a particle', 'José Ortega y Gasset', 'Ludwig van Beethoven', 'Nguyễn Thị Mai'],
  ['another script', 'Иванов Иван', '山田太郎', '김철수'],
])('%s leaves a text the name of a person', (_why, ...texts) => {
  expect(texts.filter((text) => isOrganisationName(text))).toEqual([]);
});
