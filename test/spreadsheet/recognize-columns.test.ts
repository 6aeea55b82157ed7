/** Columns recognised by their headers and their first values. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personImportFields } from '../../engine/contract/directory.ts';
import { readMapped } from '../../engine/contract/jobs/row-input.ts';
import {
  companyColumns,
  personColumns,
} from '../../engine/directory/import/decode/import-columns.ts';
import { columnNouns, columnQualifiers } from '../../engine/spreadsheet/column-words.ts';
import { readHeader } from '../../engine/spreadsheet/read-header.ts';
import {
  type FieldKeys,
  listColumns,
  recognizeColumns,
} from '../../engine/spreadsheet/recognize-columns.ts';
import { resolveMapping } from '../../engine/spreadsheet/recognize-input.ts';
import { rowInputColumns } from '../../engine/spreadsheet/row-input-columns.ts';

/** The recognised headers by field. */
function recognize(headers: string[], fields: FieldKeys = rowInputColumns): Record<string, string> {
  const found = Object.entries(recognizeColumns(headers, fields));
  return Object.fromEntries(found.map(([field, column]) => [field, headers[column]!]));
}

/** The field of each header, '' for columns that are not read. */
function fieldsOf(headers: string, fields: FieldKeys, rows: string[][] = []): string {
  const names = headers.split(',');
  const found = Object.entries(listColumns(names, fields, rows));
  const fieldAt = (at: number) => found.find(([, columns]) => columns.includes(at))?.[0] ?? '';
  return names.map((_, at) => fieldAt(at)).join(',');
}

// Each: the headers of an export, and below them their fields.
test.each([
  [
    'plain field names',
    'row_id,first_name,last_name,company_name,email,profile_url',
    'client_reference_id,first_name,last_name,company_name,email,profile_url',
  ],
  [
    'HubSpot',
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company,Job Title',
    'client_reference_id,first_name,last_name,email,phone,,company_name,title',
  ],
  [
    'Salesforce',
    'Contact ID,First Name,Last Name,Account Name,Title,Email,Mailing Country,Account Owner',
    'client_reference_id,first_name,last_name,company_name,title,email,country,',
  ],
  [
    'Apollo',
    'First Name,Last Name,Title,Company,Email,Email Status,' +
      'Work Direct Phone,Corporate Phone,Person Linkedin Url,Website,Company Linkedin Url,Country',
    'first_name,last_name,title,company_name,email,,phone,,profile_url,company_domain,,country',
  ],
  [
    'Pipedrive',
    'Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization',
    'full_name,email,phone,company_name',
  ],
  [
    'LinkedIn connections',
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
    'first_name,last_name,profile_url,email,company_name,title,',
  ],
  [
    'a scraper of Sales Navigator',
    'linkedInProfileUrl,fullName,firstName,lastName,companyName,title,regularCompanyUrl,isPremium',
    'profile_url,full_name,first_name,last_name,company_name,title,,',
  ],
  [
    'other spellings',
    'firstName,LASTNAME,company-name,E-Mail,JobTitle,LinkedIn URL',
    'first_name,last_name,company_name,email,title,profile_url',
  ],
])('the headers of %s are recognised', (_title, headers, fields) => {
  expect(fieldsOf(headers, rowInputColumns)).toBe(fields);
});

