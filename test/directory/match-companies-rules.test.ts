// The rules by which a row of a list means a company of the directory, or none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCompanyIndex, buildIndex } from '../../engine/directory/index/index-build.ts';
import { withOwnDomains } from '../../engine/directory/index/index-companies.ts';
import {
  createNameComparison,
  shareTriples,
} from '../../engine/directory/match/companies/compare-name.ts';
import { compareForms, compareSectors } from '../../engine/directory/match/companies/name-kinds.ts';
import { compareNumbers } from '../../engine/directory/match/companies/name-numbers.ts';
import { findInitialsRun } from '../../engine/directory/match/companies/profile-words.ts';
import {
  type CompanyQuery,
  readCompany,
  readDomain,
  readPlace,
} from '../../engine/directory/match/companies/read-company.ts';
import {
  createCompanyFinder,
  createCompanyMatcher,
} from '../../engine/directory/match/match-companies.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

const companies: readonly Row[] = [
  { company_id: 'harwick', name: 'Harwick Dynamics Inc', website: 'harwickdynamics.com' },
  { company_id: 'penrose', name: 'Penrose Valley Credit Union', website: 'penrosevalley.org' },
  { company_id: 'mount', name: 'Mount Calder University', city: 'Calder', state: 'MT' },
  { company_id: 'trade', name: 'Larkspur Department of International Trade' },
  { company_id: 'saint', name: 'Saint Brannoc Hospital', city: 'Saint Paul', state: 'MN' },
  { company_id: 'east', name: 'Tollgate Clinic', city: 'Springfield', state: 'IL' },
  { company_id: 'west', name: 'Tollgate Clinic', city: 'Portland', state: 'OR' },
  { company_id: 'twin1', name: 'Quillon Barber School' },
  { company_id: 'twin2', name: 'Quillon Barber School' },
  { company_id: 'site1', name: 'Dunmore Public Schools Ashby', city: 'Dunmore', state: 'OH' },
  { company_id: 'site2', name: 'Dunmore Public Schools Birchall', city: 'Dunmore', state: 'OH' },
  { company_id: 'site3', name: 'Dunmore Public Schools Corrigan', city: 'Dunmore', state: 'OH' },
  { company_id: 'site4', name: 'Dunmore Public Schools Delacroix', city: 'Dunmore', state: 'OH' },
  { company_id: 'former', name: 'Orrin Health', aliases: 'Fenwick Memorial Infirmary' },
  { company_id: 'fund', name: 'Brightmoor Growth Partners VIII LP' },
  { company_id: 'asia', name: 'Kestrelbank (Asia) Limited' },
  { company_id: 'ordinal', name: 'First Quarrymen Bank', city: 'Denver', state: 'CO' },
  { company_id: 'works', name: 'Ostermann Werke AG' },
  { company_id: 'forest', name: 'OAO Severny Les' },
  {
    company_id: 'salem',
    name: 'Orling Salon Salem',
    website: 'orlingsalons.com',
    city: 'Salem',
    state: 'OR',
  },
  {
    company_id: 'bangor',
    name: 'Orling Salon Bangor',
    website: 'orlingsalons.com',
    city: 'Bangor',
    state: 'ME',
  },
  { company_id: 'foundation', name: 'Calder Foundation Inc' },
  { company_id: 'llc', name: 'Tarnow Rowe LLC' },
  { company_id: 'ltd', name: 'Tarnow Rowe Limited' },
  { company_id: 'forms', name: 'SA Holding SA' },
  { company_id: 'voyages', name: 'Caldmoor Regal Voyages Ltd' },
  { company_id: 'lone', name: 'IKW ApS' },
  { company_id: 'denmark', name: 'Orring II Denmark' },
  { company_id: 'side', name: 'Eastern Sandmoor Hospital' },
  { company_id: 'insurance', name: 'Ordell Versicherung GmbH' },
  { company_id: 'naamloze', name: 'Vosmeer Zuivel N.V.', city: 'Breda', country: 'NL' },
  {
    company_id: 'town',
    name: 'City of Pinecombe',
    aliases: 'Pinecombe',
    city: 'Pinecombe',
    state: 'OR',
  },
  { company_id: 'japan', name: '株式会社高倉物流' },
  { company_id: 'escaped', name: 'Tarn & Rowan Optics' },
  { company_id: 'cyrillic', name: 'АО «Волговест Логистика»' },
  { company_id: 'school', name: 'Velling', city: 'Dunmore', state: 'OH' },
  { company_id: 'digits', name: '1606 Kestrelman Ltd' },
  { company_id: 'plain', name: 'Kestrelman Ltd' },
  { company_id: 'europe', name: 'Brühlwerk Seilbahnen SE', city: 'Ulm', country: 'DE' },
  { company_id: 'ulm', name: 'Vogelsang Mühlen AG', city: 'Ulm', country: 'DE' },
  { company_id: 'ukraine', name: 'ТОВ «Чернівець Логістика»', city: 'Одеса', country: 'UA' },
  { company_id: 'arabic', name: 'شركة نورفيصل للنقل' },
  { company_id: 'regional', name: 'Regional Medical Center', city: 'Dunmore', state: 'OH' },
  {
    company_id: 'fernby',
    name: 'Fort Fernby Community Hospital',
    city: 'Fort Fernby',
    state: 'VT',
  },
];
const fillers = ['Granite', 'Willow', 'Summit', 'Lakeside', 'Prairie', 'Harbor', 'Cedar', 'Ivory'];
const kinds = ['College', 'Hospital', 'Holdings Inc', 'Academy', 'Bank', 'University', 'Clinic'];
const others: readonly Row[] = fillers.flatMap((word, at) =>
  kinds.map((kind, of) => ({ company_id: `o${at}-${of}`, name: `${word} ${kind}` })),
);

