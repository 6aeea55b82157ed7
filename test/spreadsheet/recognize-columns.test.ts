// Columns recognised by their headers and their first values.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { personImportFields } from '../../engine/contract/directory.ts';
import { readMapped } from '../../engine/contract/jobs/row-input.ts';
import {
  companyColumns,
  personColumns,
} from '../../engine/directory/import/decode/import-columns.ts';
import { readWords } from '../../engine/platform/read-words.ts';
import { readHeader } from '../../engine/spreadsheet/read-header.ts';
import { readsLikeContact } from '../../engine/spreadsheet/reading/first-row.ts';
import {
  recognizeTable,
  suggestColumns,
} from '../../engine/spreadsheet/reading/recognize-table.ts';
import {
  type FieldKeys,
  listColumns,
  recognizeColumns,
} from '../../engine/spreadsheet/recognize-columns.ts';
import { resolveMapping } from '../../engine/spreadsheet/recognize-input.ts';
import { rowInputColumns } from '../../engine/spreadsheet/row-input-columns.ts';

function recognize(headers: string[], fields: FieldKeys = rowInputColumns): Record<string, string> {
  const found = Object.entries(recognizeColumns(headers, fields));
  return Object.fromEntries(found.map(([field, column]) => [field, headers[column]!]));
}

