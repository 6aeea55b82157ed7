// Stored forms of values: each normaliser by table, and every normaliser is idempotent.
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { expect, test } from 'vitest';
import { classifyTitle } from '../../engine/directory/normalize/classify-title.ts';
import { countryCode } from '../../engine/directory/normalize/country-code.ts';
import { isOngoing, normalizeDate } from '../../engine/directory/normalize/normalize-date.ts';
import { isRoleMailbox, normalizeEmail } from '../../engine/directory/normalize/normalize-email.ts';
import { normalizePhone } from '../../engine/directory/normalize/normalize-phone.ts';
import {
  normalizeUrl,
  profileUrlKey,
  websiteDomain,
} from '../../engine/directory/normalize/normalize-url.ts';
import { employeeRange, revenueRange } from '../../engine/directory/normalize/ranges.ts';
import { readEmails } from '../../engine/directory/normalize/read-cell.ts';
import { readPlace } from '../../engine/directory/normalize/read-place.ts';
import { cleanNames, splitName } from '../../engine/directory/normalize/split-name.ts';

test.each([
  [' Ann.Lee@ACME.example ', 'Ann.Lee@acme.example'],
  ['Ann Lee <ann@acme.example>', 'ann@acme.example'],
  ['mailto:ann@acme.example', 'ann@acme.example'],
  ['jörg@müller.example', 'jörg@müller.example'],
  ['jörg@xn--mller-kva.example', 'jörg@müller.example'],
  ['ａnn\u200b@ＡCME。example\u00a0', 'ann@acme.example'],
  ['ann%2Elee%40acme.example', 'ann.lee@acme.example'],
  ['"ann\\.lee"@acme.example.', 'ann.lee@acme.example'],
  ['"ann..lee"@acme.example', '"ann..lee"@acme.example'],
  ['"Ann lee"@ACME.example', '"Ann lee"@acme.example'],
  ['Ann Lee <"ann, lee(x)"@acme.example>', '"ann, lee(x)"@acme.example'],
  ['mailto:".ann\\"lee"@acme.example', '".ann\\"lee"@acme.example'],
  ['"jörg kahl"@müller.example', '"jörg kahl"@müller.example'],
  ['"a<ann"@acme.example', '"a<ann"@acme.example'],
  ['"ann@lee"@acme.example', null],
  ['" "@acme.example', null],
  ['"ann..lee@acme.example"', null],
  ["o'neil+x@a-b.co.uk", "o'neil+x@a-b.co.uk"],
  ['✉ ann@acme.example', 'ann@acme.example'],
  ['✅ann@acme.example ✔️', 'ann@acme.example'],
  ['• ann@acme.example_', 'ann@acme.example'],
  ['-ann@acme.example', '-ann@acme.example'],
  ['ann@acme', null],
  ['ann@@acme.example', null],
  ['ann lee@acme.example', null],
  ['.ann@acme.example', null],
  ['ann.@acme.example', null],
  ['a@b.example, c@d.example', null],
  [`${'a'.repeat(65)}@b.example`, null],
  ['', null],
])('the email in %j is %j', (text, email) => {
  expect(normalizeEmail(text)).toBe(email);
});

test.each([
  ['ann@a.example; "ann..lee"@b.example', ['ann@a.example', '"ann..lee"@b.example']],
  ['"Lee, Ann" <"ann, lee"@a.example>, bo@b.example', ['"ann, lee"@a.example', 'bo@b.example']],
  ['"Ann Lee" <ann@a.example>, "Bo Kim" <bo@b.example>', ['ann@a.example', 'bo@b.example']],
])('the emails in %j are %j', (text, emails) => {
  expect(readEmails(text)).toEqual(emails);
});

test.each([
  ['info@a.example', true],
  ['mayors.office@a.example', true],
  ['sales-team@a.example', true],
  ['rep72@a.example', true],
  ['s34@a.example', true],
  ['ann@a.example', false],
  ['ann.lee@a.example', false],
  ['s.lee@a.example', false],
  ['infante@a.example', false],
  ['lee34@a.example', false],
  ['s@a.example', false],
  ['42@a.example', false],
])('%s is a role mailbox: %s', (email, isRole) => {
  expect(isRoleMailbox(email)).toBe(isRole);
});