async function openDirectoryOf(rows: readonly Row[]): Promise<ListFolder> {
  const lists = openListFolder();
  await lists.importCompanies(rows);
  return lists;
}

/** The given id of the company that each query matches; null for none. */
function matchAll(lists: ListFolder, queries: readonly CompanyQuery[]): (string | null)[] {
  const match = createCompanyMatcher(lists.db);
  const readGiven = lists.db.prepare('SELECT given_id FROM company WHERE id = ?').pluck();
  return queries.map((query) => {
    const found = match(query);
    return found && (readGiven.get(found.companyId) as string);
  });
}

const found: readonly (readonly [rule: string, query: CompanyQuery, id: string])[] = [
  ['another legal form', { name: 'Harwick Dynamics LLC' }, 'harwick'],
  ['the name of a share', { name: 'Harwick Dynamics Inc. Common Stock' }, 'harwick'],
  ['a typing error in a rare word', { name: 'Harwcik Dynamics Inc' }, 'harwick'],
  ['the number of a record', { name: 'Penrose Valley Credit Union (48213)' }, 'penrose'],
  ['an abbreviation', { name: 'Mt. Calder Univ.' }, 'mount'],
  ['two abbreviations', { name: 'Larkspur Dept of Intl Trade' }, 'trade'],
  ['another order of words', { name: 'Trade, Larkspur Department of International' }, 'trade'],
  ['a truncation', { name: 'Penrose Valley Credit Un' }, 'penrose'],
  ['a saint in short', { name: 'St. Brannoc Hosp', city: 'St. Paul', state: 'MN' }, 'saint'],
  ['a domain without a name', { name: '', domain: 'https://www.penrosevalley.org/' }, 'penrose'],
  ['a web address as the name', { name: 'www.harwickdynamics.com' }, 'harwick'],
  ['a mailbox as the domain', { name: '', domain: 'info@penrosevalley.org' }, 'penrose'],
  ['an alias', { name: 'Fenwick Memorial Infirmary' }, 'former'],
  ['a city of namesakes', { name: 'Tollgate Clinic', city: 'Portland', state: 'OR' }, 'west'],
  ['a state of namesakes', { name: 'Tollgate Clinic', state: 'Illinois' }, 'east'],
  ['a state in full', { name: 'Mount Calder University', state: 'Montana' }, 'mount'],
  ['a misspelled city', { name: 'Mount Calder University', city: 'Caldre', state: 'MT' }, 'mount'],
  ['city and state in one cell', { name: 'Tollgate Clinic', city: 'Portland, OR' }, 'west'],
  ['a number in other figures', { name: 'Brightmoor Growth Partners 8, L.P.' }, 'fund'],
  ['an ordinal number in figures', { name: '1st Quarrymen Bank' }, 'ordinal'],
  ['its own city in the name', { name: 'First Quarrymen Bank (Denver)' }, 'ordinal'],
  ['a brand alone', { name: 'Ostermann' }, 'works'],
  ['another language', { name: 'Quarrymen Banco First' }, 'ordinal'],
  ['no spaces', { name: 'BrightmoorGrowthPartnersVIII' }, 'fund'],
  ['an affiliation', { name: 'Dept. of Loans, First Quarrymen Bank, Denver, CO, USA' }, 'ordinal'],
  ['a unit before the name', { name: 'Institut für Physik - Mount Calder University' }, 'mount'],
  ['a unit behind the name', { name: 'Harwick Dynamics, Inc., Quality Department' }, 'harwick'],
  ['a function behind the name', { name: 'Penrose Valley Credit Union / Marketing' }, 'penrose'],
  ['a street behind the name', { name: 'Ostermann Werke AG - 12 Harbor Road' }, 'works'],
  ['a country behind a form', { name: 'Harwick Dynamics, Inc., USA' }, 'harwick'],
  [
    'a full address without a comma before the state',
    { name: 'Faculty of Law, Mount Calder University, Calder MT 59001, United States' },
    'mount',
  ],
  [
    'a city and its region',
    { name: 'Sales Dept., Ostermann Werke AG, Linz, Oberösterreich, Austria' },
    'works',
  ],
  [
    'a web address among other words',
    { name: 'Office of Research, www.penrosevalley.org' },
    'penrose',
  ],
  ['a web address and a legal form', { name: 'www.penrosevalley.org, Inc.' }, 'penrose'],
  ['the address of a chain and a city', { name: 'www.orlingsalons.com', city: 'Salem' }, 'salem'],
  [
    'the domain of a chain and a state',
    { name: '', domain: 'orlingsalons.com', state: 'Maine' },
    'bangor',
  ],
  ['what it is to the list in brackets', { name: 'Mount Calder University (customer)' }, 'mount'],
  ['a foundation that the directory has', { name: 'Calder Foundation' }, 'foundation'],
  ['a legal form in full', { name: 'Ostermann Werke Aktiengesellschaft' }, 'works'],
  ['a legal form before the name', { name: 'Open Joint Stock Company Severny Les' }, 'forest'],
  ['a legal form without a space', { name: 'Ostermann WerkeAG' }, 'works'],
  ['the legal form of one of two namesakes', { name: 'Tarnow Rowe Ltd.' }, 'ltd'],
  ['a name of legal forms', { name: 'SA Holding' }, 'forms'],
  ['letters that are no legal form', { name: 'I.K.W.' }, 'lone'],
  ['a slip in a word of its kind', { name: 'Granite Unniversity' }, 'o0-5'],
  [
    'an email behind the name',
    { name: 'Penrose Valley Credit Union <info@penrosevalley.org>' },
    'penrose',
  ],
  ['a phone behind the name', { name: 'Ostermann Werke AG, Tel. +43 1 9712026' }, 'works'],
  ['a record in JSON', { name: '{"name":"Mount Calder University"}' }, 'mount'],
  ['spaced letters', { name: 'O s t e r m a n n   W e r k e   A G' }, 'works'],
  ['full stops for spaces', { name: 'First.Quarrymen.Bank' }, 'ordinal'],
  ['the main site', { name: 'Mount Calder University - Main Campus' }, 'mount'],
  [
    'city and state in the cell of the state',
    { name: 'Tollgate Clinic', state: 'Portland, OR' },
    'west',
  ],
  ['a postal code', { name: 'Tollgate Clinic', city: 'Portland, OR 97201' }, 'west'],
  ['initials and their place', { name: 'MCU', city: 'Calder', state: 'MT' }, 'mount'],
  ['a kind in Italian', { name: 'Ospedale Granite' }, 'o0-1'],
  ['a kind in Cyrillic', { name: 'Granite Колледж' }, 'o0-0'],
  ['a trade in another language', { name: 'Ubezpieczenia Ordell' }, 'insurance'],
  ['a label', { name: 'Client: Ostermann Werke' }, 'works'],
  ['a number with letters', { name: 'V-20318 First Quarrymen Bank' }, 'ordinal'],
  ['a tax number', { name: 'Ordell Versicherung GmbH DE204113077' }, 'insurance'],
  ['a head count', { name: 'Ostermann Werke (51-200 employees)' }, 'works'],
  ['a page of a network', { name: 'https://linkedin.com/company/first-quarrymen-bank' }, 'ordinal'],
  ['lost letters', { name: 'Br?hlwerk Seilbahnen' }, 'europe'],
  ['its country in another language', { name: 'Brühlwerk Seilbahnen (Deutschland)' }, 'europe'],
  ['a group in another language', { name: 'Ordell Versicherung Gruppe' }, 'insurance'],
  ['a list of fields', { name: 'Company Name=Ostermann Werke; City=Linz' }, 'works'],
  ['a postal code behind the state', { name: 'Tollgate Clinic', state: 'OR 97201' }, 'west'],
  ['a street and a city', { name: 'Ordell Versicherung GmbH, Hauptstraße 7, Kassel' }, 'insurance'],
  ['a shop of a domain', { name: '', domain: 'shop.penrosevalley.org' }, 'penrose'],
  ['a slip in a legal form behind the name', { name: 'Harwick Dynamics Icn' }, 'harwick'],
  ['an abbreviated form behind the name', { name: 'Harwick Dynamics Hldgs' }, 'harwick'],
  ['a booth', { name: 'Penrose Valley Credit Union, Hall 3 Stand B12' }, 'penrose'],
  ['the job of a person', { name: 'Head of Sales @ Ostermann Werke' }, 'works'],
  ['a former name', { name: 'Larkspur Works (renamed Ostermann Werke AG)' }, 'works'],
  ['a new name', { name: 'Larkspur Works, now called Ostermann Werke AG' }, 'works'],
  ['a chief', { name: 'CEO of Ostermann Werke AG' }, 'works'],
  ['a site in its city', { name: 'Vosmeer Zuivel N.V. Breda site' }, 'naamloze'],
  ['a footnote', { name: '2 Mount Calder University, Calder' }, 'mount'],
  ['an amount', { name: 'Harwick Dynamics Inc €59,000' }, 'harwick'],
  ['a head office', { name: 'Penrose Valley Credit Union Head Office' }, 'penrose'],
  ['the team of a company', { name: 'The team at Ostermann Werke AG' }, 'works'],
  ['subsidiaries', { name: 'Ostermann Werke AG and its subsidiaries' }, 'works'],
  ['an address without its sign', { name: 'info(at)penrosevalley.org' }, 'penrose'],
  ['a form in Japanese brackets', { name: '㈱高倉物流' }, 'japan'],
  ['a sign that was escaped twice', { name: 'Tarn &amp;amp; Rowan Optics' }, 'escaped'],
  ['words of its own in its city', { name: 'Vosmeer Zuivel Kaas', city: 'Breda' }, 'naamloze'],
  ['an account to bill', { name: 'BILL TO Ostermann Werke AG' }, 'works'],
  ['the desk of a letter', { name: 'ATTN Accounts Payable Harwick Dynamics Inc' }, 'harwick'],
  ['an addressee', { name: 'Penrose Valley Credit Union, Attn: Jo Brennick' }, 'penrose'],
  ['an owner', { name: 'Vosmeer Zuivel N.V., a subsidiary of Brandel Holding AG' }, 'naamloze'],
  ['a form of two Cyrillic letters', { name: 'Volgovest Logistics' }, 'cyrillic'],
  ['a short word in its city', { name: 'Vosm. Zuivel', city: 'Breda' }, 'naamloze'],
  ['no country', { name: 'Ascension - Saint Brannoc Hospital', city: 'St. Paul' }, 'saint'],
  ['a site behind its parent', { name: 'Dunmore Public Schools Velling, Otto' }, 'school'],
  ['a share company in Europe', { name: 'Ostermann Werke SE' }, 'works'],
  ['a transfer', { name: 'SEPA-Überweisung Ostermann Werke AG RE 5431 VOM 12.03.' }, 'works'],
  ['a register', { name: 'HRB 46668 Ordell Versicherung GmbH' }, 'insurance'],
  ['an account', { name: 'Harwick Dynamics Inc IBAN DE41 0830 5520 8046' }, 'harwick'],
  [
    'an address without commas',
    { name: 'VOSMEER ZUIVEL N.V. DORPSWEG 12 4811 BREDA NETHERLANDS' },
    'naamloze',
  ],
  ['a rank', { name: '9. Penrose Valley Credit Union' }, 'penrose'],
  ['those who govern', { name: 'Board of Trustees of Mount Calder University' }, 'mount'],
  ['small words', { name: 'Penrose Valley Credit Union and others' }, 'penrose'],
  ['a name cut in a word', { name: 'CALDMOOR REGAL VOY' }, 'voyages'],
  ['an arrow', { name: 'Larkspur Works → Ostermann Werke AG' }, 'works'],
  ['a number of its own', { name: '1606 Kestrelman Ltd' }, 'digits'],
  ['letters of DOS', { name: 'Br\u0081hlwerk Seilbahnen' }, 'europe'],
  ['letters of a mail', { name: 'Br=C3=BChlwerk Seilbahnen' }, 'europe'],
  ['letters of JSON', { name: 'Bru00fchlwerk Seilbahnen' }, 'europe'],
  ['a mailbox and its desk', { name: 'Anna <sales@harwickdynamics.com>' }, 'harwick'],
  ['a legal form with slips', { name: 'Caldmoor Regal Voyages Ltcl' }, 'voyages'],
  ['a par value', { name: 'Harwick Dynamics ORD USD0.01' }, 'harwick'],
  [
    'a host of its domain',
    { name: 'Harwick Dynamics', domain: 'eu.harwickdynamics.com' },
    'harwick',
  ],
  ['headquarters', { name: 'Penrose Valley Credit Union World Headquarters' }, 'penrose'],
  ['letters of Ukraine', { name: 'TOV "Chernivets Logistika"' }, 'ukraine'],
  ['a stretched word', { name: 'شرـكة نورفيصل للنقل' }, 'arabic'],
  [
    'an address in one run',
    { name: 'SAINT BRANNOC HOSPITAL 1155 MILL STREET SAINT PAUL MN 55102 US' },
    'saint',
  ],
  ['an employment', { name: 'Employed by Penrose Valley Credit Union' }, 'penrose'],
  ['a job elsewhere', { name: 'Director de Compras en Penrose Valley Credit Union' }, 'penrose'],
  ['a share and its exchange', { name: 'Harwick Dynamics Inc HWKD.N' }, 'harwick'],
  ['a new name', { name: 'Larkspur Holdings (renamed to Ostermann Werke AG)' }, 'works'],
  ['another word for a town', { name: 'Municipality of Pinecombe, OR' }, 'town'],
  ['the level of a sponsor', { name: 'Penrose Valley Credit Union ★ Gold' }, 'penrose'],
  ['a country that is a state, too', { name: 'VOGELSANG MÜHLEN AG, ULM, DE' }, 'ulm'],
  ['a common name at its place', { name: 'Regional Medical Center', state: 'OH' }, 'regional'],
];