// First name, last name, company, email, phone, country and title.
test.each([
  ['German', 'Vorname,Nachname,Firma,E-Mail-Adresse,Telefonnummer,Land,Position'],
  ['French', 'Prénom,Nom,Société,Adresse e-mail,Téléphone,Pays,Fonction'],
  ['Spanish', 'Nombre,Apellidos,Empresa,Correo electrónico,Teléfono,País,Cargo'],
  ['Italian', 'Nome,Cognome,Azienda,Indirizzo e-mail,Telefono,Paese,Qualifica'],
  ['Portuguese', 'Nome,Sobrenome,Empresa,E-mail,Telefone,País,Cargo'],
  ['Dutch', 'Voornaam,Achternaam,Bedrijf,E-mailadres,Telefoon,Land,Functie'],
  ['Polish', 'Imię,Nazwisko,Firma,Adres e-mail,Numer telefonu,Kraj,Stanowisko'],
  ['Swedish', 'Förnamn,Efternamn,Företag,E-postadress,Telefon,Land,Befattning'],
  ['Danish', 'Fornavn,Efternavn,Virksomhed,E-mail,Telefonnummer,Land,Stilling'],
  ['Norwegian', 'Fornavn,Etternavn,Bedrift,E-post,Tlf,Land,Stillingstittel'],
  ['Finnish', 'Etunimi,Sukunimi,Yritys,Sähköposti,Puhelin,Maa,Tehtävänimike'],
  ['Czech', 'Jméno,Příjmení,Společnost,E-mailová adresa,Telefon,Země,Pozice'],
  ['Slovak', 'Krstné meno,Priezvisko,Spoločnosť,E-mail,Telefón,Krajina,Funkcia'],
  ['Hungarian', 'Keresztnév,Vezetéknév,Cégnév,E-mail cím,Telefonszám,Ország,Beosztás'],
  ['Romanian', 'Prenume,Nume de familie,Companie,Adresă de e-mail,Telefon,Țara,Funcția'],
  ['Turkish', 'Ad,Soyad,Şirket,E-posta,Telefon,Ülke,Unvan'],
  ['Russian', 'Имя,Фамилия,Компания,Эл. почта,Телефон,Страна,Должность'],
  ['Ukrainian', "Ім'я,Прізвище,Компанія,Електронна пошта,Телефон,Країна,Посада"],
  ['Greek', 'Όνομα,Επώνυμο,Εταιρεία,Email,Τηλέφωνο,Χώρα,Θέση'],
  ['Japanese', '名,姓,会社名,メールアドレス,電話番号,国,役職'],
  ['Chinese', '名,姓,公司名称,电子邮箱,电话,国家,职位'],
  ['Korean', '이름,성,회사명,이메일,전화번호,국가,직책'],
  ['Arabic', 'الاسم الأول,اسم العائلة,الشركة,البريد الإلكتروني,رقم الهاتف,الدولة,المسمى الوظيفي'],
  ['Hebrew', 'שם פרטי,שם משפחה,חברה,דוא"ל,טלפון,מדינה,תפקיד'],
  ['Indonesian', 'Nama depan,Nama belakang,Perusahaan,Alamat email,Nomor telepon,Negara,Jabatan'],
  ['Vietnamese', 'Tên gọi,Họ,Công ty,Email,Số điện thoại,Quốc gia,Chức vụ'],
  ['Thai', 'ชื่อจริง,นามสกุล,บริษัท,อีเมล,โทรศัพท์,ประเทศ,ตำแหน่ง'],
  ['Hindi', 'पहला नाम,उपनाम,कंपनी,ईमेल,फ़ोन नंबर,देश,पद'],
])('%s headers are recognised', (_language, headers) => {
  const fields = 'first_name,last_name,company_name,email,phone,country,title';
  expect(fieldsOf(headers, rowInputColumns)).toBe(fields);
});