test.each([
  ['https://www.linkedin.com/in/Ann-Lee/?trk=x&a=1#top', 'linkedin.com/in/ann-lee'],
  ['LinkedIn.com/in/ann-lee', 'linkedin.com/in/ann-lee'],
  ['https://ch.linkedin.com/in/ann-lee', 'linkedin.com/in/ann-lee'],
  ['http://House.example/member?id=7&utm_source=x', 'house.example/member?id=7'],
  ['https://house.example/Member?id=7', 'house.example/Member?id=7'],
  ['//www.house.example/', 'house.example'],
  ['javascript:alert(1)', ''],
  ['n/a', ''],
  ['two words.example', ''],
])('%s is compared as %j', (url, key) => {
  expect(profileUrlKey(url)).toBe(key);
});

test.each([
  ['www.acme.example/about', 'acme.example'],
  ['https://ACME.example', 'acme.example'],
  ['gmail.com', null],
  ['https://www.linkedin.com/company/acme', null],
  ['ann@acme.example', null],
  ['acme', null],
])('the website %s has the domain %j', (text, domain) => {
  expect(websiteDomain(text)).toBe(domain);
});

test.each([
  ['+1-603-271-3661', null, '+16032713661'],
  ['+1 (603) 271-3661', null, '+16032713661'],
  ['(603) 271-3661', null, '+16032713661'],
  ['603.271.3661 x12', null, '+16032713661 x12'],
  ['+1-603-271-3661 ext. 8', null, '+16032713661 x8'],
  ['030 901820', 'DE', '+4930901820'],
  ['0049 30 901820', null, '+4930901820'],
  ['6032713661', null, null],
  ['44 20 7946 0105', 'GB', '+442079460105'],
  ['49 30 901820', 'DE', '+4930901820'],
  ['447700900123', null, '+447700900123'],
  ['55 11 91234-5608', null, '+5511912345608'],
  ['999912345608', null, null],
  ['+48 601 234 580 w. 3', null, '+48601234580 x3'],
  ['+55 11 3123-4567 ramal 12', null, '+551131234567 x12'],
  ['6032713661', 'US', '+16032713661'],
  ['12', 'US', null],
  ['call me', 'US', null],
] as const)('the phone %s (%s) is %j', (text, country, phone) => {
  expect(normalizePhone(text, country)).toBe(phone);
});

test.each([
  ['05-Mar-19', '2019-03-05'],
  ['2020', '2020'],
  ['2020-3', '2020-03'],
  ['2020/03/09', '2020-03-09'],
  ['2020-03-09T10:00:00Z', '2020-03-09'],
  ['09.03.2020', '2020-03-09'],
  // It may be 9 March or 3 September.
  ['3/9/2020', '2020'],
  ['9/9/2020', '2020-09-09'],
  ['31/3/2020', '2020-03-31'],
  ['3/2020', '2020-03'],
  ['March 2020', '2020-03'],
  ['Mar 9, 2020', '2020-03-09'],
  ['9 Mar 2020', '2020-03-09'],
  ['9th March 2020', '2020-03-09'],
  ['9. März 2020', '2020-03-09'],
  ['9-mars-2020', '2020-03-09'],
  ['1er juillet 2020', '2020-07-01'],
  ['9 de marzo de 2020', '2020-03-09'],
  ['9 марта 2020', '2020-03-09'],
  ['2020年3月9日', '2020-03-09'],
  ['2020. 3. 9.', '2020-03-09'],
  ['09.03.2020 10:00', '2020-03-09'],
  ['Mar-20', '2020-03'],
  ['Q1 2020', '2020'],
  ['令和2年3月9日', '2020-03-09'],
  ['9/3/2563', '2020'],
  // October in Croatian, and November in Polish.
  ['9 listopada 2020', null],
  ['2020-02-30', null],
  ['2020-13', null],
  ['soon', null],
  ['0020', null],
])('the date %s is %j', (text, date) => {
  expect(normalizeDate(text)).toBe(date);
});