test('a row is matched by what its name, place or domain still says', async () => {
  using lists = await openDirectoryOf([...companies, ...others]);
  const ids = matchAll(
    lists,
    found.map(([, query]) => query),
  );
  expect(found.map(([rule], at) => [rule, ids[at]])).toEqual(
    found.map(([rule, , id]) => [rule, id]),
  );
});

const none: readonly (readonly [rule: string, query: CompanyQuery])[] = [
  ['two companies of one name', { name: 'Quillon Barber School' }],
  ['namesakes without a place', { name: 'Tollgate Clinic' }],
  ['two companies in one cell', { name: 'Harwick Dynamics Inc / Penrose Valley Credit Union' }],
  ['the domain of another company', { name: 'Harwick Dynamics Inc', domain: 'penrosevalley.org' }],
  ['a general word', { name: 'University' }],
  ['a common name', { name: 'Regional Medical Center' }],
  ['a bond', { name: 'Harwick Dynamics 4.25% 2030' }],
  ['one who studied there', { name: 'Mount Calder University alum' }],
  ['where a wife works', { name: 'wife works at Penrose Valley Credit Union' }],
  ['another saint', { name: 'St. Corwen Hospital', city: 'St. Paul', state: 'MN' }],
  ['a school before college', { name: 'Mount Calder Elementary', city: 'Calder', state: 'MT' }],
  ['a shop', { name: 'Saint Brannoc Hospital Gift Shop', city: 'Saint Paul', state: 'MN' }],
  ['the place alone', { name: 'Fort Fernby Summit Home', city: 'Fort Fernby', state: 'VT' }],
  ['a domain of free mail', { name: 'gmail.com' }],
  ['a free mailbox', { name: '', domain: 'someone@gmail.com' }],
  ['no company', { name: 'Self-employed' }],
  ['a placeholder', { name: 'N/A' }],
  ['an empty row', { name: '' }],
  ['a parent without a site', { name: 'Dunmore Public Schools' }],
  ['another rare word before frequent ones', { name: 'Velmora Valley Credit Union' }],
  ['another Roman number', { name: 'Brightmoor Growth Partners IX LP' }],
  ['another number in figures', { name: 'Brightmoor Growth Partners 7 LP' }],
  ['another region in brackets', { name: 'Kestrelbank (Europe) Limited' }],
  [
    'a unit of a namesake abroad',
    { name: 'School of Law, Mount Calder University, Graz, Austria' },
  ],
  ['the domain of a chain', { name: '', domain: 'orlingsalons.com' }],
  ['the domain of a chain elsewhere', { name: '', domain: 'orlingsalons.com', city: 'Reno' }],
  ['a city alone', { name: 'Calder' }],
  ['the foundation of a company', { name: 'Mount Calder University Foundation' }],
  ['the alumni of a company', { name: 'Mount Calder University Alumni Association' }],
  ['a few letters before a kind', { name: 'Pen Credit Union' }],
  ['namesakes of other legal forms', { name: 'Tarnow Rowe' }],
  ['a legal form alone', { name: 'SA' }],
  ['few initials alone', { name: 'MCU' }],
  ['a series without its number', { name: 'Caldmoor Regal Voyages V Ltd' }],
  ['a few letters alone', { name: 'Sev' }],
  ['a city elsewhere', { name: 'Mount Calder University (Dubai)' }],
  ['a place near the company', { name: 'Near Mount Calder University' }],
  ['a pharmacy instead of a hospital', { name: 'Saint Brannoc Pharmacy' }],
  ['a city instead of a region', { name: 'Kestrelbank (London) plc' }],
  ['a region of its own', { name: 'Ostermann Werke (Asia)' }],
  ['a series without a number before a place', { name: 'Orring Denmark' }],
  ['another side', { name: 'Western Sandmoor Hospital' }],
  ['a spot between the words', { name: 'Mount Valley Calder University' }],
  ['volunteers of a company', { name: 'Mount Calder University Volunteers' }],
  ['a student of a company', { name: 'Student of Mount Calder University' }],
  ['a lawsuit', { name: 'Lawsuit against Harwick Dynamics' }],
  ['beer instead of a kind', { name: 'Saint Brannoc Brewing Company' }],
  ['a client of a company', { name: 'Client of Harwick Dynamics' }],
  ['a trade instead of a kind', { name: 'Granite Logistics' }],
  ['the first company of a series', { name: 'Brightmoor Growth Partners LP' }],
  ['the legal form of another company', { name: 'Ostermann Werke GmbH' }],
  ['the legal form of an association', { name: 'Ostermann Werke e.V.' }],
  ['another country', { name: 'Vosmeer Zuivel N.V.', country: 'Belgium' }],
  ['the second company of a series', { name: 'Ordell 2 Versicherung GmbH' }],
  ['a joined name', { name: 'Ordell-Tarnow Versicherung GmbH' }],
  ['a word between those of the name', { name: 'Ordell Velmora Versicherung GmbH' }],
  ['a word in front of the name', { name: 'New Ordell Versicherung GmbH' }],
  ['something about a company', { name: 'Complaint about Ostermann Werke AG' }],
  ['a partner of a company', { name: 'Lieferant der Ordell Versicherung GmbH' }],
  ['a former employer', { name: 'formerly at First Quarrymen Bank' }],
  ['an event of a company', { name: 'Ordell Versicherung Charity Run' }],
  ['a plan of a company', { name: 'Harwick Dynamics Retirement Plan' }],
  ['a choir of a company', { name: 'Vosmeer Zuivel Choir' }],
  ['another kind of college', { name: 'Granite Community College' }],
  ['another first letter', { name: 'Larwick Dynamics Inc' }],
  ['a legal form of another country', { name: 'Ordell Versicherung K.K.' }],
  ['two companies with a comma', { name: 'Ostermann Werke AG, Vosmeer Zuivel N.V.' }],
  ['two companies of which one is unknown', { name: 'Ostermann Werke AG / Brandel Stahl GmbH' }],
  ['a parish instead of a hospital', { name: 'Saint Brannoc Parish' }],
  ['two slips in the rarest word', { name: 'Haxqick Dynamics Inc' }],
  ['an unknown company behind a mark', { name: 'Mount Calder University / Brandel Stahl GmbH' }],
  ['a city and its state', { name: 'Pinecombe, OR 97301' }],
  ['a street', { name: 'Penrose Valley Credit Union Road' }],
  ['a former employee', { name: 'Ostermann Werke AG (former employee)' }],
  ['a supplier to a company', { name: 'Supplier to Ostermann Werke AG' }],
  ['a tenant', { name: 'Tenant of Penrose Valley Credit Union' }],
  ['creditors of a company', { name: 'Creditors of Ostermann Werke' }],
  ['a longer word', { name: 'Ordellinger Versicherung GmbH' }],
  ['a shorter word', { name: 'Harw Dynamics Inc' }],
  ['a hospital of a university', { name: 'Mount Calder University Hospital' }],
  ['the guest of a company', { name: 'Brandel Stahl AG c/o Ostermann Werke AG' }],
  ['another thing of the name', { name: 'Ordell Summit' }],
  ['two letters of like sound, without a place', { name: 'Ortill Versicherung' }],
];

