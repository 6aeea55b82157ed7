/**
 * The words of column headers: what a column holds (nouns), and what narrows that (qualifiers), in
 * about thirty languages. A header is read as a combination of them by read-header.ts. Sources: the
 * exports of Salesforce (reports and Data Loader), HubSpot, Dynamics, Zoho, Pipedrive, Apollo,
 * ZoomInfo, Lusha, Cognism, RocketReach, Hunter, Snov, Kaspr, Clay, LinkedIn, Sales Navigator
 * scrapers, Google and Outlook contacts, and the forms of events.
 */

/**
 * What a column holds → its phrases, with "|" between them. The case, accents and punctuation of a
 * header do not matter, and a phrase of several words is also found without spaces between them.
 */
export const columnNouns = {
  first_name:
    'first name|first|given name|given|given names|forename|forenames|fname|christian name|' +
    'vorname|vornamen|rufname|prenom|prenoms|nombre de pila|primer nombre|nombres|' +
    'nome proprio|primeiro nome|nome de batismo|nome battesimo|voornaam|roepnaam|imie|imiona|' +
    'fornamn|tilltalsnamn|fornavn|etunimi|etunimet|krestni jmeno|krstne meno|keresztnev|' +
    "utonev|prenume|on ad|ilk ad|ilk isim|имя отчество|ім'я|ονομα|μικρο ονομα|名|下の名前|名字|이름|" +
    'الاسم الأول|الاسم الاول|שם פרטי|nama depan|nama pertama|ten goi|ชื่อ|ชื่อจริง|पहला नाम|' +
    'प्रथम नाम|ime|ilk adi|собственное имя|собствено име|preferred given name|' +
    'vardas|vards|eesnimi|fornafn|име|emri|izena',
  middle_name:
    'middle name|middle|middle names|middle initial|mi|additional name|zweiter vorname|' +
    'weitere vornamen|weiterer vorname|deuxieme prenom|segundo nombre|secondo nome|' +
    'nome do meio|tweede naam|tussenvoegsel|drugie imie|mellannamn|mellemnavn|mellomnavn|' +
    'отчество|по батькові|ミドルネーム|中间名|중간 이름|segundo nome|al doilea nume|middelste naam|' +
    'ikinci adi|ミドル ネーム|ชื่อกลาง|бащино име|prostredni jmeno|الاسم الأوسط|' +
    'druhe jmeno|kozepso nev|ikinci ad|vidurinis vardas',
  last_name:
    'last name|last|surname|surnames|family name|lname|second name|nachname|familienname|' +
    'zuname|nom de famille|nom famille|apellido|apellidos|primer apellido|apellido paterno|' +
    'cognome|sobrenome|ultimo nome|apelido|apelidos|achternaam|familienaam|nazwisko|' +
    'efternamn|familjenamn|efternavn|etternavn|sukunimi|prijmeni|priezvisko|vezeteknev|' +
    'csaladnev|csaladi nev|nume de familie|nume familie|soyad|soyadi|soy isim|soyisim|' +
    'фамилия|прізвище|επωνυμο|姓|苗字|名字姓|성|姓氏|اسم العائلة|اللقب|الكنية|שם משפחה|nama belakang|' +
    'nama keluarga|ho|นามสกุล|उपनाम|अंतिम नाम|prezime|perekonnanimi|фамилно име|' +
    'pavarde|uzvards|eftirnafn|priimek|презиме|cognoms|mbiemri|abizena|نام خانوادگی',
  name:
    'name|names|nom|noms|nombre|nome|nomi|naam|namn|navn|nimi|jmeno|meno|nev|nume|ad|adi|' +
    'isim|имя|назва|נקרא|שם|الاسم|اسم|nama|ten|नाम|nazwa|nazev|nazov|' +
    'наименование|nafn|نام',
  full_name:
    'full name|complete name|vor und nachname|vor und zuname|vor nachname|vor zuname|' +
    'first last|first and last name|person name|vollstandiger name|ganzer name|nom complet|' +
    'nombre completo|nome completo|nome e cognome|volledige naam|pelne imie i nazwisko|' +
    'fullstandigt namn|fulde navn|fullt navn|koko nimi|cele jmeno|teljes nev|nume complet|' +
    'tam ad|adi soyadi|ad soyad|isim soyisim|полное имя|фио|ф и о|піб|ονοματεπωνυμο|氏名|お名前|' +
    '名前|姓名|성명|성함|الاسم الكامل|שם מלא|nama lengkap|ho ten|ho va ten|ชื่อนามสกุล|पूरा नाम|' +
    'contact person|contact name|kontaktperson|ansprechpartner|ansprechpartnerin|' +
    'personne de contact|nom du contact|persona de contacto|nombre del contacto|' +
    'persona di contatto|referente|pessoa de contato|pessoa de contacto|contactpersoon|' +
    'osoba kontaktowa|kontaktna osoba|kontaktni osoba|yhteyshenkilo|kapcsolattarto|' +
    'persoana de contact|ilgili kisi|irtibat kisisi|yetkili kisi|контактное лицо|' +
    'контактна особа|担当者|担当者名|ご担当者名|联系人|聯絡人|联系人姓名|담당자|담당자명|جهة الاتصال|איש קשר|narahubung|' +
    'nguoi lien he|ผู้ติดต่อ|display name|lead name|candidate name|naam contactpersoon|' +
    'nome do contato|nome del contatto|имя контакта|联系人名称',
  salutation:
    'salutation|honorific|prefix|name prefix|mr mrs|anrede|civilite|tratamiento|appellativo|' +
    'titolo di cortesia|tratamento|aanhef|tytul grzecznosciowy|tilltal|tiltale|puhuttelu|' +
    'osloveni|oslovenie|megszolitas|formula de adresare|hitap|обращение|звернення|敬称|称谓|称呼|' +
    '호칭|civility|mr ms|mr ms mrs|英文称谓|中文称谓|稱謂|คำนำหน้า',
  suffix: 'suffix|name suffix|generation|suffixe|sufijo|suffisso|namenszusatz|nachsilbe|sufixo',
  nickname:
    'nickname|nick name|preferred name|preferred first name|known as|goes by|spitzname|' +
    'surnom|apodo|soprannome|apelido preferido|bijnaam|smeknamn|kaldenavn|przydomek|' +
    'псевдоним|ニックネーム|昵称|별명',
  other_names:
    'other names|other name|alternate names|alternate name|former names|former name|' +
    'maiden name|geburtsname|nom de jeune fille|nombre de soltera|cognome da nubile|' +
    'meisjesnaam',
  company:
    'company|companies|company name|linkedin company name|account|account name|' +
    'organization|organisation|' +
    'organization name|organisation name|org|org name|employer|employer name|firm|firm name|' +
    'business name|company dba|institution|parent account|' +
    'parent customer|parentcustomerid|parentcustomeridname|firma|firmen|firmenname|' +
    'firma name|unternehmen|unternehmensname|arbeitgeber|organisationsname|betrieb|' +
    'gesellschaft|institution name|societe|nom de la societe|nom societe|entreprise|' +
    "nom de l'entreprise|nom entreprise|raison sociale|employeur|organisme|structure|" +
    'etablissement|compagnie|empresa|nombre de la empresa|nombre de empresa|nombre empresa|' +
    'compania|razon social|organizacion|empleador|institucion|sociedad|azienda|nome azienda|' +
    'societa|ragione sociale|impresa|ditta|organizzazione|ente|datore di lavoro|' +
    'nome da empresa|razao social|companhia|organizacao|empregador|instituicao|nome fantasia|' +
    'bedrijf|bedrijfsnaam|bedrijfs|organisatie|organisatienaam|werkgever|onderneming|' +
    'klantnaam|nazwa firmy|przedsiebiorstwo|spolka|organizacja|pracodawca|nazwa spolki|' +
    'foretag|foretagsnamn|foretagets namn|bolag|bolagsnamn|arbetsgivare|virksomhed|' +
    'virksomhedsnavn|virksomhedens navn|firmanavn|arbejdsgiver|selskab|selskap|bedrift|' +
    'bedriftsnavn|arbeidsgiver|yritys|yrityksen nimi|yhtio|organisaatio|tyonantaja|' +
    'spolecnost|nazev firmy|nazev spolecnosti|podnik|organizace|zamestnavatel|spolocnost|' +
    'nazov firmy|nazov spolocnosti|ceg|cegnev|ceg neve|vallalat|vallalkozas|szervezet|' +
    'munkaltato|companie|nume companie|nume firma|societate|denumire societate|' +
    'denumire firma|angajator|sirket|sirket adi|firma adi|kurum|kurulus|isveren|unvan ticari|' +
    'компания|название компании|наименование компании|организация|название организации|' +
    'наименование организации|фирма|предприятие|работодатель|компанія|назва компанії|' +
    'організація|підприємство|εταιρεια|εταιρια|επωνυμια|επιχειρηση|οργανισμος|会社|会社名|企業|企業名|' +
    '法人名|組織|組織名|勤務先|勤務先名|貴社名|御社名|団体名|社名|公司|公司名|公司名称|公司名稱|企业|企业名称|单位|单位名称|機構|机构|组织|회사|회사명|기업|' +
    '기업명|기관명|업체명|소속|조직|상호|상호명|الشركة|اسم الشركة|المؤسسة|المنظمة|جهة العمل|חברה|שם חברה|' +
    'שם החברה|ארגון|perusahaan|nama perusahaan|instansi|organisasi|cong ty|ten cong ty|' +
    'doanh nghiep|to chuc|บริษัท|ชื่อบริษัท|องค์กร|कंपनी|कंपनी का नाम|tvrtka|preduzece|' +
    'podjetje|unternehmens|name of company|company or organization|company organization|' +
    'organization company|place of work|workplace|firme|firmy|spolecnosti|spolocnosti|' +
    'компании|организации|підприємства|організації|address company|naam bedrijf|' +
    'naam organisatie|nom de l organisation|nombre de la organizacion|nome dell azienda|' +
    'nome da organizacao|nazwa organizacji|所属|工作单位|소속기관|직장명|للشركة|' +
    'imone|uznemums|ettevote|fyrirtaeki|компанија|شرکت|kompania|şirkət|enpresa|предузеће|подјетје',
  job_title:
    'job title|position|position title|current title|current position|job position|role|' +
    'job role|work title|occupation|job|designation|profession|positionsbezeichnung|' +
    'berufsbezeichnung|stellenbezeichnung|jobbezeichnung|jobtitel|funktion|beruf|stelle|' +
    'rolle|dienststellung|tatigkeit|poste|intitule du poste|intitule de poste|intitule|' +
    'fonction|titre du poste|titre de poste|metier|emploi|cargo|puesto|puesto de trabajo|' +
    'titulo del puesto|posicion|ocupacion|rol|ruolo|posizione|qualifica|mansione|funzione|' +
    'incarico|carica|titolo professionale|posizione lavorativa|titulo do cargo|funcao|' +
    'posicao|profissao|ocupacao|functie|functietitel|functieomschrijving|functienaam|beroep|' +
    'positie|stanowisko|stanowisko pracy|funkcja|zawod|rola|befattning|yrkestitel|yrke|roll|' +
    'jobbtitel|stilling|stillingsbetegnelse|jobtitler|stillingstittel|tehtava|tehtavanimike|' +
    'ammattinimike|ammatti|asema|tyotehtava|pozice|pracovni pozice|funkce|pozicia|' +
    'pracovna pozicia|funkcia|beosztas|pozicio|munkakor|pozitie|functia|post|gorev|gorevi|' +
    'pozisyon|is unvani|unvan|unvani|meslek|должность|позиция|роль|профессия|посада|θεση|' +
    'θεση εργασιας|ιδιοτητα|επαγγελμα|役職|役職名|肩書|肩書き|職位|職種|職業|役割|职位|职务|职位名称|岗位|职称|職稱|職務|頭銜|직책|' +
    '직함|직위|직급|직무|المسمى الوظيفي|الوظيفة|المنصب|תפקיד|jabatan|posisi|pekerjaan|chuc vu|' +
    'chuc danh|vi tri|ตำแหน่ง|ตำแหน่งงาน|पद|पदनाम|radno mjesto|pozicija|current job|ocupatie|' +
    'اللقب المهني|ametinimetus|arbeitstitel|длъжност|position held|functie titel|' +
    'pareigos|amats|ametikoht|amet|starfsheiti|delovno mesto|' +
    'радно место|работно место|carrec|سمت|vəzifə|pozita',
  headline: 'headline|profile headline|linkedin headline|tagline',
  title: 'title|titles|titel|titre|titulo|titolo|tytul|tittel|titteli|titul|titlu|τιτλος',
  function:
    'job function|function|functions|department|departments|dept|business unit|abteilung|' +
    'bereich|fachbereich|service|departement|departamento|reparto|dipartimento|ufficio di|' +
    'afdeling|dzial|departament|avdelning|afdeling navn|avdeling|osasto|oddeleni|oddelenie|' +
    'osztaly|departman|bolum|birim|отдел|подразделение|департамент|відділ|τμημα|部署|部署名|部門|部门|' +
    '부서|부서명|القسم|מחלקה|departemen|phong ban|แผนก|विभाग|organization department|odjel|' +
    'title role|sub department',
  level:
    'job level|seniority|management level|level|seniority level|job title hierarchy level|' +
    'hierarchy level|hierarchieebene|ebene|niveau|niveau hierarchique|nivel|nivel jerarquico|' +
    'livello|poziom|niva|taso|uroven|kidem|уровень',
  email:
    'email|emails|mail|emailaddress|email address|email addresses|mail address|email id|' +
    'mail id|email value|internet email|personemail|email adresse|email adressen|mailadresse|' +
    'mail adresse|adresse email|adresse mail|adresse electronique|adresse de messagerie|' +
    'courriel|mel|messagerie|correo electronico|correo|correos|' +
    'direccion de correo electronico|direccion de correo|direccion email|indirizzo email|' +
    'indirizzo di posta elettronica|posta elettronica|indirizzo mail|correio eletronico|' +
    'correio|endereco de email|endereco de correio eletronico|endereco eletronico|emailadres|' +
    'email adres|mailadres|elektronisch adres|adres email|poczta|poczta elektroniczna|' +
    'adres mailowy|adres poczty elektronicznej|epost|e post|epostadress|e postadress|' +
    'e post adress|mejl|mejladress|mailadress|epostadresse|e postadresse|sahkoposti|' +
    'sahkopostiosoite|sposti|emailova adresa|e mailova adresa|elektronicka adresa|posta|' +
    'email cim|emailcim|e mail cim|drot posta|adresa email|adresa de email|eposta|e posta|' +
    'e posta adresi|eposta adresi|mail adresi|почта|электронная почта|эл почта|' +
    'адрес электронной почты|емейл|имейл|e mail адрес|электронный адрес|електронна пошта|' +
    'пошта|ηλεκτρονικη διευθυνση|ηλεκτρονικο ταχυδρομειο|διευθυνση email|メール|メールアドレス|eメール|' +
    '電子メール|メアド|アドレス|邮箱|电子邮件|电子邮箱|邮箱地址|邮件|邮件地址|電子郵件|電子信箱|信箱|이메일|이메일 주소|전자우편|메일|메일주소|' +
    'البريد الإلكتروني|البريد الالكتروني|البريد|ايميل|אימייל|דואר אלקטרוני|דוא ל|דואל|surel|' +
    'alamat email|thu dien tu|dia chi email|อีเมล|อีเมล์|ईमेल|ई मेल|e naslov|' +
    'posta electronica|correio electronico|endereco de correio electronico|' +
    'adresse de courrier|эл почты|электронной почты|ел пошти|електронної пошти|' +
    'elektronik posta|elektronik posta adresi|전자 메일|전자 메일 주소|имейл адрес|meiliaadress|' +
    'ที่อยู่อีเมล|' +
    'el pastas|e pasts|epasts|netfang|имејл|е пошта|correu electronic|correu|ایمیل',
  email_status:
    'email status|email verification status|verification status|email validity|' +
    'email confidence status|email statut|statut email|email verification|' +
    'email deliverability|estado del email|stato email',
  profile:
    'linkedin|linkedin url|linkedin profile|linkedin profile url|linkedin link|linkedin bio|' +
    'linkedin page|linkedin public url|linkedin contact profile url|linkedin contact profile|' +
    'profile|profile url|profile link|profile page|public profile|public profile url|' +
    'default profile url|linkedin default profile|social url|social profile|vmid url|' +
    'linkedin profil|linkedin adresse|profil url|profil|profil linkedin|lien linkedin|' +
    'url linkedin|url du profil|lien du profil|perfil|perfil de linkedin|perfil linkedin|' +
    'url de linkedin|url del perfil|profilo|profilo linkedin|url profilo|perfil do linkedin|' +
    'url do perfil|linkedin profiel|profiel|linkedin profili|profil adresi|профиль|' +
    'профиль linkedin|ссылка на профиль|ссылка linkedin|プロフィール|プロフィールurl|领英|领英链接|링크드인|프로필|' +
    'social link|linkedin handle|lien profil linkedin|adresse linkedin',
  website:
    'website|websites|web site|web|web page|webpage|home page|homepage|site|internet|www|' +
    'web address|webseite|webadresse|internetseite|internetadresse|homepage url|site web|' +
    'site internet|page web|sitio web|pagina web|sito|sito web|sito internet|pagina internet|' +
    'site da empresa|strona|strona www|strona internetowa|witryna|webbplats|hemsida|webbsida|' +
    'webbadress|hjemmeside|netside|nettsted|nettside|verkkosivu|verkkosivut|kotisivu|' +
    'kotisivut|webova stranka|webove stranky|web stranka|weboldal|honlap|pagina de web|' +
    'web sitesi|web adresi|internet sitesi|сайт|веб сайт|адрес сайта|вебсайт|ιστοσελιδα|' +
    'ιστοτοπος|ホームページ|ウェブサイト|サイト|网站|网址|官网|網站|網址|홈페이지|웹사이트|الموقع|الموقع الإلكتروني|אתר|' +
    'אתר אינטרנט|situs|situs web|trang web|เว็บไซต์|वेबसाइट|spletna stran|web mjesto|' +
    'webpagina|webside|strona sieci web|pagina na web|pagina da web|веб страница|' +
    'веб сторінка|уеб страница|web ページ|웹 페이지|网页|網頁|صفحة ويب|web sayfasi|website address|' +
    'เว็บเพจ',
  domain:
    'domain|domains|domain name|email domain|web domain|domane|domain adresse|domaine|' +
    'dominio|dominios|domein|domeinnaam|domena|doman|domane navn|domeeni|domeniu|alan adi|' +
    'домен|ドメイン|域名|도메인',
  url: 'url|urls|link|links|lien|enlace|lenke|lank|ссылка|链接|링크',
  phone:
    'phone|phones|phone number|phone numbers|phone no|telephone|telephones|telephone number|' +
    'telephone no|tel|tel no|tel nr|tele|contact number|phone value|number to call|telefon|' +
    'telefone|telefonnummer|telefon nr|telefonnr|rufnummer|fon|fernsprecher|festnetz|' +
    'festnetznummer|numero de telephone|n de telephone|no de telephone|telefono|telefonos|' +
    'numero de telefono|numero telefonico|numero telefono|recapito telefonico|recapito|' +
    'numero de telefone|telefoon|telefoonnummer|nr telefonu|numer telefonu|tel nummer|' +
    'telefonnumre|tlf|tlf nr|puhelin|puhelinnumero|puh|telefonni cislo|telefonne cislo|' +
    'telefonszam|numar de telefon|numar telefon|nr telefon|telefon numarasi|telefon no|' +
    'телефон|номер телефона|тел|контактный телефон|номер телефону|τηλεφωνο|αριθμος τηλεφωνου|' +
    '電話|電話番号|tel番号|电话|电话号码|联系电话|電話號碼|전화|전화번호|연락처|الهاتف|رقم الهاتف|هاتف|טלפון|מספר טלפון|' +
    'telepon|nomor telepon|no telepon|no telp|telp|dien thoai|so dien thoai|sdt|โทรศัพท์|' +
    'เบอร์โทร|เบอร์โทรศัพท์|फोन|फ़ोन नंबर|फोन नंबर|landline|telephone fixe|telefono fijo|' +
    'telefono fisso|telefone fixo|vaste telefoon|telefon stacjonarny|telefonu|switchboard|' +
    'zentrale|centralino|centralita|vaxel|santral|standard telephonique|代表線|' +
    'numero de centralita|' +
    'telefonas|talrunis|simi|telefonski broj|تلفن|sms phone',
  mobile:
    'mobile|mobile phone|mobile number|mobile no|mobile phone number|cell|cell phone|' +
    'cellphone|cell number|cell phone number|cellular|whatsapp|whats app|mobil|mobiltelefon|' +
    'mobilnummer|mobiltelefonnummer|mobilfunk|mobilfunknummer|handy|handynummer|natel|' +
    'mobiles|telephone portable|telephone mobile|portable|numero de portable|gsm|numero gsm|' +
    'movil|telefono movil|celular|numero de celular|telefono celular|numero movil|cellulare|' +
    'telefono cellulare|numero cellulare|cellulari|telemovel|telefone celular|mobiel|' +
    'mobiele telefoon|mobiel nummer|mobiele nummer|komorka|telefon komorkowy|komorkowy|' +
    'numer komorkowy|mobilnr|mobiltelefonnr|matkapuhelin|kannykka|mobilni telefon|' +
    'mobilny telefon|mobilne cislo|telefon mobil|cep telefonu|gsm no|мобильный|' +
    'мобильный телефон|моб|моб телефон|сотовый|сотовый телефон|мобільний|мобільний телефон|' +
    'κινητο|κινητο τηλεφωνο|携帯|携帯電話|携帯番号|携帯電話番号|手机|手机号|手机号码|移动电话|手機|行動電話|휴대폰|휴대전화|휴대폰번호|핸드폰|' +
    '모바일|الجوال|رقم الجوال|الموبايل|المحمول|נייד|טלפון נייד|ponsel|handphone|no hp|hp|' +
    'di dong|so di dong|มือถือ|เบอร์มือถือ|मोबाइल|मोबाइल नंबर|mobitel|sms|переносной|' +
    'телефон переносной|телефон мобільний|мобилен телефон|' +
    'mobilusis telefonas|mobilus telefonas|mobilais talrunis|mobiiltelefon|' +
    'farsimi|мобилни телефон|تلفن همراه|موبایل',
  direct:
    'direct phone|direct|direct dial|direct number|direct line|direct phone number|ddi|did|' +
    'durchwahl|direktwahl|direktdurchwahl|ligne directe|telephone direct|teletono directo|' +
    'telefono directo|linea directa|telefono diretto|linea diretta|interno diretto|' +
    'linha direta|telefone direto|doorkiesnummer|direct nummer|numer bezposredni|' +
    'linia bezposrednia|direktnummer|direkte telefon|direkttelefon|direktenummer|' +
    'suora numero|prima linka|priama linka|direkt telefon|прямой телефон|прямой номер|直通|' +
    '直通電話|直通番号|直线|直线电话|직통|직통번호|직통전화',
  street:
    'street|street address|address|addresses|address line|street name|line 1 address|strasse|' +
    'str|anschrift|adresse|adressen|strasse hausnummer|strasse und hausnummer|rue|voie|calle|' +
    'direccion|domicilio|via|indirizzo|rua|endereco|morada|logradouro|straat|adres|' +
    'straatnaam|ulica|gata|gatuadress|adress|gade|gadenavn|gateadresse|gate|vei|katu|osoite|' +
    'katuosoite|lahiosoite|ulice|adresa|utca|cim|strada|sokak|cadde|adresi|адрес|улица|' +
    'адреса|вулиця|διευθυνση|οδος|住所|番地|町名番地|地址|街道|详细地址|주소|العنوان|כתובת|רחוב|alamat|dia chi|' +
    'ที่อยู่|पता|postanschrift|街|شارع|عنوان|ถนน|번지',
  city:
    'city|town|city town|suburb|locality|stadt|ort|wohnort|firmensitz|ville|commune|localite|' +
    'ciudad|localidad|poblacion|municipio|citta|comune|localita|cidade|localidade|plaats|' +
    'woonplaats|stad|vestigingsplaats|gemeente|miasto|miejscowosc|postort|by|poststed|' +
    'kaupunki|paikkakunta|postitoimipaikka|mesto|obec|varos|telepules|helyseg|oras|' +
    'localitate|sehir|il ilce|город|населенный пункт|місто|πολη|市|市区町村|都市|市町村|城市|도시|시군구|' +
    'المدينة|עיר|kota|thanh pho|เมือง|शहर|grad|mail address city|city town village locality|' +
    'مدينة|市 县|市 鎮|구 군 시|' +
    'miestas|pilseta|linn|borg|град|ciutat|شهر|qyteti',
  state:
    'state|province|region|county|state region|state province|state or province|' +
    'stateorprovince|prefecture|bundesland|kanton|departement region|dep region|provincia|' +
    'estado|comunidad autonoma|regione|stato provincia|provincie|wojewodztwo|lan|fylke|' +
    'maakunta|megye|judet|eyalet|bolge|область|регион|регіон|νομος|περιφερεια|都道府県|省|省份|州|시도|' +
    'المنطقة|المحافظة|מחוז|provinsi|tinh|จังหวัด|राज्य|county name|mail address state|' +
    'provinz|omrade|regiao|distrito|provincia o estado|etat|regio|regiune|시 도|省 市 自治区|縣 市|' +
    'ولاية|okres',
  postal_code:
    'postal code|postal|postalcode|zip|zip code|zipcode|zip postal code|postcode|post code|' +
    'pin code|pincode|eircode|plz|postleitzahl|code postal|cp|codigo postal|cap|' +
    'codice postale|cep|codigo de enderecamento postal|kod pocztowy|postnummer|postnr|' +
    'postinumero|psc|iranyitoszam|irsz|cod postal|posta kodu|индекс|почтовый индекс|' +
    'поштовий індекс|ταχυδρομικος κωδικας|τκ|郵便番号|邮编|邮政编码|郵遞區號|우편번호|الرمز البريدي|מיקוד|' +
    'kode pos|ma buu dien|รหัสไปรษณีย์|पिन कोड|mail address postcode|' +
    'mail address postal code|mail address zip|почтовый код|поштовий код|우편 번호|رمز بريدي',
  country:
    'country|countries|country region|country or region|country name|country code|' +
    'countrycode|nation|nationality country|iso country|land|staat land|land region|' +
    'landercode|pays|pays region|pais|pais region|paese|nazione|landcode|kraj|panstwo|maa|' +
    'maa alue|zeme|stat|krajina|orszag|tara|ulke|страна|країна|χωρα|国|国名|国籍国|国家|国家地区|國家|국가|' +
    '국가명|나라|الدولة|البلد|بلد|מדינה|ארץ|negara|quoc gia|nuoc|ประเทศ|देश|drzava|zemlja|' +
    'mail address country|pais o region|country or territory|страна или регион|' +
    'країна або регіон|国 地域|国家 地区|國家 地區|국가 지역|land regio|land omrade|country of residence|' +
    'salis|valsts|riik|држава|държава|کشور|shteti',
  id:
    'id|ids|uuid|guid|record id|row id|reference|reference id|client reference id|' +
    'external id|client id|customer id|customer number|crm id|contact number id|' +
    'record number|key id|referenz|kundennummer|kundennr|datensatz id|identifiant|' +
    'identifiant externe|numero de client|referencia|identificador|identificativo|' +
    'codice cliente|identificatie|klantnummer|identyfikator|kundnummer|kundenummer|' +
    'asiakasnumero|идентификатор|код клиента|顧客id|客户编号|고객번호|contactid|leadid|ref|object id|' +
    'hs object id|datensatz',
  industry:
    'industry|industries|primary industry|sector|vertical|branche|branchen|secteur|' +
    "secteur d'activite|industria|settore|settore di attivita|setor|ramo|bedrijfstak|branza|" +
    'sektor|bransch|bransje|toimiala|odvetvi|obor|iparag|domeniu de activitate|отрасль|' +
    'сфера деятельности|галузь|κλαδος|業種|業界|行业|產業|업종|산업|القطاع|תעשייה|industri|nganh nghe',
  employees:
    'employees|employee|number of employees|no of employees|num employees|employee count|' +
    'employee range|employee size|company size|headcount|staff count|company headcount|' +
    'mitarbeiter|mitarbeiterzahl|anzahl mitarbeiter|unternehmensgrosse|nombre de salaries|' +
    'effectif|effectifs|salaries|taille de l entreprise|empleados|numero de empleados|' +
    'tamano de la empresa|dipendenti|numero dipendenti|numero di dipendenti|funcionarios|' +
    'numero de funcionarios|werknemers|aantal werknemers|aantal medewerkers|medewerkers|' +
    'liczba pracownikow|pracownicy|anstallda|antal anstallda|antal ansatte|ansatte|' +
    'henkilosto|henkilostomaara|pocet zamestnancu|zamestnanci|alkalmazottak szama|letszam|' +
    'numar angajati|calisan sayisi|число сотрудников|количество сотрудников|численность|従業員数|' +
    '社員数|员工人数|员工数|人数|員工人數|직원수|사원수|종업원수|total employees|employees total|nb employees',
  revenue:
    'revenue|revenues|annual revenue|revenue range|turnover|annual sales|sales volume|' +
    'company revenue|umsatz|jahresumsatz|chiffre d affaires|chiffre affaires|ca|ingresos|' +
    'facturacion|ingresos anuales|fatturato|ricavi|faturamento|receita|omzet|jaaromzet|' +
    'przychody|obroty|omsattning|omsaetning|omsetning|liikevaihto|obrat|trzby|arbevetel|' +
    'bevetel|cifra de afaceri|ciro|выручка|оборот|売上|売上高|年商|营收|年收入|營收|매출|매출액|' +
    'estimated revenue|total revenue|sales usd|company turnover',
  founded:
    'founded|year founded|founded year|founding year|' +
    'founding date|date founded|year established|' +
    'established|year of foundation|grundungsjahr|gegrundet|annee de creation|fonde en|' +
    'ano de fundacion|anno di fondazione|oprichtingsjaar|rok zalozenia|' +
    'founded date|foundation date',
  legal_name:
    'legal name|company legal name|legal company name|registered name|legal entity name|' +
    'official name|firmierung|statutaire naam',
  registration_number:
    'registration number|registration no|company registration number|' +
    'business registration number|handelsregisternummer|' +
    'registernummer|hrb|siren|siret|kvk nummer|numero de registro|numero rea|krs|' +
    'register id|register number',
  parent:
    'parent|parent company|parent organization|parent organisation|' +
    'ultimate parent|ultimate parent company|muttergesellschaft|konzern|societe mere|' +
    'empresa matriz|societa madre|moederbedrijf',
  description:
    'description|company description|about us|firmenbeschreibung|beschreibung|' +
    'descripcion|descrizione|descricao|beschrijving',
  kind:
    'kind|type|company type|account type|organization type|ownership|ownership type|typ|tipo|' +
    'soort|rodzaj|typ firmy',
  aliases:
    'aliases|alias|also known as|aka|trading name|trade name|trading as|ticker|dba|' +
    'other company names',
  start:
    'start|start date|started on|start on|started|job start|job start date|' +
    'position start date|from|since|date from|hire date|von|seit|beginn|eintritt|' +
    'eintrittsdatum|debut|depuis|date de debut|desde|fecha de inicio|inizio|data inizio|dal|' +
    'inicio|data de inicio|sinds|begindatum|startdatum|data rozpoczecia|startdato|alkaen|' +
    'zacatek|kezdete|baslangic|дата начала|開始日|入社日|入职日期|입사일',
  end:
    'end|end date|ended on|end on|ended|job end|job end date|until|to|date to|left on|bis|' +
    'ende|austritt|austrittsdatum|enddatum|fin|date de fin|hasta|fecha de fin|fine|data fine|' +
    'data de fim|ate|einddatum|data zakonczenia|slutdatum|slutdato|konec|vege|bitis|' +
    'дата окончания|終了日|退社日|离职日期|퇴사일',
  is_current:
    'is current|current|still there|is current position|is current job|aktuell|actuel|actual|' +
    'attuale|atual',
  is_primary: 'is primary|primary|primary job|main job|is primary position',
  observed:
    'observed on|observed|observed at|last verified|verified on|verified at|updated at|' +
    'updated on|last updated|last updated on|last modified|last modified date|' +
    'last modified on|modified on|modified time|modified date|lastmodifieddate|as of|' +
    'last changed|last update|date modified|zuletzt geandert|geandert am|aktualisiert am|' +
    'letzte anderung|derniere modification|modifie le|mis a jour le|ultima modificacion|' +
    'fecha de modificacion|ultima modifica|ultima modificacao|laatst gewijzigd|' +
    'data modyfikacji|senast andrad|sidst aendret|дата изменения|更新日|最終更新日|修改时间|수정일',
  opt_out:
    'opt out|opted out|optout|opt outs|has opted out|unsubscribed|unsubscribe|' +
    'is unsubscribed|do not contact|do not mail|do not email|do not call|do not phone|' +
    'do not market|do not sell|do not bulk email|do not allow emails|' +
    'do not allow bulk emails|do not allow phone calls|donotemail|donotbulkemail|donotphone|' +
    'dnc|dnm|dne|dnd|no contact|no email|no mail|no emails|no call|no calls|no marketing|' +
    'suppressed|suppress|suppression|is suppressed|blacklisted|blacklist|blocklist|' +
    'blocklisted|blocked|unsubscribed from all email|global unsubscribe|' +
    'globally unsubscribed|never contact|gdpr erased|objected|objection|abgemeldet|abmeldung|' +
    'abbestellt|widerspruch|werbewiderspruch|werbesperre|kontaktsperre|nicht kontaktieren|' +
    'gesperrt|sperrvermerk|keine werbung|keine mails|newsletter abgemeldet|desabonne|' +
    'desinscrit|desinscription|ne pas contacter|ne pas appeler|ne pas demarcher|opposition|' +
    'liste rouge|bloctel|dado de baja|baja|baja de emails|no contactar|no llamar|lista negra|' +
    'exclusion voluntaria|disiscritto|disiscrizione|disiscritta|non contattare|' +
    'cancellato dalla newsletter|descadastrado|nao contatar|nao contactar|nao ligar|' +
    'cancelou inscricao|uitgeschreven|afgemeld|niet benaderen|niet contacteren|niet bellen|' +
    'niet mailen|wypisany|wypisana|wypisano|nie kontaktowac|nie dzwonic|sprzeciw|' +
    'avregistrerad|avanmald|kontakta inte|ej kontakt|nix|afmeldt|kontakt ikke|avmeldt|' +
    'reservert|ala ota yhteytta|markkinointikielto|odhlasen|odhlaseno|nekontaktovat|' +
    'odhlaseny|leiratkozott|leiratkozva|ne keresd|dezabonat|nu contacta|abonelikten cikti|' +
    'abonelikten ayrildi|aramayin|отписан|отписался|отписка|не беспокоить|не звонить|' +
    'не писать|не контактировать|відписаний|не турбувати|配信停止|配信不可|連絡不可|メール不可|退订|已退订|拒收|取消订阅|' +
    '请勿联系|수신거부|수신 거부|연락금지|إلغاء الاشتراك|הוסר מרשימה|berhenti berlangganan|huy dang ky|' +
    'do not disturb|unsub|opt out of email|email suppressions|suppressions|' +
    'cancelo la suscripcion|emails nicht zulassen|massen emails nicht zulassen|' +
    'anrufe nicht zulassen|keine anrufe|nicht anrufen|keine emails|desabonnee|do not send|' +
    'do not solicit|blackliste|marked email as spam|disallow emails|' +
    'unsubscribed from all lists|unsubscribed from all|' +
    'e mail abgelehnt|email abgelehnt|mail abgelehnt|' +
    'please remove|remove from list|removal requested|opting out|wants no contact|spam complaint|' +
    'marked as spam|reported as spam|reported spam|do not use|' +
    'donotcontact|donotcall|not to contact|' +
    'stop contacting|no further contact|do not approach|nicht mehr kontaktieren|' +
    'nicht anschreiben|nicht ansprechen|kein kontakt gewunscht|' +
    'keine kontaktaufnahme|kontakt verboten|' +
    'kontaktverbot|keine newsletter|kein newsletter|newsletter abbestellt|' +
    'vom newsletter abgemeldet|ausgetragen|ne plus contacter|ne pas deranger|ne pas solliciter|' +
    'ne pas envoyer|ne souhaite pas etre contacte|ne souhaite plus etre contacte|desinscrite|' +
    'desabonnement|dada de baja|no molestar|no escribir|no enviar|desuscrito|desuscrita|' +
    'desuscripcion|suscripcion cancelada|cancelo suscripcion|non chiamare|' +
    'non disturbare|non inviare|iscrizione annullata|ha annullato l iscrizione|descadastrada|' +
    'descadastramento|inscricao cancelada|nao perturbe|nao enviar|cancelou a inscricao|' +
    'cancelou a subscricao|uitgeschreven van nieuwsbrief|' +
    'niet contacten|geen contact|geen contact opnemen|niet meer benaderen|geen mailings|' +
    'zrezygnowal|zrezygnowala|rezygnacja|rezygnacja z subskrypcji|nie kontaktowac sie|' +
    'nie wysylac|far ej kontaktas|kontakta ej|ring inte|avprenumererad|' +
    'avprenumererat|ma ikke kontaktes|skal ikke kontaktes|ikke kontakt|ring ikke|frameldt|' +
    'ei saa ottaa yhteytta|ei yhteydenottoja|peruuttanut tilauksen|perunut uutiskirjeen|' +
    'neoslovovat|nevolat|neposielat|odhlasil sa|odhlasil se|leiratkozas|' +
    'nem keresheto|nem megkeresheto|a nu se contacta|nu contactati|s a dezabonat|' +
    'iletisime gecmeyin|iletisim kurmayin|abonelikten cikmis|' +
    'отписана|отписалась|отписались|отписавшийся|не связываться|' +
    'не рассылать|відписався|відписалася|' +
    'не контактувати|не дзвонити|не телефонувати|διαγραφηκε|διεγραφη|μην επικοινωνειτε|' +
    'μην καλειτε|配信拒否|配信停止済み|登録解除|購読解除|連絡拒否|送信不可|営業禁止|架電禁止|已取消订阅|取消訂閱|已取消訂閱|退訂|已退訂|' +
    '勿扰|请勿打扰|請勿聯絡|请勿联络|请勿致电|구독 취소|구독취소|수신 거부함|연락 금지|ألغى الاشتراك|ملغي الاشتراك|' +
    'عدم الاتصال|لا تتصل|عدم الإزعاج|ביטל מנוי|הסיר את עצמו|לא ליצור קשר|' +
    'jangan hubungi|jangan dihubungi|' +
    'da huy dang ky|khong lien he|ยกเลิกการสมัคร|ห้ามติดต่อ|सदस्यता समाप्त|संपर्क न करें',
  consent:
    'consent|consents|opt in|opted in|optin|double opt in|subscribed|is subscribed|' +
    'gdpr consent|marketing consent|email consent|consent given|has consent|' +
    'accepts marketing|accepts email marketing|email marketing consent|marketing opt in|' +
    'permission|marketing permission|marketing allowed|can contact|may contact|ok to contact|' +
    'may we contact you|can we contact you|may we email you|can we email you|may we call you|' +
    'durfen wir sie kontaktieren|darf ich sie kontaktieren|pouvons nous vous contacter|' +
    'podemos contactarle|podemos contactarte|possiamo contattarti|possiamo contattarla|' +
    'mogen wij contact met u opnemen|mogen we contact opnemen|ok to email|contactable|' +
    'allow email|allow emails|einwilligung|werbeeinwilligung|' +
    'zustimmung|einverstandnis|darf kontaktiert werden|newsletter einwilligung|consentement|' +
    'optin email|consentimiento|acepta publicidad|consenso|consenso marketing|' +
    'consenso privacy|consentimento|aceita marketing|toestemming|zgoda|zgoda marketingowa|' +
    'zgoda na kontakt|samtycke|samtykke|markkinointilupa|lupa|suostumus|souhlas|suhlas|' +
    'hozzajarulas|consimtamant|onay|izin|riza|согласие|згода|συγκαταθεση|同意|メール配信可|同意状态|동의|' +
    '수신동의|마케팅동의|الموافقة|הסכמה|persetujuan|dong y',
  subscription:
    'subscription status|email subscription status|newsletter status|marketing status|' +
    'marketing contact status|email marketing status|consent status|gdpr status|opt status|' +
    'newsletterstatus|abostatus',
  note:
    'reason|note|notes|comment|comments|remark|remarks|grund|notiz|bemerkung|raison|' +
    'commentaire|motivo|nota|reden|powod|причина|理由|备注|사유',
  value: 'value|entry|wert|eintrag|valeur|valor|valore|waarde|wartosc|значение|値|值|값',
} as const satisfies Record<string, string>;