test.each([
  ['Grossbritannien', 'GB'],
  ['Great Britain', 'GB'],
  ['U.K.', 'GB'],
  ['BRD', 'DE'],
  ['РФ', 'RU'],
  ['日本国', 'JP'],
  ['中华人民共和国', 'CN'],
  ['السعودية', 'SA'],
  ['Rép. tchèque', 'CZ'],
  ['Korea, Republic of', 'KR'],
  ['Congo (DRC)', 'CD'],
  ['Deutschland / Germany', 'DE'],
  ['DE - Germany', 'DE'],
  ['België/Belgique', 'BE'],
  // In Vietnamese the United States, and no Malaysia.
  ['Mỹ', null],
  ['a/k/a Atlantis', null],
  ['Atlantis', null],
])('the country %s is %j', (text, code) => {
  expect(countryCode(text)).toBe(code);
});

test.each([
  'Present',
  'heute',
  'à ce jour',
  'aujourd’hui',
  'actualidad',
  'obecnie',
  'по настоящее время',
  '現在',
  '현재',
])('an end date of %s is until now', (text) => {
  expect(isOngoing(text)).toBe(true);
});

test.each([
  ['7', '1-10'],
  ['11', '11-50'],
  ['5,200', '5001-10000'],
  ['10,001+', '10001+'],
  ['10000+', '5001-10000'],
  ['51-200 employees', '51-200'],
  ['1001-5000', '1001-5000'],
  ['1k', '501-1000'],
  ['0', null],
  ['many', null],
])('%s employees are in the range %j', (text, range) => {
  expect(employeeRange(text)?.label ?? null).toBe(range);
});

test.each([
  ['$999,999', '<$1M'],
  ['1.5 million', '$1M-$10M'],
  ['$12M', '$10M-$50M'],
  ['€1-10M', '$1M-$10M'],
  ['5 to 10 million USD', '$1M-$10M'],
  ['$1.2B', '$1B+'],
  ['<$1M', '<$1M'],
  ['under 1 million', '<$1M'],
  ['250000000', '$100M-$500M'],
  ['n/a', null],
])('a revenue of %s is in the range %j', (text, range) => {
  expect(revenueRange(text)?.label ?? null).toBe(range);
});

test.each([
  ['50-200M', true],
  ['up to 20M', true],
  ['€20M+', true],
  ['€20M', false],
  ['10M-50M', false],
  ['less than 1M', false],
  ['more than 2 billion', false],
])('whether a revenue of %s reaches over several ranges: %j', (text, isApproximate) => {
  expect(revenueRange(text)).toMatchObject({ isApproximate });
});

test.each([
  ['12,500', 'Revenue (in 000s USD)', '$10M-$50M'],
  ['$12,500', 'Revenue (in 000s USD)', '$10M-$50M'],
  ['12 500', 'Umsatz (Tsd. EUR)', '$10M-$50M'],
  ['12.5', 'Revenue ($M)', '$10M-$50M'],
  ['1.2', 'Umsatz in Mio. €', '$1M-$10M'],
  ['2', 'Revenue (billions)', '$1B+'],
  ['$12M', 'Revenue (in 000s USD)', '$10M-$50M'],
  ['$10M-$50M', 'Revenue Range (in USD)', '$10M-$50M'],
  ['250000000', 'Annual Revenue', '$100M-$500M'],
])('a plain revenue of %s is in the unit of its header %j', (text, header, range) => {
  expect(revenueRange(text, header)?.label).toBe(range);
});