test('a row that no company or several explain is left open', async () => {
  using lists = await openDirectoryOf([...companies, ...others]);
  const ids = matchAll(
    lists,
    none.map(([, query]) => query),
  );
  expect(none.map(([rule], at) => [rule, ids[at]])).toEqual(none.map(([rule]) => [rule, null]));
});

test('a site of a chain is found by its city, however many sites the chain has', async () => {
  const cities = [
    'Ashdown',
    'Brinley',
    'Castor',
    'Denholm',
    'Elstow',
    'Farrow',
    'Gorsley',
    'Hythe',
  ];
  const sites = [...cities, 'Ivinghoe', 'Jarrow', 'Zeal'].map((city) => ({
    company_id: city,
    name: `Vantry Beauty School-${city}`,
    city,
    state: 'GA',
  }));
  using lists = await openDirectoryOf([...sites, ...others]);
  const at = (city: string) => ({ name: 'Vantry Beauty School', city, state: 'GA' });
  const queries = [at('Zeal'), at('Ashdown'), at('Nowhere'), { name: 'Vantry Beauty School' }];
  expect(matchAll(lists, queries)).toEqual(['Zeal', 'Ashdown', null, null]);
});

test('an exact name with one holder always wins, whatever the order of the directory', async () => {
  const named = [...companies.slice(0, 5), ...others];
  for (const rows of [named, named.toReversed()]) {
    using lists = await openDirectoryOf(rows);
    const ids = matchAll(
      lists,
      rows.map(({ name = '' }) => ({ name })),
    );
    expect(ids).toEqual(rows.map(({ company_id }) => company_id));
  }
});