// Exports of people as an import reads them.
test.each([
  [
    'ZoomInfo',
    'ZoomInfo Contact ID,Last Name,First Name,Salutation,Job Title,Management Level,' +
      'Direct Phone Number,Email Address,Mobile phone,LinkedIn Contact Profile URL,Person City,' +
      'ZoomInfo Company ID,Company Name,Company HQ Phone,Website,Company Country',
    'id,last_name,first_name,,title,job_level,direct_phone,email,mobile_phone,profile_url,city,' +
      'company_id,company_name,company_phone,company_domain,company_country',
  ],
  [
    'the Data Loader of Salesforce',
    'Id,AccountId,Salutation,FirstName,LastName,Title,Email,MobilePhone,MailingCity,' +
      'MailingCountry,HasOptedOutOfEmail,DoNotCall,LastModifiedDate',
    'id,company_id,,first_name,last_name,title,email,mobile_phone,city,country,suppressed,' +
      'suppressed,observed_on',
  ],
  [
    'Google contacts',
    'First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title,' +
      'E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Address 1 - City,' +
      'Address 1 - Country',
    'first_name,middle_name,last_name,nickname,company_name,title,,email,email,phone,city,country',
  ],
  [
    'Outlook in German',
    'Anrede,Vorname,Weitere Vornamen,Nachname,Firma,Abteilung,Position,Ort geschäftlich,' +
      'Land/Region geschäftlich,Fax geschäftlich,Telefon geschäftlich,Mobiltelefon,' +
      'E-Mail-Adresse,E-Mail-Typ,E-Mail: Angezeigter Name,Geburtstag',
    ',first_name,middle_name,last_name,company_name,job_function,title,city,country,,phone,' +
      'mobile_phone,email,,,',
  ],
  [
    'Outlook in French',
    'Prénom,Nom,Société,Titre,Ville (bureau),Pays (bureau),Télécopie (bureau),' +
      'Téléphone (bureau),Tél. mobile,Adresse de messagerie,Adresse de messagerie 2',
    'first_name,last_name,company_name,title,city,country,,phone,mobile_phone,email,email',
  ],
  [
    'Thunderbird',
    'First Name,Last Name,Display Name,Primary Email,Secondary Email,Work Phone,Home Phone,' +
      'Fax Number,Mobile Number,Work City,Work Country,Job Title,Organization,Web Page 1,' +
      'Birth Year',
    'first_name,last_name,full_name,email,email,phone,,,mobile_phone,city,country,title,' +
      'company_name,company_domain,',
  ],
  [
    'Evaboot',
    'First Name,Last Name,Current Job,Email,Email Status,Company Name,Company LinkedIn URL,' +
      'Company Website,LinkedIn URL Public,Matches Filters,Years in Position',
    'first_name,last_name,title,email,email_status,company_name,,company_domain,profile_url,,',
  ],
  [
    'Kaspr and Cognism',
    'firstName,lastName,B2B Email 1,directEmail,Mobile,Mobile DNC,Direct,Direct DNC,Seniority',
    'first_name,last_name,email,email,mobile_phone,suppressed,direct_phone,suppressed,job_level',
  ],
  [
    'Lusha',
    'Job Title,Company Name,Work Email,Private Email,Additional Email 1,Direct Phone,Phone Type,' +
      'Company Number of Employees,Company Revenue,Company City',
    'title,company_name,email,personal_email,email,direct_phone,,employees,revenue,company_city',
  ],
  [
    'Mailchimp, of people who unsubscribed',
    'Email Address,First Name,Last Name,UNSUB_TIME,UNSUB_REASON,MEMBER_RATING,LAST_CHANGED',
    'email,first_name,last_name,suppressed,suppressed,,observed_on',
  ],
  [
    'a webinar, a shop and a calendar',
    'Attendee #,Invitee Name,Invitee Email,Attendee Status,Default Address Company,' +
      'Default Address City,Accepts Email Marketing,Do not disturb',
    ',full_name,email,,company_name,city,consent,suppressed',
  ],
  [
    'Dynamics',
    '(Do Not Modify) Contact,fullname,jobtitle,parentcustomeridname,emailaddress1,telephone1,' +
      'mobilephone,address1_city,address1_country,donotbulkemail',
    ',full_name,title,company_name,email,phone,mobile_phone,city,country,suppressed',
  ],
  [
    'HubSpot with consents',
    'Record ID,First Name,Last Name,Unsubscribed from all email,Marketing consent,' +
      'Marketing contact status,Number of Employees',
    'id,first_name,last_name,suppressed,consent,subscription,employees',
  ],
])('an import reads the columns of %s', (_title, headers, fields) => {
  expect(fieldsOf(headers, personColumns)).toBe(fields);
});

test.each([
  [
    'Salesforce accounts',
    'Account ID,Account Name,Billing Street,Billing City,Billing State/Province,' +
      'Billing Zip/Postal Code,Billing Country,Phone,Website,Account Owner',
    'id,name,street,city,state,postal_code,country,phone,website,',
  ],
  [
    'Pipedrive organisations',
    'Organization - ID,Organization - Name,Organization - Address,Organization - City',
    'id,name,street,city',
  ],
  ['bilingual lists', 'Company / Firma,Ort / City,Web', 'name,city,website'],
  ['Polish lists', 'Nazwa firmy,Miasto,Kod pocztowy,Strona www', 'name,city,postal_code,website'],
])('a list of companies reads the columns of %s', (_title, headers, fields) => {
  expect(fieldsOf(headers, companyColumns)).toBe(fields);
});

test.each([
  'Company Phone',
  'Contact owner',
  'Company Size',
  'Email Status',
  'Previous Company',
  'Assistant',
  'Company Linkedin Url',
  'Account Owner Email',
  'Billing Country',
  'E-mail 1 - Label',
  "Manager's name",
  'Geburtsdatum',
  'Fax',
  '',
  '   ',
  '---',
])('%j is not recognised', (header) => {
  expect(recognize([header])).toEqual({});
});

test.each([
  ['Contact: First Name', 'first_name'],
  ['Primary Email (Work)', 'email'],
  ['Current company', 'company_name'],
  ["Lead's job title", 'title'],
  ['Nachname (Pflicht)', 'last_name'],
  ['E-Mail (wie im Ausweis)', 'email'],
  ['Company/Organization', 'company_name'],
  ['Firmenname', 'company_name'],
  ['Correo electrónico (trabajo)', 'email'],
  ['phone_number_1', 'phone'],
])('%j is a usual name among irrelevant words', (header, field) => {
  expect(recognize([header])).toEqual({ [field]: header });
});

test('of equal headers the first counts, and a better name precedes an earlier column', () => {
  expect(listColumns(['Email', 'Email'], rowInputColumns)).toEqual({ email: [0, 1] });
  expect(listColumns(['Personal Email', 'Email 2', 'Work Email'], rowInputColumns)).toEqual({
    email: [2, 1, 0],
  });
});