test.each([
  ['Chief Financial Officer', 'Finance', 'C-Level'],
  ['VP of Sales', 'Sales', 'VP'],
  ['Sr. Director, Data & Analytics', 'Data', 'Director'],
  ['Geschäftsführer', 'Executive', 'C-Level'],
  ['Software Engineer', 'Engineering', 'Staff'],
  ['State Senator', 'Government', 'Elected Official'],
  ['Owner/CEO', 'Executive', 'Owner'],
  ['C.E.O.', 'Executive', 'C-Level'],
  ['Executive Assistant to the President', null, 'Staff'],
  ['Produktionsleiter', 'Operations', 'Director'],
  ['Teamleiterin', null, 'Manager'],
  ['Produktmanagerin', 'Product', 'Manager'],
  ['Stellvertretender Geschäftsführer', 'Executive', 'C-Level'],
  ['Assistenz der Geschäftsführung', null, 'Staff'],
  ['Sachbearbeiter Einkauf', 'Procurement', 'Staff'],
  ['Responsabile Vendite', 'Sales', 'Manager'],
  ['Direttrice Commerciale', 'Sales', 'Director'],
  ['Amministratore unico', null, 'C-Level'],
  ['Titolare', 'Executive', 'Owner'],
  ['Afdelingshoofd', null, 'Director'],
  ['Algemeen directeur', null, 'C-Level'],
  ['Mede-eigenaar', null, 'Owner'],
  ['Kierownik zakupów', 'Procurement', 'Manager'],
  ['Wiceprezes zarządu', null, 'VP'],
  ['Współwłaściciel', null, 'Owner'],
  ['Salgschef', 'Sales', 'Manager'],
  ['Administrerende direktør', null, 'C-Level'],
  ['Produktsjef', 'Product', 'Manager'],
  ['Verkställande direktör', 'Executive', 'C-Level'],
  ['Myyntipäällikkö', 'Sales', 'Manager'],
  ['Toimitusjohtaja', 'Executive', 'C-Level'],
  ['Obchodní ředitel', 'Sales', 'Director'],
  ['Vedoucí výroby', 'Operations', 'Manager'],
  ['Genel Müdür Yardımcısı', null, 'VP'],
  ['Satış Müdürü', 'Sales', 'Director'],
  ['Коммерческий директор', 'Sales', 'Director'],
  ['Directora de operaciones', 'Operations', 'Director'],
  ['Commercieel directeur', 'Sales', 'Director'],
  ['Adjointe de direction', null, 'Staff'],
  ['Cheffe des ventes', 'Sales', 'Manager'],
  ['Chefe de compras', null, 'Manager'],
  ['Administrador único', null, 'Owner'],
  ['Toimitusjohtajan sihteeri', null, 'Staff'],
  ['専務取締役', null, 'C-Level'],
  ['المدير التنفيذي', null, 'C-Level'],
  ['Secretary to the CFO', null, 'Staff'],
  ['Financial Secretary to the Treasury', null, 'Elected Official'],
  ['Dyrektor finansowy', 'Finance', 'Director'],
  ['Marknadschef', 'Marketing', 'Manager'],
  ['Økonomidirektør', 'Finance', 'Director'],
  ['Kaufmännischer Leiter', 'Finance', 'Director'],
  ['Voditelj prodaje', 'Sales', 'Manager'],
  ['Търговски директор', 'Sales', 'Director'],
  ['Müügijuht', 'Sales', 'Manager'],
  ['Pardavimų vadovas', 'Sales', 'Manager'],
  ['Framkvæmdastjóri', null, 'C-Level'],
  ['Οικονομικός διευθυντής', 'Finance', 'Director'],
  ['مدير المبيعات', 'Sales', 'Manager'],
  ['מנהל שיווק', 'Marketing', 'Manager'],
  ['Kundenberater', 'Customer Success', 'Staff'],
  ['Менеджер по продажам', 'Sales', 'Manager'],
  ['営業部長', 'Sales', 'Director'],
  ['代表取締役', 'Executive', 'C-Level'],
  ['副社長', null, 'VP'],
  ['产品经理', null, 'Manager'],
  ['总经理', 'Executive', 'C-Level'],
  ['영업팀장', 'Sales', 'Manager'],
  ['대표이사', 'Executive', 'C-Level'],
  ['Directora General', null, 'C-Level'],
  ['Jefa de compras', 'Procurement', 'Manager'],
  ['Chef des ventes', 'Sales', 'Manager'],
  ['Gérante', null, 'C-Level'],
  ['Sócia', null, 'Owner'],
  ['Coordenadora de Marketing', 'Marketing', 'Manager'],
  ['Data Owner', 'Data', 'Senior'],
  ['Principal Software Engineer', 'Engineering', 'Senior'],
  ['School Principal', 'Education', 'Director'],
  ['HR Business Partner', 'Human Resources', 'Senior'],
  ['Channel Partner Manager', null, 'Manager'],
  ['Sales Representative', 'Sales', 'Staff'],
  ['Ex-Director of Sales; Consultant', null, 'Staff'],
  ['Former CEO', null, null],
  ['Assistant to the CEO', null, 'Staff'],
  ['Lead Qualification Specialist', 'Sales', 'Staff'],
  ['Head Chef', null, 'Manager'],
  ['DRH', 'Human Resources', 'Director'],
  ['Teamleiter Kundenservice', 'Customer Success', 'Manager'],
  ['Filialleiterin', null, 'Manager'],
  ['Einkäufer', 'Procurement', 'Staff'],
  ['Acheteuse', 'Procurement', 'Staff'],
  ['Purchase Head', 'Procurement', 'Director'],
  ['Subdirector comercial', 'Sales', 'Director'],
  ['Scrum Master', null, 'Senior'],
  ['Directeur-grootaandeelhouder', 'Executive', 'Owner'],
  ['Administrerende direktør', 'Executive', 'C-Level'],
  ['Главный бухгалтер', 'Finance', 'Manager'],
  ['Kế toán trưởng', 'Finance', 'Manager'],
  ['執行役員', 'Executive', 'VP'],
  ['取締役', 'Executive', 'C-Level'],
  ['סמנכ"לית שיווק', 'Marketing', 'VP'],
  ['نائب الرئيس', null, 'VP'],
  ['กรรมการผู้จัดการ', 'Executive', 'C-Level'],
  ['พนักงานบัญชี', 'Finance', 'Staff'],
  ['ผู้จัดการฝ่ายขาย', 'Sales', 'Manager'],
  ['बिक्री प्रबंधक', 'Sales', 'Manager'],
  ['Pengurus Jualan', 'Sales', 'Manager'],
  ['Xyzzy', null, null],
  ['', null, null],
])('the title %j has the function %j and the level %j', (title, jobFunction, jobLevel) => {
  const found = classifyTitle(title);
  expect(found.jobLevel).toBe(jobLevel);
  if (jobFunction) expect(found.jobFunction).toBe(jobFunction);
});