test('a confidence is a probability, and that of an exact name is high', async () => {
  using lists = await openDirectoryOf([...companies, ...others]);
  const match = createCompanyMatcher(lists.db);
  for (const [, query] of found) {
    const { confidence = -1 } = match(query) ?? {};
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
  }
  expect(match({ name: 'Harwick Dynamics Inc' })?.confidence).toBeGreaterThan(0.95);
});

test('a site is compared without the words of its parent', async () => {
  using lists = await openDirectoryOf([...companies, ...others]);
  const { compare } = createNameComparison(buildCompanyIndex(lists.db), () => new Set());
  const best = compare('Birchall', []).fits.toSorted((a, b) => b.aligned - a.aligned)[0];
  expect(best).toMatchObject({ viaParent: true, ofRow: 1, ofHeld: 1 });
});

test.each([
  ['msu', ['$mt', 'state', 'university', 'billings'], [0, 3]],
  ['unm', ['university', '$nm', 'gallup'], [0, 2]],
  ['cc', ['bronx', 'community', 'college'], [1, 3]],
  ['ums', ['university', 'state', 'montana'], null],
  ['u', ['university', 'college'], null],
  ['college', ['community', 'office', 'league', 'ledger'], null],
])('initials %s in %j are the words %j', (word, words, run) => {
  expect(findInitialsRun(word, words)).toEqual(run);
});