/** What a column holds. */
export type ColumnNoun = keyof typeof columnNouns;

/** What narrows a noun, or says nothing, or makes a column one that no field holds. */
export const columnQualifiers = {
  work:
    'work|business|office|professional|corp|geschaftlich|geschaftliche|geschaftlicher|' +
    'geschafts|dienstlich|dienstliche|dienst|beruflich|berufliche|arbeit|arbeits|buro|bureau|' +
    'professionnel|professionnelle|pro|travail|trabajo|laboral|profesional|empresarial|' +
    'corporativo|corporativa|oficina|lavoro|aziendale|ufficio|professionale|trabalho|' +
    'comercial|profissional|escritorio|werk|zakelijk|zakelijke|kantoor|sluzbowy|sluzbowa|' +
    'sluzbowe|firmowy|firmowa|praca|biuro|biurowy|arbete|arbets|jobb|arbejde|arbejds|arbeid|' +
    'arbeids|tyo|tyopaikan|pracovni|pracovny|sluzebni|munkahelyi|ceges|uzleti|serviciu|birou|' +
    'profesional|is|рабочий|рабочая|раб|служебный|служебная|рабочее|корпоративный|' +
    'корпоративная|робочий|робоча|εργασιας|勤務先|仕事|会社用|工作|办公|办公室|单位用|직장|업무|업무용|العمل|עבודה|' +
    'kantor|co quan|b2b|uff|arb|zam|раб адрес|роб|роб адреса|служ|商务|商務|商务地址|근무지|근무처|근무지 주소|' +
    'op werk|werkadres|zamestnani|للعمل|ธุรกิจ',
  private:
    'personal|private|home|privat|private adresse|personlich|personliche|privee|prive|perso|' +
    'personnel|personnelle|domicile|particular|casa|personale|privato|privata|pessoal|' +
    'residencial|thuis|persoonlijk|prywatny|prywatna|prywatne|domowy|dom|hem|privata adress|' +
    'privatadresse|hjem|privatni|sukromny|osobni|koti|henkilokohtainen|magan|szemelyes|' +
    'otthoni|acasa|kisisel|ev|личный|личная|домашний|дом|особистий|домашній|προσωπικο|οικιας|' +
    '自宅|個人|私人|家庭|个人|住宅|개인|자택|집|الشخصي|شخصي|المنزل|אישי|פרטי|pribadi|rumah|ca nhan|' +
    'birthdate home|ab|abitazione|priv|дом адрес|дом адреса|domiciliu|residencia|domicilio|' +
    'huis|huisadres|住家|집 주소|domu|บ้าน',
  other:
    'other|secondary|second|alternate|alternative|additional|alt|third|weitere|weiterer|' +
    'zweite|zweiter|andere|anderer|sonstige|autre|secondaire|deuxieme|otro|otra|secundario|' +
    'secundaria|alternativo|alternativa|altro|altra|secondario|secondaria|outro|outra|overig|' +
    'overige|tweede|inny|inna|dodatkowy|dodatkowa|annan|annat|ovrig|anden|andet|annen|muu|' +
    'toinen|dalsi|jiny|masik|egyeb|alt adres|diger|ikinci|другой|другая|дополнительный|' +
    'дополнительная|інший|その他|其他|备用|기타|shipping|delivery|lieferadresse|liefer|for emails|' +
    'lieferung|fur emails|tertiary|supplemental|weiteres|sekundare|non primary|jine|' +
    'інша адреса|другой адрес|друг адрес|其他地址|display name|lead name|user',
  company:
    'centralita|numero de centralita|standard telephonique|代表線|' +
    'billing|hq|headquarters|headquarter|head office|corporate|main office|switchboard|' +
    'central|rechnung|rechnungs|rechnungsanschrift|hauptsitz|zentrale|sitz|siege|' +
    'siege social|standard|facturation|sede|central telefonica|facturacion direccion|' +
    'centralino|sede legale|fatturazione|faturamento endereco|hoofdkantoor|factuur|siedziba|' +
    'centrala|huvudkontor|vaxel|hovedkontor|paakonttori|sidlo|ustredna|szekhely|kozpont|' +
    'sediu|merkez|santral|головной офис|главный офис|本社|代表|総|总部|总机|본사|대표|kantor pusat',
  person:
    'contact|contacts|lead|leads|person|people|prospect|prospects|candidate|member|' +
    'individual|kontakt|kontakte|contacto|contactos|contatto|contatti|contato|contatos|osoba|' +
    'persona|personne|pessoa|persoon|henkilo|kisi|контакт|контакта|контактный|лицо|attendee|' +
    'attendees|participant|participants|teilnehmer|teilnehmerin|delegate|invitee|registrant|' +
    'guest|gast|speaker|subscriber|recipient|primary contact|main contact|visitor|visitors|' +
    'besucher|visiteur|visitante',
  client:
    'customer|customers|client|clients|kunde|kunden|cliente|clientes|clienti|klant|klanten|' +
    'klient|klienci|kund|asiakas|zakaznik|ugyfel|musteri|клиент|клиента|客户|顧客|고객|user|users|' +
    'vendor|supplier|lieferant|fournisseur|proveedor|fornitore',
  filler:
    'the|of|field|data|text|s|a|an|and|or|de|du|des|la|le|les|el|los|del|della|di|da|do|dos|' +
    'das|von|und|et|y|e|i|och|og|ja|a z|van|der|die|het|een|full|current|associated|primary|' +
    'value|values|label1|main|default|public|official|latest|new|valid|verified|apollo|' +
    'zoominfo|zoom info|salesforce|sfdc|sf|hubspot|hub spot|hs|lusha|cognism|kaspr|clay|' +
    'pipedrive|dynamics|zoho|outlook|google|evaboot|snov|hunter|rocketreach|rocket reach|crm|' +
    'system|sales navigator|navigator|standardized|normalized|clean|cleaned|formatted|raw|' +
    'best|most|all|from|your|my|our|ihre|ihr|votre|su|tu|vostro|seu|uw|no|nr|number|numero|' +
    'nummer|c|custom|mailing|postal address|postadresse|post|visiting|line|line 1|resolved|' +
    'enriched|found|mit|avec|con|n|deal|kontaktdaten|iso|code name|dane|angaben|recommended|' +
    'o|ou|oder|или|lub|eller|principal|principale|haupt|hoved|hoofd|glowny|podstawowy|' +
    'primaer|primare|primarni|birincil|основной|основний|主要|通常|기본|allen|alle|tous|todos|' +
    'tutti|l|op|starred|li|social networks|social network|social media|primary location|' +
    'associee|asociada|associata|associada|verknupftes|zugehoriges|estimated|preferred|fiche|' +
    'registro|informations|の|for|pour|fur|para|per|name of',
  stop:
    'owner|owners|besitzer|proprietaire|propietario|proprietario|assistant|assistants|asst|' +
    'assistent|assistentin|assistante|asistente|assistente|manager|managers|supervisor|' +
    'reports to|reports|vorgesetzter|previous|former|past|old|prior|earlier|fruhere|fruherer|' +
    'ancien|ancienne|anterior|precedente|spouse|partner|children|emergency|fax|faxnummer|' +
    'telefax|telecopie|facsimile|faks|факс|传真|팩스|pager|telex|isdn|car|radio|callback|tty|tdd|' +
    'birthday|birthdate|birth|geburtstag|geburtsdatum|anniversaire|anniversary|cumpleanos|' +
    'compleanno|status|stage|source|sources|score|confidence|rating|rank|count|counts|total|' +
    'created|create|creator|erstellt|creation|added|activity|activities|contacted|opened|' +
    'open|clicked|click|clicks|sent|send|bounced|bounce|replied|reply|converted|date|datum|' +
    'fecha|data di nascita|time|timestamp|year|month|day|quarter|query|search|error|photo|' +
    'picture|image|logo|avatar|icon|tag|tags|list|lists|label|labels|group|groups|category|' +
    'categories|campaign|sequence|file as|phonetic|furigana|ふりがな|フリガナ|カナ|せい|めい|latitude|' +
    'longitude|lat|lng|timezone|time zone|language|locale|sprache|currency|price|amount|' +
    'funding|keywords|technologies|technology|summary|bio|about|news|' +
    'skills|education|school|degree|followers|connections|connected on|connected|mutual|' +
    'shared|twitter|facebook|instagram|github|xing|youtube|skype|slack|crunchbase|display|' +
    'type of|modify|do not modify|row checksum|checksum|modified by|created by|managed by|' +
    'assigned|assigned to|responsible|verantwortlich|sales rep|quality|domain status|has|' +
    'is company|matches|filters|premium|visited|extension|ext|permission set|subject|body|' +
    'message|question|answer|password|username|user name|login|number of|months|years|' +
    'duration|in role|in company|in position|tenure|po box|box|floor|building|room|area code|' +
    'prefix phone|dial code|calling code|legal entity|vat|tax|ust|nif|cif|' +
    'partita iva|nip|regon|iban|bic|estado del lead|statut|contact since|customer since|' +
    'client since|kontakt seit|kunde seit|cliente desde|is a company|account number|' +
    'account site|sms consent|sms marketing|accepts sms marketing|sms opt in|anzeigename|' +
    'inhaber|responsable|responsabile|yomi|division',
} as const satisfies Record<string, string>;

/** What a qualifier says. */
export type ColumnQualifier = keyof typeof columnQualifiers;