test.each([
  ['Chief', true],
  ['Director', true],
  ['Vice President', true],
  ['Директор', true],
  ['President & CEO', false],
  ['Chief Financial Officer', false],
  ['Xyzzy', false],
])('that %j names a level without a function is %s', (title, isLevelAlone) => {
  expect(classifyTitle(title).isLevelAlone).toBe(isLevelAlone);
});

test.each([
  ['Ada King', 'Ada', 'King'],
  ['King, Ada', 'Ada', 'King'],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['John Smith Jr.', 'John', 'Smith Jr.'],
  ['Lord Mackay of Clashfern', 'Lord', 'Mackay of Clashfern'],
  ['Cher', '', 'Cher'],
  ['Müller\\, Kai', 'Kai', 'Müller'],
  ['山田 太郎 様', '太郎', '山田'],
  ['김영희 님', '영희', '김'],
])('%s is split into %j and %j', (text, first, last) => {
  expect(splitName(text)).toEqual({ first, last });
});

test.each([
  ['Ray', 'Lee', 'Ray'],
  ['Don', 'Lee', 'Don'],
  ['Gen', 'Ito', 'Gen'],
  ['Dr.', 'Lee', ''],
  ['Frau', 'Berg', ''],
])('the given name of a row with %j and %j is %j', (first, last, given) => {
  expect(cleanNames(first, last).first).toBe(given);
});

test('the short parser of North American numbers agrees with the full parser', () => {
  const digits = (shape: RegExp) => fc.stringMatching(shape);
  const parts = [digits(/^[2-9]\d{2}$/), digits(/^\d{3}$/), digits(/^\d{4}$/)] as const;
  fc.assert(
    fc.property(...parts, fc.constantFrom('', '-', '.', ' '), (area, exchange, line, mark) => {
      const text = `+1${mark}${area}${mark}${exchange}${mark}${line}`;
      const parsed = parsePhoneNumberFromString(text);
      expect(parsed?.isPossible()).toBe(true);
      expect(normalizePhone(text, 'DE')).toBe(parsed?.number);
    }),
  );
});