test.each([
  ['the code of a state', 'Portland', 'OR', { city: 'portland', state: 'or' }],
  ['a state in full', 'Portland', 'Oregon', { city: 'portland', state: 'or' }],
  ['a shortened state', 'Portland', 'Ore.', { city: 'portland', state: 'or' }],
  ['a code with points', 'Albany', 'N.Y.', { city: 'albany', state: 'ny' }],
  ['the state behind the city', 'Portland, OR', '', { city: 'portland', state: 'or' }],
  ['a place that is no state', 'Paris, France', '', { state: '' }],
])('reads %s', (_what, city, state, place) => {
  expect(readPlace(city, state)).toMatchObject(place);
});

test.each([
  ['https://www.Example.org/about', 'example.org'],
  ['EXAMPLE.ORG', 'example.org'],
  ['info@example.org', 'example.org'],
  ['mailto:info@example.org', 'example.org'],
  ['someone@gmail.com', ''],
  ['linkedin.com/company/example', ''],
  ['Example Org', ''],
])('the domain in %s is "%s"', (cell, domain) => {
  expect(readDomain(cell)).toBe(domain);
});

test.each([
  ['Acme Tools (closed)', 'Acme Tools'],
  ['Acme Tools #20318', 'Acme Tools'],
  ['20318 - Acme Tools', 'Acme Tools'],
  ['Acme Tools *do not use*', 'Acme Tools'],
  ['="Acme Tools"', 'Acme Tools'],
  ['Studio 54', 'Studio 54'],
  ['12. Acme Tools', 'Acme Tools'],
  ['ID 20318 Acme Tools', 'Acme Tools'],
  ['c/o Acme Tools', 'Acme Tools'],
  ['M/s. Acme Tools', 'Acme Tools'],
  ['Acme Tools 51 %', 'Acme Tools'],
  ['(US) Acme Tools', 'Acme Tools'],
  ['Acme Tools_old', 'Acme Tools'],
  ['Corning, NY', 'Corning, NY'],
  ['subaward to Acme Tools', 'Acme Tools'],
  ['DD ACME TOOLS MANDATE 48166', 'ACME TOOLS'],
  ['Ueberweisung Acme Tools', 'Acme Tools'],
  ['Principal site: Acme Tools', 'Acme Tools'],
  ['facebook.com/acme-tools', 'acme tools'],
  ['ACME TOOLS SP. Z', 'ACME TOOLS'],
])('the name in %s is %s', (name, read) => {
  expect(readCompany({ name }).name).toBe(read);
});

