// Words for the names and descriptions of generated companies.

/** First words of company names, the commonest first. */
export const usualNameWords: readonly string[] = (
  'acme global summit apex pioneer north blue silver golden first united national american ' +
  'pacific atlantic alpine vertex nova quantum stellar prime core bright clear next smart ' +
  'green red river oak cedar maple stone iron steel sky cloud data net info cyber bio eco ' +
  'solar vista horizon harbor bridge gate tower castle crown eagle falcon lion wolf phoenix ' +
  'titan atlas orion delta sigma omega alpha beta gamma zenith'
).split(' ');
/** A company's business, after its name. */
export const trades: readonly string[] = (
  'Systems Solutions Technologies Group Partners Holdings Industries Services Consulting ' +
  'Capital Labs Media Networks Health Energy Logistics Foods Financial Software Analytics ' +
  'Design Construction Pharma Motors Insurance Bank Properties Retail Security Robotics ' +
  'Interactive Digital Ventures Engineering Materials Marketing Education'
).split(' ');
/** Industries, the commonest first. */
export const industries: readonly string[] = (
  'Software;Hospitals & Health Care;Financial Services;Construction;Retail;Manufacturing;' +
  'Education;Banking;Insurance;Real Estate;Telecommunications;Automotive;Biotechnology;' +
  'Pharmaceuticals;Marketing & Advertising;Management Consulting;Staffing & Recruiting;' +
  'Logistics & Supply Chain;Oil & Energy;Renewables;Food & Beverages;Hospitality;' +
  'Legal Services;Accounting;Media Production;Publishing;Aviation & Aerospace;Defense;' +
  'Chemicals;Mining & Metals;Textiles;Consumer Goods;Electronics;Semiconductors;' +
  'Medical Devices;Government;Nonprofit;Utilities;Agriculture;Sports;Entertainment;Gaming;' +
  'Architecture;Design;Research;Venture Capital;Wholesale;Packaging;Printing;' +
  'Environmental Services;Security;Transportation;Maritime;Furniture;Cosmetics;Restaurants;' +
  'Wine & Spirits;Museums;Veterinary;Libraries'
).split(';');
/** Countries, with their share of a hundred companies. */
export const countryShares: readonly (readonly [country: string, share: number])[] = [
  ['United States', 45],
  ['United Kingdom', 9],
  ['Germany', 6],
  ['India', 6],
  ['Canada', 5],
  ['France', 4],
  ['Australia', 3],
  ['Netherlands', 2.5],
  ['Spain', 2],
  ['Italy', 2],
  ['Brazil', 2],
  ['Sweden', 1.2],
  ['Switzerland', 1.2],
  ['Singapore', 1],
  ['Ireland', 1],
  ['Poland', 1],
  ['Belgium', 0.8],
  ['Denmark', 0.7],
  ['Norway', 0.6],
  ['Japan', 0.9],
  ['Mexico', 0.9],
  ['South Africa', 0.6],
  ['Israel', 0.6],
  ['United Arab Emirates', 0.5],
  ['New Zealand', 0.4],
  ['Austria', 0.4],
  ['Portugal', 0.3],
  ['Finland', 0.3],
  ['Turkey', 0.3],
  ['Kenya', 0.1],
];

/** Legal forms by country; other countries use `otherLegalForms`. */
export const legalForms: Readonly<Record<string, readonly string[]>> = {
  'United States': ['Inc', 'Inc.', 'LLC', 'Corp', 'Corporation', 'Co.', ''],
  'United Kingdom': ['Ltd', 'Limited', 'PLC', 'LLP', ''],
  Germany: ['GmbH', 'AG', 'GmbH & Co. KG'],
  India: ['Pvt Ltd', 'Private Limited', 'Ltd'],
  France: ['SAS', 'SARL', 'SA'],
  Netherlands: ['B.V.', 'BV', 'NV'],
  Spain: ['S.L.', 'SA'],
  Italy: ['S.p.A.', 'SRL'],
  Sweden: ['AB'],
  Australia: ['Pty Ltd'],
  Japan: ['KK', 'Co., Ltd.'],
  Brazil: ['Ltda', 'S.A.'],
};
/** Legal forms of every other country. */
export const otherLegalForms: readonly string[] = ['Ltd', 'SA', ''];