test('the short parser of plain addresses agrees with the full parser', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,6})?$/);
  const hosts = fc.tuple(fc.constantFrom('', 'www.'), word, fc.constantFrom('.example', '.co.uk'));
  const paths = fc.array(fc.stringMatching(/^[\w-]{1,8}$/), { maxLength: 3 });
  fc.assert(
    fc.property(hosts, paths, fc.constantFrom('', '/', '//'), (host, path, end) => {
      const text = `http://${[host.join(''), ...path].join('/')}${end}`;
      const url = new URL(text);
      const bare = url.host.replace(/^www\./, '');
      expect(normalizeUrl(text)).toBe(text);
      expect(profileUrlKey(text)).toBe(bare + url.pathname.replace(/\/+$/, ''));
      expect(websiteDomain(text)).toBe(bare);
    }),
  );
});

test.each<[string, (text: string) => string | null, fc.Arbitrary<string>]>([
  ['an email', normalizeEmail, fc.emailAddress()],
  ['a URL', normalizeUrl, fc.webUrl({ withQueryParameters: true, withFragments: true })],
  [
    'the key of a URL',
    (text) => profileUrlKey(text) || null,
    fc.webUrl({ withQueryParameters: true }),
  ],
  [
    'a phone',
    (text) => normalizePhone(text, 'US'),
    fc.stringMatching(/^\+?[\d ()-]{6,16}( x\d{1,4})?$/),
  ],
  ['a date', normalizeDate, fc.stringMatching(/^\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?$/)],
  [
    'a number of employees',
    (text) => employeeRange(text)?.label ?? null,
    fc.stringMatching(/^[\d,.k+-]{1,12}$/),
  ],
  [
    'a revenue',
    (text) => revenueRange(text)?.label ?? null,
    fc.stringMatching(/^[$<]?[\d,.]{1,10} ?[kMB]?\+?$/),
  ],
])('normalising %s is idempotent and never throws', (_what, normalize, likely) => {
  fc.assert(
    fc.property(fc.oneof(likely, fc.string(), fc.string({ unit: 'binary' })), (text) => {
      const once = normalize(text);
      if (once !== null) expect(normalize(once)).toBe(once);
    }),
    { numRuns: 400 },
  );
});

test('a name of one word is the same with spaces around it', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ]{1,12}$/),
    fc.constantFrom('Dr', 'MBA', 'Attn', 'Att', 'Jr', 'III', 'née', 'Sir', 'van', 'x'),
  );
  fc.assert(
    fc.property(word, word, (first, last) => {
      expect(cleanNames(first, last)).toEqual(cleanNames(` ${first} `, ` ${last} `));
    }),
  );
});

// A location, and its city, state and country.
test.each([
  ['Berlin, Germany', 'Berlin||Germany'],
  ['Lyon, Auvergne-Rhône-Alpes, France', 'Lyon|Auvergne-Rhône-Alpes|France'],
  ['Austin, Texas, United States', 'Austin|Texas|United States'],
  ['San Francisco, CA, USA', 'San Francisco|CA|USA'],
  ['Austin, TX', 'Austin|TX|United States'],
  ['Kansas City, Missouri', 'Kansas City|Missouri|United States'],
  ['California, United States', '|California|United States'],
  ['England, United Kingdom', '|England|United Kingdom'],
  ['Singapore, Singapore', 'Singapore||Singapore'],
  ['Czechia', '||Czechia'],
  ['Germany - Berlin', 'Berlin||Germany'],
  ['Berlin (Germany)', 'Berlin||Germany'],
  ['Greater London', 'London||'],
  ['San Francisco Bay Area', 'San Francisco||'],
  ['New York City Metropolitan Area', 'New York City||'],
  ['Amsterdam Area, Netherlands', 'Amsterdam||Netherlands'],
  ['Köln und Umgebung, Deutschland', 'Köln||Deutschland'],
  ['Gran Canaria, Spain', 'Gran Canaria||Spain'],
  ['10115 Berlin, Germany', 'Berlin||Germany'],
  ['Main St. 5, 10115 Berlin, Germany', '||Germany'],
  ['Paris', 'Paris||'],
  ['Berlin / Munich', 'Berlin||'],
  ['Remote', '||'],
  ['Remote, Germany', '||Germany'],
  ['EMEA', '||'],
  ['Atlanta, Georgia', 'Atlanta||'],
  ['San Francisco, CA', 'San Francisco||'],
  ['Georgia', '||'],
  ['New York, NY 10001', 'New York|NY|United States'],
])('the location %j is %j', (text, place) => {
  expect(Object.values(readPlace(text)).join('|')).toBe(place);
});