test.each([
  ['Iowa, University of', 'University of Iowa'],
  ['UMass Amherst', 'University Mass Amherst'],
  ['Acme Coporation', 'Acme corporation'],
  ['Acme Joynt Stock Company', 'Acme joint Stock Company'],
  ['Vogel Gesellschaft mit beschrenkter Haftung', 'Vogel Gesellschaft mit beschrankter Haftung'],
  ['Acme Cooperative', 'Acme Cooperative'],
  ['Acme University School of Law', 'Acme University'],
  ['Acme University, Sch Law, Graz, NY USA', 'Acme University'],
  ['Market Research, Boston, MA', 'Market Research'],
])('without what surrounds it, the name in %s is %s', (name, read) => {
  expect(readCompany({ name }).bareName).toBe(read);
});

test.each([
  ['f0nar systems', 'fonar systems', 'none'],
  ['l3harris systems', 'l3harris', 'same'],
  ['trust 2004', 'trust 2005', 'other'],
  ['trust ar16', 'trust', 'added'],
])('the numbers of %s and %s agree as %s', (row, held, level) => {
  const wordsOf = (name: string) => name.split(' ').map((text) => ({ text }));
  expect(compareNumbers(wordsOf(row), wordsOf(held))).toBe(level);
});

const texts = fc.string({ unit: fc.constantFrom(...'abcdeo '), maxLength: 20 });
const triples = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length + 1 }, (_, at) => `  ${text} `.slice(at, at + 3)));