test('a list keeps the further columns of emails, profiles and phones for rows without the first', () => {
  const mapping = resolveMapping(['Name', 'Email', 'Mobile', 'Email', 'Phone']);
  expect(mapping).toEqual({ first_name: 0, email: 1, email_2: 3, phone: 4, phone_2: 2 });
  const read = (...cells: string[]) => readMapped(cells, mapping, 'email');
  expect(read('Ann', 'a@ola.example', '', 'b@ola.example')).toBe('a@ola.example');
  expect(read('Ann', ' ', '', 'b@ola.example')).toBe('b@ola.example');
  expect(read('Ann')).toBe('');
});

test.each([
  ['Vorname,Name', 'first_name,last_name'],
  ['Name,Surname', 'first_name,last_name'],
  ['Nome,Cognome', 'first_name,last_name'],
  ['Name,Email', 'full_name,email'],
  ['Nom et prénom,Courriel', 'full_name,email'],
  ['Nachname Vorname,Firma', 'full_name,company_name'],
  ['Name,Ansprechpartner,E-Mail', 'company_name,full_name,email'],
])('the part of a name in a bare "Name" is decided by the other columns: %s', (headers, fields) => {
  expect(fieldsOf(headers, rowInputColumns)).toBe(fields);
});

test.each([
  [
    'a title that is a salutation',
    'Title,Name',
    [
      ['Mr', 'Ann Lee'],
      ['Mrs.', 'Bo Li'],
    ],
    ',full_name',
  ],
  ['a name that is a company', 'Name,Email', [['Ola Works Ltd', 'a@b.de']], 'company_name,email'],
  ['a customer that is a person', 'Customer,Email', [['Ann Lee', 'a@b.de']], 'full_name,email'],
  [
    'a customer that is a company',
    'Customer,Email',
    [['Olaworks', 'a@b.de']],
    'company_name,email',
  ],
  [
    "a profile that is a company's page",
    'LinkedIn,Profile',
    [['https://www.linkedin.com/company/ola', 'https://www.linkedin.com/in/ann']],
    ',profile_url',
  ],
  ['an email that is a choice', 'Email,Contact email', [['yes', 'a@b.de']], ',email'],
  ['a longer header', 'Jobbezeichnung lang,Vorname', [['Leiterin', 'Ann']], 'title,first_name'],
  ['a number under a longer header', 'Company Xyz,Vorname', [['17', 'Ann']], ',first_name'],
])('values decide about %s', (_what, headers, rows, fields) => {
  expect(fieldsOf(headers, rowInputColumns, rows)).toBe(fields);
});

test('words of a header confirm nothing without values, or next to a column that fits better', () => {
  expect(recognize(['Jobbezeichnung lang'])).toEqual({});
  const rows = [['Leiterin', 'Lead']];
  expect(fieldsOf('Jobbezeichnung lang,Position', rowInputColumns, rows)).toBe(',title');
});

test('no phrase belongs to two nouns, and each is read as its own', () => {
  const phrases = Object.entries(columnNouns).flatMap(([noun, text]) =>
    text.split('|').map((phrase) => [phrase, noun] as const),
  );
  const plain = phrases.map(([phrase]) => phrase.normalize('NFKD').replace(/\p{M}/gu, ''));
  const notes = new Set(['الاسم الاول', 'البريد الالكتروني', 'फोन नंबर', 'อีเมล์']);
  const repeated = phrases.filter(
    ([phrase], at) => plain.indexOf(plain[at]!) !== at && !notes.has(phrase),
  );
  expect(repeated).toEqual([]);
  const wrong = phrases.filter(([phrase, noun]) => {
    const key = readHeader(phrase)?.key ?? '';
    return !key.startsWith(noun) && key !== 'client';
  });
  expect(wrong).toEqual([]);
  expect(Object.values(columnQualifiers).every((text) => text.length > 0)).toBe(true);
  expect(Object.keys(personColumns).sort()).toEqual(Object.keys(personImportFields).sort());
});

test('whatever the headers, no column serves two fields', () => {
  const names = fc.constantFrom(
    ...Object.values({ ...columnNouns, ...columnQualifiers }).flatMap((text) => text.split('|')),
  );
  const header = fc.oneof(
    names,
    fc.string(),
    fc.tuple(names, names).map((pair) => pair.join(' ')),
  );
  fc.assert(
    fc.property(fc.array(header, { maxLength: 15 }), (headers) => {
      for (const fields of [rowInputColumns, personColumns, companyColumns] as FieldKeys[]) {
        const columns = Object.values(listColumns(headers, fields)).flat();
        expect(new Set(columns).size).toBe(columns.length);
        expect(columns.every((column) => column >= 0 && column < headers.length)).toBe(true);
      }
    }),
  );
});