/** The field of each header, '' for columns that are not read; both with "|" or commas between. */
function fieldsOf(headers: string, fields: FieldKeys, rows: string[][] = []): string {
  const between = headers.includes('|') ? '|' : ',';
  const names = headers.split(between);
  const found = Object.entries(listColumns(names, fields, rows));
  const fieldAt = (at: number) => found.find(([, columns]) => columns.includes(at))?.[0] ?? '';
  return names.map((_, at) => fieldAt(at)).join(between);
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
  ['abbreviations', 'FST_NM,LASTNM,Co.', 'first_name,last_name,company_name'],
  ['German abbreviations', 'Vorn.,Nachn.,Fa.', 'first_name,last_name,company_name'],
  [
    'questions of a form',
    'Q1 First name,Q2 Last name,Q3 Company',
    'first_name,last_name,company_name',
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
  [
    'two languages',
    'First name / Vorname,Last name (Nachname),Company / Firma,E-Mail (work),Phone/Telefon,' +
      'Country - Land,Title (Position)',
  ],
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
  ['Lithuanian', 'Vardas,Pavardė,Įmonė,El. paštas,Telefonas,Šalis,Pareigos'],
  ['Latvian', 'Vārds,Uzvārds,Uzņēmums,E-pasts,Tālrunis,Valsts,Amats'],
  ['Estonian', 'Eesnimi,Perekonnanimi,Ettevõte,E-post,Telefon,Riik,Ametikoht'],
  ['Icelandic', 'Fornafn,Eftirnafn,Fyrirtæki,Netfang,Sími,Land,Starfsheiti'],
  ['Slovenian', 'Ime,Priimek,Podjetje,E-pošta,Telefon,Država,Delovno mesto'],
  ['Serbian', 'Име,Презиме,Фирма,Имејл,Телефон,Држава,Радно место'],
  ['Bulgarian', 'Име,Фамилия,Фирма,Имейл,Телефон,Държава,Длъжност'],
  ['Catalan', 'Nom,Cognoms,Empresa,Correu electrònic,Telèfon,País,Càrrec'],
  ['Persian', 'نام,نام خانوادگی,شرکت,ایمیل,تلفن,کشور,سمت'],
  ['Croatian', 'Ime,Prezime,Naziv tvrtke,Adresa e-pošte,Telefon,Država,Radno mjesto'],
  ['other Slovenian', 'Ime,Priimek,Ime podjetja,E-poštni naslov,Telefon,Država,Delovno mesto'],
  ['other Estonian', 'Eesnimi,Perenimi,Ettevõtte nimi,E-posti aadress,Telefon,Riik,Amet'],
  ['other Lithuanian', 'Vardas,Pavardė,Įmonės pavadinimas,El. pašto adresas,Tel.,Šalis,Pareigos'],
  ['other Catalan', "Nom,Cognoms,Nom de l'empresa,Adreça electrònica,Telèfon,País,Càrrec"],
  ['other Ukrainian', "Ім'я,Прізвище,Назва фірми,Електронна адреса,Телефон,Країна,Посада"],
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
  [
    'Outlook in Spanish',
    'Title|Nombre|Segundo nombre|Apellidos|Suffix|Organización|Department|Puesto|' +
      'Calle del trabajo|Ciudad de trabajo|Provincia o estado de trabajo|' +
      'Código postal del trabajo|País o región del trabajo|Home Street|' +
      'País o región del domicilio|Otra ciudad|Otro país o región|Fax del trabajo|' +
      'Teléfono del trabajo|Particular|Número de centralita de la organización|' +
      'Teléfono principal|Otro teléfono|Dirección de correo electrónico|' +
      'Dirección del correo electrónico 3|Página web|Móvil',
    'title|first_name|middle_name|last_name|suffix|company_name|job_function|title|' +
      'company_street|city|state|company_postal_code|country||country||||phone||' +
      'company_phone|phone|phone|email|email|company_domain|mobile_phone',
  ],
  [
    'Outlook in Italian',
    'Titolo|Nome|Secondo nome|Cognome|Società|Reparto|Posizione|Via (uff.)|Città (uff.)|' +
      'Provincia (uff.)|CAP (uff.)|Paese (uff.)|Via (ab.)|Città (ab.)|Paese (ab.)|' +
      'Altra via|Altra provincia|Fax (uff.)|Ufficio|Cellulare|Telefono principale|' +
      'Telefono principale società|Indirizzo posta elettronica|' +
      'Indirizzo posta elettronica 3|Pagina Web',
    'title|first_name|middle_name|last_name|company_name|job_function|title|' +
      'company_street|city|state|company_postal_code|country||city|country|||||' +
      'mobile_phone|phone|company_phone|email|email|company_domain',
  ],
  [
    'Outlook in Japanese',
    '姓|名|ミドル ネーム|会社名|部署|役職|番地 (会社)|住所 2 (会社)|市町村 (会社)|都道府県 (会社)|郵便番号 (会社)|国 (会社)/地域|' +
      '番地 (自宅)|市町村 (自宅)|国 (自宅)/地域|会社 FAX|会社電話|会社電話 2|会社代表電話|自宅電話|携帯電話|通常の電話|その他の電話|' +
      '電子メール アドレス|電子メールの種類|電子メール 2 アドレス|Web ページ|肩書き',
    'last_name|first_name|middle_name|company_name|job_function|title|company_street||' +
      'company_city|company_state|company_postal_code|company_country||city|country||' +
      'company_phone|company_phone|company_phone||mobile_phone|phone|phone|email||email|' +
      'company_domain|title',
  ],
  [
    'Outlook in Korean',
    '이름|성|회사|부서|직함|근무지 주소 번지|근무지 구/군/시|근무지 시/도|근무지 우편 번호|근무지 국가/지역|집 주소 구/군/시|집 주소 국가/지역|' +
      '근무지 팩스|근무처 전화|근무처 전화 2|회사 대표 전화|집 전화 번호|휴대폰|기본 전화|기타 전화|전자 메일 주소|전자 메일 유형|' +
      '전자 메일 표시 이름|전자 메일 2 주소|웹 페이지|호칭(영문)',
    'first_name|last_name|company_name|job_function|title|company_street|city|state|' +
      'company_postal_code|country|city|country||phone|phone|company_phone||mobile_phone|' +
      'phone|phone|email|||email|company_domain|',
  ],
  [
    'Outlook in Polish',
    'Tytuł|Imię|Drugie imię|Nazwisko|Firma|Dział|Stanowisko|Adres służbowy - ulica|' +
      'Adres służbowy - miejscowość|Adres służbowy - województwo|' +
      'Adres służbowy - kod pocztowy|Adres służbowy - kraj/region|Adres domowy - ulica|' +
      'Adres domowy - miejscowość|Adres domowy - kraj/region|Inny adres - miejscowość|' +
      'Faks służbowy|Telefon służbowy|Telefon służbowy 2|Główny telefon do firmy|' +
      'Telefon domowy|Telefon komórkowy|Telefon podstawowy|Inny telefon|Adres e-mail|' +
      'Typ poczty e-mail|Adres e-mail 2|Strona sieci Web',
    'title|first_name|middle_name|last_name|company_name|job_function|title|' +
      'company_street|city|state|company_postal_code|country||city|country|||phone|phone|' +
      'company_phone||mobile_phone|phone|phone|email||email|company_domain',
  ],
  [
    'Outlook in Portuguese of Brazil',
    'Tratamento|Primeiro nome|Segundo nome|Sobrenome|Empresa|Departamento|Cargo|' +
      'Rua do endereço comercial|Business City|País/Região da Empresa|Endereço residencial|' +
      'Cidade do endereço residencial|País/Região de Residência|Outro endereço|' +
      'Outro País/Região|Fax comercial|Telefone comercial|Telefone comercial 2|' +
      'Telefone principal da empresa|Telefone celular|Telefone principal|Outro telefone|' +
      'Endereço de email|Endereço de email 3|Página da Web|CEP do endereço comercial',
    '|first_name|middle_name|last_name|company_name|job_function|title|company_street|' +
      'city|company_country||city|country||||phone|phone|company_phone|mobile_phone|phone|' +
      'phone|email|email|company_domain|company_postal_code',
  ],
  [
    'Outlook in Portuguese of Portugal',
    'Título|Primeiro nome|Outros nomes/apelidos|Apelido|Empresa|Departamento|Cargo|' +
      'Rua da empresa|Localidade da empresa|Distrito da empresa|Código postal da empresa|' +
      'País/Região da Empresa|Rua da residência|Localidade da residência|' +
      'País da Residência/Região|Localidade do outro endereço|Fax da empresa|' +
      'Telefone da empresa|2º telefone da empresa|Telefone principal da empresa|' +
      'Telefone da residência|Telemóvel|Endereço de correio electrónico|' +
      'Endereço do correio electrónico 2|Página na Web',
    'title|first_name||last_name|company_name|job_function|title|company_street|' +
      'company_city|company_state|company_postal_code|company_country||city|country|||' +
      'company_phone|company_phone|company_phone||mobile_phone|email|email|company_domain',
  ],
  [
    'Outlook in Romanian',
    'Titlu|Prenume|Al doilea nume|Nume de familie|Firmă|Serviciu|Ocupaţie|Stradă Firmă|' +
      'Oraș Firmă|Judeţ firmă|Cod poștal Firmă|Ţară/regiune firmă|Oraș domiciliu|' +
      'Ţară/regiune domiciliu|Fax firmă|Telefon firmă|Telefon 2 firmă|' +
      'Telefon principal firmă|Telefon domiciliu|Telefon mobil|Adresă de poștă electronică|' +
      'Tip de poștă electronică|Adresă poștă electronică 2|Pagină Web',
    'title|first_name|middle_name|last_name|company_name||title|company_street|' +
      'company_city|company_state|company_postal_code|company_country|city|country||' +
      'company_phone|company_phone|company_phone||mobile_phone|email||email|company_domain',
  ],
  [
    'Outlook in Russian',
    'Обращение|Имя|Отчество|Фамилия|Организация|Отдел|Должность|Улица (раб. адрес)|' +
      'Город (раб. адрес)|Область (раб. адрес)|Индекс (раб. адрес)|' +
      'Страна или регион (раб. адрес)|Город (дом. адрес)|Страна или регион (дом. адрес)|' +
      'Рабочий факс|Рабочий телефон|Телефон раб. 2|Основной телефон организации|' +
      'Домашний телефон|Телефон переносной|Основной телефон|Другой телефон|Адрес эл. почты|' +
      'Тип эл. почты|Краткое имя эл. почты|Адрес 2 эл. почты|Веб-страница',
    '|first_name|middle_name|last_name|company_name|job_function|title|company_street|' +
      'city|state|company_postal_code|country|city|country||phone|phone|company_phone||' +
      'mobile_phone|phone|phone|email|||email|company_domain',
  ],
  [
    'Outlook in Norwegian',
    'Tittel|Fornavn|Mellomnavn|Etternavn|Firma|Avdeling|Stilling|Adresse, arb.: Gate/vei|' +
      'Adresse, arb.: Poststed|Adresse, arb.: Område|Adresse, arb.: Postnummer|' +
      'Firmaland/område|Adresse, priv.: Poststed|Hjemland/område|Annen adresse: Poststed|' +
      'Telefaks, arb.|Telefon, arb.|Telefon 2, arb.|Hovedtelefon for firma|Telefon, priv.|' +
      'Mobiltelefon|Hovedtelefon|Annen telefon|E-postadresse|E-posttype|' +
      'Visningsnavn for e-post|E-postadresse 2|Webside',
    'title|first_name|middle_name|last_name|company_name|job_function|title|' +
      'company_street|city|state|company_postal_code|company_country|city|country|||phone|' +
      'phone|company_phone||mobile_phone|phone|phone|email|||email|company_domain',
  ],
  [
    'Outlook in Dutch',
    'Titel|Voornaam|Middelste naam|Achternaam|Bedrijf|Afdeling|Functie|Werkadres, straat|' +
      'Werkadres, plaats|Werkadres, provincie|Werkadres, postcode|Land/regio (werk)|' +
      'Huisadres, straat|Huisadres, plaats|Land/regio (thuis)|Ander adres, straat|' +
      'Fax op werk|Telefoon op werk|Telefoon op werk 2|Hoofdtelefoon bedrijf|' +
      'Telefoon thuis|Mobiele telefoon|Andere telefoon|E-mailadres|Type e-mail|' +
      'E-mailadres 2|Webpagina',
    'title|first_name|middle_name|last_name|company_name|job_function|title|' +
      'company_street|city|state|company_postal_code|country||city|country|||phone|phone|' +
      'company_phone||mobile_phone|phone|email||email|company_domain',
  ],
  [
    'Outlook in simplified Chinese',
    '姓|名|中间名|单位|部门|职务|商务地址 街道|商务地址 市/县|商务地址 省/市/自治区|商务地址 邮政编码|商务地址 国家/地区|住宅地址 市/县|' +
      '住宅地址 国家/地区|其他地址 市/县|商务传真|商务电话|商务电话 2|单位主要电话|住宅电话|移动电话|主要电话|其他电话|电子邮件地址|电子邮件类型|' +
      '电子邮件显示名称|电子邮件 2 地址|网页',
    'last_name|first_name|middle_name|company_name|job_function|title|company_street|' +
      'city|state|company_postal_code|country|city|country|||phone|phone|company_phone||' +
      'mobile_phone|phone|phone|email|||email|company_domain',
  ],
  [
    'Outlook in traditional Chinese',
    '姓氏|名字|公司|部門|職稱|商務 - 街|商務 - 市/鎮|商務 - 縣/市|商務 - 郵遞區號|商務 - 國家/地區|住家 - 市/鎮|住家 - 國家/地區|' +
      '商務傳真|商務電話|公司代表線|住家電話|行動電話|代表電話|其他電話|電子郵件地址|電子郵件類型|電子郵件顯示名稱|電子郵件 2 地址|網頁|頭銜',
    'last_name|first_name|company_name|job_function|title|company_street|city|state|' +
      'company_postal_code|country|city|country||phone|company_phone||mobile_phone|' +
      'company_phone|phone|email|||email|company_domain|title',
  ],
  [
    'Outlook in Arabic',
    'الاسم الأول|اسم العائلة|الشركة|القسم|اللقب المهني|شارع العمل|مدينة العمل|' +
      'ولاية العمل|الرمز البريدي للعمل|بلد العمل/المنطقة|مدينة المنزل|البلد/المنطقة|' +
      'فاكس العمل|هاتف العمل|هاتف العمل 2|الهاتف الرئيسي للشركة|هاتف المنزل|الهاتف الجوال|' +
      'عنوان البريد الإلكتروني|نوع البريد الإلكتروني|اسم العرض للبريد الإلكتروني|' +
      'عنوان البريد الإلكتروني 2|صفحة ويب',
    'first_name|last_name|company_name|job_function|title|company_street|city|state|' +
      'company_postal_code|country|city|country||phone|phone|||mobile_phone|email|||email|' +
      'company_domain',
  ],
  [
    'Outlook in English',
    'Title|First Name|Middle Name|Last Name|Suffix|Company|Department|Job Title|' +
      'Business Street|Business Street 2|Business City|Business State|Business Postal Code|' +
      'Business Country/Region|Home Street|Home City|Home Country/Region|Other City|' +
      "Assistant's Phone|Business Fax|Business Phone|Business Phone 2|Company Main Phone|" +
      'Mobile Phone|Other Phone|Primary Phone|E-mail Address|E-mail 2 Address|Web Page',
    'title|first_name|middle_name|last_name|suffix|company_name|job_function|title|' +
      'company_street||city|state|company_postal_code|country||city|country||||phone|phone|' +
      'company_phone|mobile_phone|phone|phone|email|email|company_domain',
  ],
  [
    'HubSpot in German',
    'Datensatz-ID|Vorname|Nachname|E-Mail-Adresse|Telefonnummer|Mobiltelefonnummer|' +
      'Zuständiger Mitarbeiter|Name des Unternehmens|Jobbezeichnung|Stadt|' +
      'Bundesland/Region|Postleitzahl|Land/Region|Adresse|Website-URL|Lifecycle-Phase|' +
      'Lead-Status|Von allen E-Mails abgemeldet|Verknüpftes Unternehmen',
    'id|first_name|last_name|email|phone|mobile_phone||company_name|title|city|state||' +
      'country||company_domain|||suppressed|company_name',
  ],
  [
    'HubSpot in French',
    "ID de fiche d'informations|Prénom|Nom|E-mail|Numéro de téléphone|" +
      "Numéro de téléphone mobile|Propriétaire du contact|Nom de l'entreprise|" +
      'Intitulé de poste|Ville|État/Région|Code postal|Pays/Région|Adresse postale|' +
      'URL du site web|Désabonné de tous les e-mails|Statut du lead|Entreprise associée',
    '|first_name|last_name|email|phone|mobile_phone||company_name|title|city|state||' +
      'country||company_domain|suppressed||company_name',
  ],
  [
    'HubSpot in Spanish',
    'ID de registro|Nombre|Apellidos|Correo|Número de teléfono|Número de teléfono móvil|' +
      'Propietario del contacto|Nombre de la empresa|Cargo|Ciudad|Estado/región|' +
      'Código postal|País/región|Dirección|URL del sitio web|' +
      'Canceló la suscripción a todos los correos|Estado del lead|Fecha de creación|' +
      'Empresa asociada',
    'id|first_name|last_name|email|phone|mobile_phone||company_name|title|city|state||' +
      'country||company_domain|suppressed|||company_name',
  ],
  [
    'the internal names of HubSpot',
    'hs_object_id|firstname|lastname|email|phone|mobilephone|company|jobtitle|' +
      'hs_linkedin_url|hs_email_optout|hs_email_optout_1234567|city|state|zip|country|' +
      'address|website|lifecyclestage|hs_lead_status|lastmodifieddate|hs_additional_emails|' +
      'numemployees|annualrevenue|industry|hs_seniority',
    'id|first_name|last_name|email|phone|mobile_phone|company_name|title|profile_url|' +
      'suppressed||city|state||country||company_domain|||observed_on|email|employees|' +
      'revenue|industry|job_level',
  ],
  [
    'a report of Salesforce',
    'Salutation|First Name|Last Name|Title|Account Name|Mailing Street|Mailing City|' +
      'Mailing State/Province|Mailing Zip/Postal Code|Mailing Country|Phone|Fax|Mobile|' +
      'Email|Account Owner|Email Opt Out|Do Not Call|Contact ID|Account ID|' +
      'Last Modified Date|Department|Other Phone',
    '|first_name|last_name|title|company_name||city|state||country|phone||mobile_phone|' +
      'email||suppressed|suppressed|id|company_id|observed_on|job_function|phone',
  ],
  [
    'Salesforce in German',
    'Anrede|Vorname|Nachname|Titel|Accountname|Postanschrift Straße|Postanschrift Ort|' +
      'Postanschrift Bundesland/Provinz|Postanschrift PLZ|Postanschrift Land|Telefon|Mobil|' +
      'E-Mail|Inhaber des Accounts|E-Mail-Abmeldung|Keine Anrufe|Kontakt-ID|' +
      'Datum der letzten Änderung',
    '|first_name|last_name|title|company_name||city|state||country|phone|mobile_phone|' +
      'email||suppressed|suppressed|id|',
  ],
  [
    'Pipedrive',
    'Person - ID|Person - Name|Person - First name|Person - Last name|Person - Label|' +
      'Person - Owner|Person - Email - Work|Person - Email - Home|Person - Email - Other|' +
      'Person - Phone - Work|Person - Phone - Home|Person - Phone - Mobile|' +
      'Person - Phone - Other|Person - Organization|Person - Job title|' +
      'Person - Marketing status|Person - Person created|Person - Update time|' +
      'Organization - ID|Organization - Name|Organization - Address|' +
      'Organization - City/town/village/locality of Address|' +
      'Organization - Country of Address|Organization - ZIP/Postal code of Address|' +
      'Person - Country of Postal address|Person - LinkedIn URL|' +
      'Person - Marketing permission',
    'id|full_name|first_name|last_name|||email|personal_email|email|phone||mobile_phone|' +
      'phone|company_name|title|subscription|||company_id|company_name|company_street|' +
      'company_city|company_country|company_postal_code|country|profile_url|consent',
  ],
  [
    'Dynamics, edited in Excel',
    '(Do Not Modify) Contact|(Do Not Modify) Row Checksum|(Do Not Modify) Modified On|' +
      'Full Name|First Name|Last Name|Job Title|Company Name|Business Phone|Mobile Phone|' +
      'Email|Email Address 2|Address 1: Street 1|Address 1: City|Address 1: State/Province|' +
      'Address 1: ZIP/Postal Code|Address 1: Country/Region|Do not allow Emails|' +
      'Do not allow Bulk Emails|Do not allow Phone Calls|Modified On|Parent Customer',
    '|||full_name|first_name|last_name|title|company_name|phone|mobile_phone|email|email|' +
      '|city|state||country|suppressed|suppressed|suppressed|observed_on|company_name',
  ],
  [
    'Dynamics in German',
    'Vollständiger Name|Vorname|Nachname|Position|Firmenname|Telefon (geschäftlich)|' +
      'Mobiltelefon|E-Mail|Adresse 1: Straße 1|Adresse 1: Ort|Adresse 1: Postleitzahl|' +
      'Adresse 1: Land/Region|E-Mails nicht zulassen|Massen-E-Mails nicht zulassen|' +
      'Anrufe nicht zulassen|Besitzer',
    'full_name|first_name|last_name|title|company_name|phone|mobile_phone|email||city||' +
      'country|suppressed|suppressed|suppressed|',
  ],
  [
    'Zoho',
    'Record Id|Contact Owner.id|Contact Owner|Lead Source|First Name|Last Name|' +
      'Account Name.id|Account Name|Vendor Name|Email|Title|Department|Phone|Home Phone|' +
      'Other Phone|Mobile|Email Opt Out|Modified Time|Mailing City|Mailing State|' +
      'Mailing Country|Secondary Email|Unsubscribed Time|Full Name',
    'id||||first_name|last_name|company_id|company_name||email|title|job_function|phone||' +
      'phone|mobile_phone|suppressed|observed_on|city|state|country|email|suppressed|' +
      'full_name',
  ],
  [
    'old Google contacts',
    'Name|Given Name|Additional Name|Family Name|Yomi Name|Given Name Yomi|' +
      'Family Name Yomi|Name Prefix|Name Suffix|Initials|Nickname|Maiden Name|Occupation|' +
      'E-mail 1 - Value|E-mail 2 - Value|Phone 1 - Value|Phone 2 - Value|Address 1 - City|' +
      'Address 1 - Region|Address 1 - Country|Organization 1 - Name|Organization 1 - Title',
    'full_name|first_name|middle_name|last_name|||||suffix||nickname|other_names|title|' +
      'email|email|phone|phone|city|state|country|company_name|title',
  ],
  [
    'Apollo',
    'First Name|Last Name|Title|Company Name|Company Name for Emails|Email|Email Status|' +
      'Primary Email Source|Primary Email Verification Source|Email Confidence|' +
      'Primary Email Catch-all Status|Primary Email Last Verified At|Seniority|Departments|' +
      'Work Direct Phone|Mobile Phone|Corporate Phone|Other Phone|Do Not Call|# Employees|' +
      'Industry|Person Linkedin Url|Website|City|State|Country|Company Address|' +
      'Company City|Company State|Company Country',
    'first_name|last_name|title|company_name|company_name|email|email_status||||||' +
      'job_level|job_function|direct_phone|mobile_phone|company_phone|phone|suppressed|' +
      'employees|industry|profile_url|company_domain|city|state|country|company_street|' +
      'company_city|company_state|company_country',
  ],
  [
    'old Lusha',
    'Full Name|Email Address 1|Email Address 2|Email Address 3|Phone Number 1|' +
      'Phone Number 2|Phone Number 3|Position|Company|Company Domain|Location|Social Link|' +
      'Date Saved',
    'full_name|email|email|email|phone|phone|phone|title|company_name|company_domain|' +
      'location|profile_url|',
  ],
  [
    'Clay',
    'Find people|First Name|Last Name|Full Name|Job Title|Location|Company Domain|' +
      'LinkedIn Profile|Company Name|Work Email|Validate Email|Enrich person|' +
      'Person LinkedIn Url|Headline|Company Table Data|Mobile Phone|Email (final)|' +
      'Normalized Company Name|Domain Name',
    '|first_name|last_name|full_name|title|location|company_domain|profile_url|company_name|' +
      'email|||profile_url|title||mobile_phone|email|company_name|company_domain',
  ],
  [
    'Phantombuster, of Sales Navigator',
    'profileUrl|fullName|firstName|lastName|companyName|title|companyId|companyUrl|' +
      'regularCompanyUrl|summary|titleDescription|industry|companyLocation|location|name|' +
      'linkedInProfileUrl|defaultProfileUrl',
    'profile_url|full_name|first_name|last_name|company_name|title|company_id|' +
      'company_domain||||industry||location|full_name|profile_url|profile_url',
  ],
  [
    'Phantombuster, of LinkedIn',
    'profileUrl|fullName|firstName|lastName|headline|location|company|companyUrl|job|' +
      'jobDateRange|jobLocation|company2|job2|school|linkedinProfile|email|mail|' +
      'mailFromDropcontact|professionalEmail|phoneNumber|website|companyWebsite|' +
      'linkedinProfileUrl|linkedinJobTitle|linkedinCompanyName|linkedinHeadline|currentJob',
    'profile_url|full_name|first_name|last_name|title|location|company_name|company_domain|' +
      'title|||company_name|title||profile_url|email|email||email|phone|company_domain|' +
      'company_domain|profile_url|title|company_name|title|title',
  ],
  [
    'Evaboot in full',
    'First Name|Last Name|Full Name|Profile Headline|Current Job|Email|Email Status|' +
      'Prospect Location|Prospect LinkedIn Public URL|Prospect LinkedIn Unique ID|' +
      'LinkedIn URL Public|Linkedin URL Unique ID|Sales Navigator URL|Company Name|' +
      'Company Name Cleaned|Company Website|Company Domain|Company Employee Count|' +
      'Company Employee Range|Company Industry|Company LinkedIn URL|Company Location',
    'first_name|last_name|full_name|title|title|email|email_status|location|profile_url||' +
      'profile_url||profile_url|company_name|company_name|company_domain|company_domain|' +
      'employees|employees|industry||',
  ],
  [
    'Wiza',
    'first_name|last_name|full_name|title|company|company_domain|email|email_status|' +
      'email_type|linkedin|location|industry|company_size|company_founded|company_linkedin|' +
      'phone_number1|phone_number2|mobile_phone|city|state|country|company_location|' +
      'linkedin_profile_url|profile_url|domain|company_street|company_locality|' +
      'company_region|company_country|company_postal_code|other_work_emails|personal_email|' +
      'personal_email1|mobile_phone1|title_role',
    'first_name|last_name|full_name|title|company_name|company_domain|email|email_status|' +
      '|profile_url|location|industry|employees|||phone|phone|mobile_phone|city|state|country||' +
      'profile_url|profile_url|company_domain|company_street|company_city|company_state|' +
      'company_country|company_postal_code|email|personal_email|personal_email|' +
      'mobile_phone|job_function',
  ],
  [
    'Snov',
    'First name|Last name|Full name|Job position|Email|Email status|Source page|Country|' +
      'Locality|Company name|Company site|Company country|Company industry|' +
      'Company social link|Contact social link|Last update date|Company size|List',
    'first_name|last_name|full_name|title|email|email_status||country|city|company_name|' +
      'company_domain|company_country|industry||profile_url||employees|',
  ],
  [
    'Kaspr',
    'Name|First name|Last name|LinkedIn|Company|Job title|Location|Starred work email|' +
      'Work emails|Starred direct email|Direct emails|Starred phone|Phones|List|Created at|' +
      'Updated at|Phone 1|B2B email 1|Company Page|Company size',
    'full_name|first_name|last_name|profile_url|company_name|title|location|email|email|email|' +
      'email|phone|phone|||observed_on|phone|email||employees',
  ],
  [
    'Odoo, companies with contacts',
    'id|Name|Complete Name|Is a Company|Email|Phone|City|Contacts/Name|Contacts/Email|' +
      'Contacts/Job Position|Tags/Name',
    'company_id|company_name|company_name|||company_phone|company_city|full_name|email|' + 'title|',
  ],
  [
    'Odoo, contacts with companies',
    'Name|Email|Phone|Company/Name|Company/Phone',
    'full_name|email|phone|company_name|company_phone',
  ],
  [
    'Eventbrite',
    'Order #|Order Date|Prefix|First Name|Last Name|Suffix|Email|Quantity|Price Tier|' +
      'Home City|Home Country|Work Address 1|Work City|Work Country|Cell Phone|Work Phone|' +
      'Job Title|Company|Website|Billing Address 1',
    '|||first_name|last_name|suffix|email|||city|country|company_street|city|country|' +
      'mobile_phone|phone|title|company_name|company_domain|company_street',
  ],
  [
    'Cvent',
    'Registrant First Name|Registrant Last Name|Email Address|Title|Company Name|' +
      'Work Phone|Mobile Phone|Work Address 1|Work City|Work State|Work ZIP/Postal Code|' +
      'Work Country|Registration Type|Confirmation Number|Registration Date|' +
      'Opt Out of Email|CC Email Address|Source ID|Last Modified Date',
    'first_name|last_name|email|title|company_name|phone|mobile_phone|company_street|' +
      'city|state|company_postal_code|country||||suppressed|||observed_on',
  ],
  [
    'Swapcard',
    'First name|Last name|Job title|Company|Email|Mobile phone|Landline phone|Website|' +
      'Country|Address|City|Biography|Tags|Notes|Rating|Social networks: LinkedIn',
    'first_name|last_name|title|company_name|email|mobile_phone|phone|company_domain|' +
      'country||city|||||profile_url',
  ],
  [
    'Brevo',
    'CONTACT ID|EMAIL|FIRSTNAME|LASTNAME|SMS|EXT_ID|DOUBLE_OPT-IN|OPT_IN|WHATSAPP|' +
      'ADDED_TIME|MODIFIED_TIME|EMAIL_BLACKLISTED|SMS_BLACKLISTED|JOB_TITLE|LINKEDIN|' +
      'CONTACT_TIMEZONE',
    'id|email|first_name|last_name|mobile_phone||consent|consent|mobile_phone||' +
      'observed_on|suppressed|suppressed|title|profile_url|',
  ],
  [
    'Freshsales',
    'Id|First name|Last name|Job title|Work email|Emails|Work|Mobile|Address|City|State|' +
      'Zipcode|Country|Accounts|Sales owner|Unsubscribed|Subscription status|' +
      'Do not disturb|LinkedIn|Account name|Updated at|Other phone numbers|' +
      'Unsubscribe reason',
    'id|first_name|last_name|title|email|email||mobile_phone||city|state||country|company_name||' +
      'suppressed|subscription|suppressed|profile_url|company_name|observed_on|phone|' +
      'suppressed',
  ],
  [
    'Copper',
    'Copper ID|Name|Prefix|First Name|Middle Name|Last Name|Suffix|Title|Company|Email|' +
      'Email Type|Email 2|Email 2 Type|Phone Number|Phone Number Type|Phone Number 2|City|' +
      'State|Country|Website',
    '|full_name||first_name|middle_name|last_name|suffix|title|company_name|email||email|' +
      '|phone||phone|city|state|country|company_domain',
  ],
  [
    'Close, of leads',
    'lead_id|lead_name|display_name|status_label|contact_name|contact_title|' +
      'primary_contact_name|primary_contact_primary_phone|' +
      'primary_contact_primary_phone_type|primary_contact_primary_email|contact_1_email|' +
      'primary_contact_primary_url|address_1_city|address_1_country|url|description|' +
      'date_created|date_updated',
    'id|full_name|full_name||full_name|title|full_name|phone||email|email|profile_url|' +
      'city|country|profile_url|||',
  ],
  [
    'Close, of contacts',
    'id|lead_id|name|title|primary_phone|primary_phone_type|other_phones|primary_email|' +
      'primary_email_type|other_emails|primary_url|lead_name|lead_status_label',
    'id|id|full_name|title|phone||phone|email||email|profile_url|full_name|',
  ],
  [
    'Attio',
    'Record ID|Record|Name|Name > First name|Name > Last name|Email addresses|' +
      'Description|Company|Company > Record|Job title|Phone numbers|Primary location|' +
      'Primary location > City|Primary location > Country|LinkedIn|Twitter',
    'id||full_name|first_name|last_name|email||company_name||title|phone|location|city|' +
      'country|profile_url|',
  ],
  [
    'Klaviyo',
    'Email|Klaviyo ID|First Name|Last Name|Organization|Title|Phone Number|City|' +
      'State / Region|Country|Zip Code|Email Marketing Consent|SMS Consent|' +
      'Email Suppressions',
    'email||first_name|last_name|company_name|title|phone|city|state|country||consent||' +
      'suppressed',
  ],
  [
    'Odoo',
    'Name|Company Name|Job Position|Email|Phone|Mobile|City|Country|Is a Company|' +
      'Related Company|External ID|Salesperson|Tags|Blacklist',
    'full_name|company_name|title|email|phone|mobile_phone|city|country|||id|||suppressed',
  ],
  [
    'Thunderbird in German',
    'Vorname|Nachname|Anzeigename|Spitzname|Primäre E-Mail-Adresse|' +
      'Sekundäre E-Mail-Adresse|Messenger-Name|Tel. dienstlich|Tel. privat|Fax-Nummer|' +
      'Pager-Nummer|Mobil-Tel.-Nr.|Privat: Ort|Privat: Land|Dienstlich: Adresse|' +
      'Dienstlich: Ort|Dienstlich: Bundesland|Dienstlich: PLZ|Dienstlich: Land|' +
      'Arbeitstitel|Abteilung|Organisation|Webseite 1',
    'first_name|last_name||nickname|email|email||phone||||mobile_phone|city|country|' +
      'company_street|city|state|company_postal_code|country|title|job_function|' +
      'company_name|company_domain',
  ],
  [
    'Malay forms',
    'Nama Penuh|Syarikat|Jawatan|E-mel|Telefon bimbit|Bandar|Negeri|Poskod|Negara',
    'full_name|company_name|title|email|mobile_phone|city|state||country',
  ],
  ['forms in Turkish and Norwegian', 'Ad Soyad|İl|Firma|Sted', 'full_name|state|company_name|city'],
  [
    'Zoho in German',
    'Vorname|Nachname|Kontoname|E-Mail',
    'first_name|last_name|company_name|email',
  ],
  ['Clay', 'Full Name|Find Work Email|Find Mobile', 'full_name|email|mobile_phone'],
  ['Lusha', 'Company Name|Company HQ|Company HQ Phone', 'company_name||company_phone'],
  [
    'groups of personal data',
    'Persönliche Daten Vorname|Datos personales Apellidos|Datos de la empresa Nombre|E-mail',
    'first_name|last_name|company_name|email',
  ],
  [
    'Seamless',
    'Full Name|First Name|Last Name|Title|Company|Company - Cleaned|Website|' +
      'LI Profile Url|List|Contact Phone 1|Contact Phone 2|Contact Mobile Phone|Email 1|' +
      'Email 1 Validation|Personal Email|Contact City|Contact State|Contact Country|' +
      'Company Phone 1|Company City|Company Staff Count|Company Revenue|' +
      'Company LI Profile Url|Email Total AI',
    'full_name|first_name|last_name|title|company_name|company_name|company_domain|' +
      'profile_url||phone|phone|mobile_phone|email||personal_email|city|state|country|' +
      'company_phone|company_city|employees|revenue||',
  ],
  [
    'SugarCRM',
    'ID|First Name|Last Name|Title|Account Name|Office Phone|Mobile|Email Address|' +
      'Non-Primary E-mail Addresses|Primary Address Street|Primary Address City|' +
      'Primary Address State|Primary Address Postal Code|Primary Address Country|' +
      'Alternate Address City|Do Not Call|Assigned User Name|Date Modified',
    'id|first_name|last_name|title|company_name|phone|mobile_phone|email|email||city|' +
      'state||country||suppressed||observed_on',
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
  ['Company / Firma', 'company_name'],
  ['Company (Firma)', 'company_name'],
  ['E-Mail (work)', 'email'],
  ['Firmenname', 'company_name'],
  ['Correo electrónico (trabajo)', 'email'],
  ['phone_number_1', 'phone'],
  ['T&eacute;l&eacute;phone', 'phone'],
])('%j is a usual name among irrelevant words', (header, field) => {
  expect(recognize([header])).toEqual({ [field]: header });
});

// Lists without names of columns, whose words say which column is which.
test.each<[what: string, rows: string[][], mapping: object]>([
  [
    'given name, surname, email',
    [
      ['Ann', 'Lee', 'ann@ola.example'],
      ['Uwe', 'Müller', 'uwe@elm.example'],
    ],
    { first_name: 0, last_name: 1, email: 2 },
  ],
  [
    'surname, given name, company',
    [
      ['Lee', 'Ann', 'Ola Ltd'],
      ['van der Berg', 'Anna Maria', 'Elm'],
      ['Kowalska', 'Ewa', 'Fir'],
    ],
    { first_name: 1, last_name: 0, company_name: 2 },
  ],
  [
    'a number, surname, given name, city',
    [
      ['1', 'Schmidt', 'Hans', 'Boston'],
      ['2', 'García', 'José', 'London'],
    ],
    { first_name: 2, last_name: 1 },
  ],
  [
    'a company with the name of the person of the email',
    [
      ['Ford', 'Ann', 'Lee', 'ann.lee@ford.example'],
      ['Benz', 'Bo', 'Kim', 'bo.kim@benz.example'],
    ],
    { first_name: 1, last_name: 2, email: 3 },
  ],
  [
    'two columns of surnames',
    [
      ['Müller', 'Schmidt'],
      ['Weber', 'Kowalski'],
    ],
    {},
  ],
  [
    'words that are no names',
    [
      ['Red', 'Table'],
      ['Blue', 'Chair'],
    ],
    {},
  ],
  [
    'jobs and cities',
    [
      ['Buyer', 'Bremen'],
      ['Sales Manager', 'Ulm'],
    ],
    {},
  ],
])('columns without names hold %s', (_what, rows, mapping) => {
  const headers = (rows[0] ?? []).map((_cell, at) => `Column ${at + 1}`);
  expect(recognizeTable(headers, rows).mapping).toEqual(mapping);
});

test.each([
  ['a contact', ['Ann', 'Lee', 'Ola'], true],
  ['a header', ['Alpha', 'Beta', 'Gamma'], false],
  ['names in the other order', ['Lee', 'Ann', 'Ola'], false],
])('above given names and surnames the first row is %s', (_what, first, isContact) => {
  const rows = [
    ['Uwe', 'Müller', 'Elm'],
    ['Ewa', 'Kowalska', 'Fir'],
  ];
  expect(readsLikeContact(first, rows)).toBe(isContact);
});

test('of equal headers the first counts, and a better name precedes an earlier column', () => {
  expect(listColumns(['Email', 'Email'], rowInputColumns)).toEqual({ email: [0, 1] });
  expect(listColumns(['Personal Email', 'Email 2', 'Work Email'], rowInputColumns)).toEqual({
    email: [2, 1, 0],
  });
});

test("a member's page precedes a profile on another host, and a title a headline", () => {
  const pages = ['https://app.zoominfo.com/#/apps/profile/1', 'https://www.linkedin.com/in/ann'];
  const headers = ['ZoomInfo Profile URL', 'LinkedIn Profile URL', 'Headline', 'Job'];
  expect(listColumns(headers, rowInputColumns, [pages])).toEqual({
    profile_url: [1, 0],
    title: [3, 2],
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
  ['a URL of a site', 'Name,URL', [['Ann Lee', 'https://ola.example']], 'full_name,company_domain'],
  [
    "a company's URL on LinkedIn",
    'companyUrl,Website',
    [['https://www.linkedin.com/sales/company/17', 'ola.example']],
    ',company_domain',
  ],
  [
    'columns that only say where a phone or an email is',
    'Name|Work|Home',
    [['Ann Lee', '+49 421 123456', 'ann@ola.example']],
    'full_name|phone|email',
  ],
  ['a place that is named Work', 'Name,Office', [['Ann Lee', 'Room 12']], 'full_name,'],
  ['an email that is a word', 'Email,E-mail 2', [['valid', 'a@b.de']], ',email'],
  ['a phone without digits', 'Phone,Phone 2', [['iPhone', '+49 421 123456']], ',phone'],
  ['a site that is a place', 'Website,Site', [['ola.example', 'Bremen']], 'company_domain,'],
  [
    'a main contact that is a person',
    'Account Name,Primary Contact',
    [['Ola', 'Ann Lee']],
    'company_name,full_name',
  ],
  [
    "a contact's lead that is a company",
    'lead_name,contact_name',
    [['Olaworks', 'Ann Lee']],
    'company_name,full_name',
  ],
  ['an email that is a choice', 'Email,Contact email', [['yes', 'a@b.de']], ',email'],
  ['a longer header', 'Jobbezeichnung lang,Vorname', [['Leiterin', 'Ann']], 'title,first_name'],
  ['a number under a longer header', 'Company Xyz,Vorname', [['17', 'Ann']], ',first_name'],
  [
    'names under abbreviations, not those of a colleague',
    'Rufn.,Famn.,Org.-Bez.,Rufn. Owner,Famn. Owner',
    [
      ['Ann', 'Lee', 'Ola Ltd', 'Eva', 'Schmidt'],
      ['Uwe', 'Müller', 'Elm GmbH', 'Eva', 'Schmidt'],
    ],
    'first_name,last_name,company_name,,',
  ],
  [
    'names next to a known column',
    'n2,n1,E-Mail',
    [
      ['Lee', 'Ann', 'a@ola.example'],
      ['Müller', 'Uwe', 'u@elm.example'],
    ],
    'last_name,first_name,email',
  ],
  [
    'names that a column has, so that other names are those of others',
    'Name,Par,Parn',
    [
      ['Bo Kim', 'Ann', 'Lee'],
      ['Li Wei', 'Uwe', 'Müller'],
    ],
    'full_name,,',
  ],
])('values decide about %s', (_what, headers, rows, fields) => {
  expect(fieldsOf(headers, rowInputColumns, rows)).toBe(fields);
});

test.each([
  ['HQ', '+49 30 5684962', 'company_phone'],
  ['HQ', 'Berlin', ''],
  ['Office', '+49 30 5684962', 'company_phone'],
  ['Contact : Work', '+49 30 5684962', 'phone'],
  ['Contact : Accounts', 'Ola', 'company_name'],
  ['Record > Primary location', 'Berlin, Germany', 'location'],
  ['Primary location > City', 'Berlin', 'city'],
  ['Which is your LinkedIn profile?', '/in/ann-lee', 'profile_url'],
  ['Last contact', 'May 1, 2024', ''],
  ['First name', 'L-00017', ''],
  ['state', 'Connected', ''],
  ['state', 'Texas', 'state'],
])('a column %j with %j becomes %j in an import', (header, cell, field) => {
  expect(fieldsOf(`Name,${header}`, personColumns, [['Ann Lee', cell]])).toBe(`full_name,${field}`);
});

test('words of a header confirm nothing without values, or next to a column that fits better', () => {
  expect(recognize(['Jobbezeichnung lang'])).toEqual({});
  const rows = [['Leiterin', 'Lead']];
  expect(fieldsOf('Jobbezeichnung lang,Position', rowInputColumns, rows)).toBe(',title');
});

test('no phrase belongs to two nouns, and each is read as its own', () => {
  const phrases = readWords('column-nouns').flatMap(([noun, own]) =>
    own.map((phrase) => [phrase, noun] as const),
  );
  const plain = phrases.map(([phrase]) => phrase.normalize('NFKD').replace(/\p{M}/gu, ''));
  const notes = new Set(['الاسم الاول', 'البريد الالكتروني', 'फोन नंबर', 'อีเมล์']);
  const repeated = phrases.filter(
    ([phrase], at) => plain.indexOf(plain[at]!) !== at && !notes.has(phrase),
  );
  expect(repeated).toEqual([]);
  const wrong = phrases.filter(([phrase, noun]) => {
    const key = readHeader(phrase)?.key ?? '';
    return !key.replace(/^company\.(?=phone)/, '').startsWith(noun) && key !== 'client';
  });
  expect(wrong).toEqual([]);
  expect(readWords('column-qualifiers').flat(2)).not.toContain('');
  expect(Object.keys(personColumns).sort()).toEqual(Object.keys(personImportFields).sort());
});

test('whatever the headers, no column serves two fields', () => {
  const names = fc.constantFrom(
    ...['column-nouns', 'column-qualifiers'].flatMap(readWords).flatMap(([, own]) => own),
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

describe('columns without a use, under headers that say nothing', () => {
  const rows = [
    ['Ann Lee PT', 'Acme Foods SE', 'ann@acme.example', 'linkedin.com/in/ann', 'North West'],
    ['Bo Kim', 'Nordlys AS', 'bo@nordlys.example', 'linkedin.com/in/bo', 'North West'],
    ['Cy Young', 'Engines Ltd', 'cy@engines.example', 'linkedin.com/in/cy', 'North West'],
  ];
  const suggest = (headers: string[]) =>
    suggestColumns(headers, rows, recognizeTable(headers, rows).mapping).map(
      ({ column, field }) => `${headers[column]}: ${field}`,
    );

  test('are suggested by their values, but not used', () => {
    const headers = ['Qui', 'Wo', 'Punkt', 'Netz', 'Gebiet'];
    expect(recognizeTable(headers, rows).mapping).toEqual({});
    expect(suggest(headers)).toEqual([
      'Punkt: email',
      'Netz: profile_url',
      'Wo: company_name',
      'Qui: full_name',
    ]);
  });

  // Headers, rows, and the fields: of two columns of names one may have companies.
  test.each([
    [
      'Name,Name',
      [
        ['Ann Lee', 'Ola'],
        ['Bo Kim', 'Big Corp'],
      ],
      'full_name,company_name',
    ],
    [
      'Nom,Nom',
      [
        ['Ola SARL', 'Ann Lee'],
        ['Airbus', 'Bo Kim'],
      ],
      'company_name,full_name',
    ],
    [
      'First name,Last name,Name',
      [['Ann', 'Lee', 'Blue Ocean']],
      'first_name,last_name,company_name',
    ],
    ['First name,Last name,Name', [['Ann', 'Lee', 'Lee, Ann']], 'first_name,last_name,full_name'],
    [
      'Name,Name',
      [
        ['Ann Lee', 'Ann B. Lee'],
        ['Bo Kim', 'Bo Kim'],
      ],
      'full_name,full_name',
    ],
    ['Name,Name,Company', [['Ann Lee', 'Ola', 'Ola']], 'full_name,full_name,company_name'],
  ])('called %j hold people or companies by their cells: %j', (headers, cells, fields) => {
    expect(fieldsOf(headers, rowInputColumns, cells)).toBe(fields);
  });

  // Header of names, header of "name <address>", the mapping without the company.
  test.each([
    ['the names of a list without any', 'Ticket', 'Contact', { first_name: 1 }],
    ['the names under a header without a meaning', 'Ticket', 'Punkt', { first_name: 1 }],
    ['the emails of those in the column of names', 'Name', 'Contact', { first_name: 0, email: 1 }],
    ['nobody under a header about colleagues', 'Name', 'Owner', { first_name: 0 }],
  ])('that are names with their addresses are %s', (_title, first, second, mapped) => {
    const named = rows.map(([name = '', , email = '']) => [
      first === 'Name' ? name : '7',
      `${name} <${email}>`,
    ]);
    expect(recognizeTable([first, second], named).mapping).toEqual(mapped);
  });

  test('that are names with their addresses are suggested, if they are of other people', () => {
    const named = rows.map(([name = '', , email = ''], at) => [
      `Zoe Quist${at}`,
      `${name} <${email}>`,
    ]);
    const { mapping } = recognizeTable(['Name', 'Contact'], named);
    expect(suggestColumns(['Name', 'Contact'], named, mapping)).toEqual([
      { column: 1, field: 'email' },
    ]);
  });

  test('are not suggested for a field that has a column', () => {
    expect(suggest(['Full name', 'Company', 'Punkt', 'LinkedIn', 'Gebiet'])).toEqual([
      'Punkt: email',
    ]);
  });

  test('are not suggested against what a header says, nor for values that repeat', () => {
    expect(suggest(['City', 'Department', 'Account owner email', 'Notes', 'Gebiet'])).toEqual([]);
  });
});

test.each([
  [
    'Contacto Nombre,Apellidos',
    [
      ['Iñigo', 'Ybarra Peña'],
      ['Mª Carmen', 'Ruiz'],
    ],
    'first_name,last_name',
  ],
  [
    'Nombre,Apellidos',
    [
      ['Juan Carlos', 'Rey'],
      ['Ana María', 'Sol'],
    ],
    'first_name,last_name',
  ],
  ['Contact Name,First Name', [['Byron', 'Ada']], 'last_name,first_name'],
  ['Contact Name,First Name', [['Byron, Ada', 'Ada']], 'full_name,first_name'],
  ['Contact Name,Last Name', [['Ada Strøm', 'STRÖM']], 'full_name,last_name'],
  ['Name,Last Name', [['Ada Ybarra', 'Ybarra Peña']], 'full_name,last_name'],
  ['Contact Name,Last Name', [], 'full_name,last_name'],
])(
  'in %j with %j, names are %s: a whole name has the part that stands next to it',
  (headers, rows, fields) => {
    expect(fieldsOf(headers, personColumns, rows)).toBe(fields);
  },
);