test('sharing triples is symmetric, 1 for the same text and never above 1', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [one, two] = [triples(a), triples(b)];
      expect(shareTriples(one, two)).toBe(shareTriples(two, one));
      expect(shareTriples(one, one)).toBe(1);
      expect(shareTriples(one, two)).toBeLessThanOrEqual(1);
    }),
  );
});

test('legal forms and sectors agree in both directions alike', () => {
  const forms = fc.constantFrom('', 'inc', 'ltd', 'corp');
  const words = fc.array(
    fc.constantFrom('hospitals', 'colleges', 'bank', 'acme').map((text) => ({ text })),
    { maxLength: 3 },
  );
  const mirrored = {
    stated: 'held',
    held: 'stated',
    same: 'same',
    other: 'other',
    unknown: 'unknown',
  };
  fc.assert(
    fc.property(forms, forms, words, words, (a, b, one, two) => {
      expect(compareForms(a, b)).toBe(compareForms(b, a));
      expect(compareSectors(two, one)).toBe(mirrored[compareSectors(one, two)]);
    }),
  );
});

test('the index of everything answers as that of the companies alone', async () => {
  using lists = await openDirectoryOf(companies);
  const ann = { first_name: 'Ann', last_name: 'Ortega', company_name: 'Harwick Dynamics Inc' };
  await lists.importPeople([{ ...ann, email: 'ann.ortega@ortega-mail.example' }]);
  const index = withOwnDomains(lists.db, buildIndex(lists.db));
  const [find, findAlone] = [createCompanyFinder(lists.db, index), createCompanyFinder(lists.db)];
  const ofMail = { name: '', domain: 'ortega-mail.example' };
  for (const query of [ofMail, ...found.map(([, query]) => query)])
    expect(find(query)).toEqual(findAlone(query));
  expect(find(ofMail).match).toBeNull();
  // The directory changes before its next index.
  lists.db.prepare("DELETE FROM company WHERE given_id = 'saint'").run();
  expect(() => createCompanyFinder(lists.db, index)({ name: 'St. Brannoc Hosp' })).not.toThrow();
});
