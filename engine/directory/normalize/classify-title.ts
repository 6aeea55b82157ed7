/** Classifies job titles by function and level. The first line of the table that fits decides. */
import { copyText } from '../../platform/copy-text.ts';

/** What a title says; null if the table has no line for it. */
export interface TitleClass {
  readonly jobFunction: string | null;
  readonly jobLevel: string | null;
  /** The function is that of a level alone: a director of something that the table lacks. */
  readonly isLevelAlone: boolean;
}

/** The words of a level alone are those of no function: a director of anything. */
type Rule = readonly [label: string, words: string, isLevelAlone?: boolean];

/**
 * Phrases whose words would decide wrongly, and the word that replaces them: an owner of a
 * product owns no company.
 */
const maskedPhrases: readonly (readonly [phrase: RegExp, word: string])[] = [
  [
    /(?<= (?:product|process|service|data|systems?|platform|solution|application|feature|task|risk|control|technical)) owner(?= )/g,
    ' fieldexpert',
  ],
  [
    / principal (?=(?:\S+ )?(?:engineer|architect|consultant|scientist|developer|designer|research|researcher|analyst|programmer|software|data|product|technical|technologist|specialist|investigator|advisor|associate|security|systems|cloud|ux)[a-z]* )/g,
    ' fieldexpert ',
  ],
  [
    / partner (?=(?:manager|marketing|success|account|development|sales|relations|relationship|program|programs|programme|enablement|operations|engineer|solutions|support|lead|specialist|executive|director)[a-z]* )/g,
    ' ',
  ],
  [
    / (?:(?:hr|people|human resources|finance|it) )?(?:business|channel|talent) partner(?= )/g,
    ' hr fieldexpert',
  ],
  [/ lead (?=(?:generation|gen|qualification|nurturing|management)[a-z]* )/g, ' sales specialist '],
  [/ head (?:nurse|chef|cook|coach|waiter|cashier|gardener|barista|bartender)(?= )/g, ' manager'],
  [/ office of (?:the )?\S+/g, ' office'],
  [/ sous chef(?= )/g, ' fieldexpert'],
  [
    / (?:sales|service|services|support|account|customer|client|development|medical|marketing|field|technical|regional|area|inside|outside|care|claims|insurance|hr|resources|benefits|product|business|manufacturers?|pharmaceutical|delivery|leasing|banking|financial|loan|member|patient|parts|export|import|brand|event|union) representative(?= )/g,
    ' sales specialist',
  ],
];
/** A task that somebody had before. */
const formerTask =
  /(?:^|[,;|/(])\s*(?:ex[\s-]|former(?:ly)?\s|previous(?:ly)?\s|retired\s|ehemalig\p{L}*\s|früher\p{L}*\s|ancien(?:ne)?\s|antigu[oa]\s|già\s|voormalig\s|były\s|бывший\s|元)[^,;|/)]*/giu;

// Words of a folded title, with "|" between alternatives; "x*" is a prefix, "*x" the end of a
// compound. They are compared in the form of foldTitle.
const levelRules: readonly Rule[] = [
  ['Staff', 'intern|internship|trainee|apprentice|werkstudent|stagiaire|praktikant*'],
  [
    'Staff',
    'assistant to|executive assistant|personal assistant|executive secretary|pa to|ea to|' +
      'assistenz der|assistenz des|assistent* der|assistent* des|vorstandsassisten*|' +
      'direktionsassisten*|geschäftsführungsassisten*|sekretär*|assistante de direction|' +
      'assistant de direction|secretaire de direction|asistente de direccion|' +
      'asistente de gerencia|asistente ejecutiv*|assistente di direzione|' +
      'segretari* di direzione|assistente de diretoria|assistente executiv*|' +
      'directieassistent*|directiesecretar*|management assistent*|asystent* zarządu|' +
      'asystent* dyrektora|asystent* prezesa|vd assistent|direktionssekretær*|' +
      'johdon assistentti|asistent* reditele|yönetici asistanı|' +
      'помощник* руководителя|ассистент* руководителя|помощник* генерального директора|' +
      '*秘書*|*秘书*|*助理|비서*|stagista|tirocinante|becari*|estagiari*|stagiair*|stażyst*|' +
      'praktykant*|praktikant*|harjoittelija|stážist*|gyakornok|stajyer|стажер*|стажёр*|' +
      'azubi|auszubildende*|lehrling|apprendista|aprendiz|インターン*|实习生|*实习生*|인턴*|alternant*',
  ],
  [
    'Elected Official',
    'senator|sen|representative in|state representative|us representative|u s representative|' +
      'representative|delegate|assembly member|assemblymember|assemblyman|assemblywoman|' +
      'member of parliament|member of the house|member of congress|member of the legislature|' +
      'congressman|congresswoman|councilmember|council member|councilman|councilwoman|' +
      'councilor|councillor|alder*|selectman|mayor|governor|lieutenant governor|' +
      'secretary of state|attorney general|solicitor general|lord advocate|advocate general|' +
      'minister|ministers|prime minister|parliamentary|whip|lord in waiting|' +
      'baroness in waiting|lord commissioner|lord president|lord chancellor|lord privy seal|' +
      'paymaster general|chancellor of the exchequer|chancellor of the duchy|' +
      'leader of the house|household|hm treasury|to the treasury|financial secretary|' +
      'economic secretary|exchequer secretary|speaker|commissioner of|resident commissioner|' +
      'state treasurer|state auditor|comptroller of hm|captain of the|mp|chair of the council|' +
      'party chair*|lord chamberlain|without portfolio',
  ],
  [
    'Owner',
    'owner|owners|founder|co founder|cofounder|founding partner|proprietor|inhaber*|' +
      'gründer*|mitgründer*|gesellschafter*|eigentümer*|unternehmer*|selbstständig*|' +
      'fondateur|fondatrice|cofondat*|co fondat*|proprietaire|fundador*|cofundador*|' +
      'propietari*|dueño|dueña|autonomo|titolare|fondatore|proprietari*|imprenditore|' +
      'imprenditrice|socio|socia|dono|dona|empresari*|eigenaar*|oprichter*|medeoprichter|' +
      'mede eigenaar|vennoot|ondernemer|directeur eigenaar|dga|właściciel*|założyciel*|' +
      'współwłaściciel*|współzałożyciel*|wspólnik|ägare|delägare|grundare|medgrundare|ejer|' +
      'indehaver|stifter|medstifter|grundlægger|eier|innehaver|gründer|omistaja|perustaja|' +
      'yrittäjä|majitel*|spolumajitel*|zakladatel*|vlastník*|tulajdonos|alapító*|proprietar|' +
      'fondator|kurucu*|sahibi|sahip|владелец|владелица|совладелец|основатель*|сооснователь*|' +
      'собственник*|учредитель*|власник*|засновник*|ιδιοκτήτης|ιδρυτής|*創業者*|オーナー|' +
      '*创始人*|*創辦人*|老板|*창업자*|*창립자*|sole trader',
  ],
  [
    'VP',
    'vice president|vice chancellor|vice provost|vp|svp|evp|avp|vicepresident*|' +
      'vice presidente|vicepresidenta|vizepräsident*|vice president*|wiceprezes*|' +
      'viceprezident*|viceordförande|varatoimitusjohtaja|genel müdür yardımcısı|' +
      'başkan yardımcısı|вице президент*|заместитель генерального директора|' +
      'віце президент*|*副社長*|*副总裁*|*副總裁*|*副总经理*|부사장*',
  ],
  [
    'C-Level',
    'chief|ceo|cfo|coo|cto|cio|cmo|cro|cpo|chro|ciso|cso|cdo|president|chancellor|rector|' +
      'managing director|geschäftsführ*|hauptgeschäftsführ*|general director|' +
      'directeur general|directrice generale|direction generale|president directeur*|' +
      'presidente|presidenta|präsident*|gerant|gerante|consejero delegado|' +
      'consejera delegada|director general|directora general|director ejecutivo|' +
      'directora ejecutiva|amministratore delegato|amministratrice delegata|' +
      'amministratore unico|direttore generale|direttrice generale|diretor geral|' +
      'diretora geral|diretor executivo|diretora executiva|diretor presidente|' +
      'administrador delegado|algemeen directeur|bestuursvoorzitter|bestuurder|' +
      'voorzitter|prezes*|prezeska|członek zarządu|dyrektor generalny|dyrektor zarządzający|' +
      'verkställande direktör|vd|ordförande|administrerende direktør|adm direktør|' +
      'adm dir|daglig leder|bestyrelsesformand|toimitusjohtaja|jednatel*|' +
      'generální ředitel*|výkonn* ředitel*|předseda představenstva|konateľ*|' +
      'generálny riaditeľ*|ügyvezető*|vezérigazgató*|elnök*|director executiv|genel müdür|' +
      'genel müdürü|yönetim kurulu*|icra kurulu*|генеральный директор|' +
      'исполнительный директор|финансовый директор|технический директор|гендиректор|' +
      'председатель*|президент|генеральний директор|διευθύνων σύμβουλος|' +
      'γενικός διευθυντής|*代表取締役*|*社長*|*会長*|取締役*|*最高経営責任者*|*最高執行責任者*|' +
      '*最高財務責任者*|*最高技術責任者*|首席*官|*总裁*|*總裁*|*总经理*|*總經理*|*董事长*|*董事長*|' +
      '*执行长*|*執行長*|*대표이사*|대표|사장|회장|*المدير العام*|*الرئيس التنفيذي*|מנכ ל|מנכל|' +
      'direktur utama|tong giam doc|giám đốc điều hành|tổng giám đốc|superintendent|provost|chair|chairman|chairwoman|chairperson|presiding|' +
      'executive director|headmaster|principal officer|executive officer|vorstand*|*vorstand|' +
      '*vorstandin|generaldirektor*|pdg|' +
      'framkvæmdastjóri|forstjóri|tegevjuht|juhatuse esimees|valdes priekšsēdētāj*|' +
      'generalni direktor*|izvršni direktor*|glavni izvršni|predsjednik uprave|' +
      'predsednik uprave|изпълнителен директор|главен изпълнителен директор|' +
      'διευθύνουσα σύμβουλος|generalinis direktorius|ģenerāldirektor*|peadirektor|' +
      'director general executiv|รองประธาน|ประธาน*|chủ tịch',
  ],
  [
    'Director',
    'director|directors|directora|directeur|directrice|direttore|direttrice|diretor|diretora|' +
      'dean|head of|head|general counsel|partner|principal|bereichsleit*|*bereichsleit*|' +
      'hauptabteilungsleit*|leiter*|*leiter|*leiterin|*leiterinnen|leitung|*leitung|' +
      'direktor*|*direktor|*direktorin|direktör|*direktör|direktør|*direktør|prokurist*|' +
      'hoofd|*hoofd|dyrektor*|johtaja|*johtaja|ředitel*|riaditeľ*|igazgató*|*igazgató|' +
      'müdür|müdürü|direktörü|директор*|начальник*|руководитель*|диpектор|керівник*|' +
      'διευθυντ*|*部長*|*部长*|*总监*|*總監*|본부장|*본부장|실장|부장|*부장|상무*|전무*|이사|*이사|' +
      'direktur|giám đốc|*giám đốc|ผู้อำนวยการ|controller|comptroller|registrar|treasurer|assistant superintendent|' +
      'secretary general',
  ],
  [
    'Manager',
    'manager|mgr|managers|*manager|*managerin|supervisor|team lead|teamlead|administrator|' +
      'coordinator|foreman|superviseur|gerente*|gerenta|jefe|jefa|encargad*|responsable*|' +
      'responsabil*|responsavel|responsável|coordinador*|coordenador*|coordinat*|' +
      'koordinat*|supervisor*|capo|capo*|caporeparto|capoufficio|quadro|chef de|chef d|' +
      'chef des|chef du|cheffe de|cheffe d|*chef|*chefin|teamleid*|afdelingsleid*|*leider|' +
      'leidinggevende|bedrijfsleider|kierownik*|kierowniczka|menedżer*|menadżer*|leder|*leder|' +
      'sjef|*sjef|ansvarlig|ansvarig|*ansvarig|*ansvarlig|föreståndare|päällikkö|*päällikkö|' +
      'esimies|esihenkilö|vedoucí|vedúc*|manažer*|manažér*|vezető|*vezető|vezetője|menedzser|' +
      'yönetici*|sorumlu*|şef|şefi|șef|manageri|менеджер*|заведующ*|завідувач*|υπεύθυν*|' +
      '*課長*|*係長*|*店長*|*主任*|*マネージャー*|*マネジャー*|*经理*|*經理*|*主管*|과장|*과장|차장|' +
      '*차장|팀장|*팀장|매니저|*매니저|مدير*|*مدير*|מנהל*|kepala|manajer|trưởng phòng|trưởng nhóm|' +
      'ผู้จัดการ*|bursar|commissioner|under secretary|master|' +
      'мениджър*|менаджер*|menadžer*|voditelj*|vodja|rukovoditelj*|ръководител*|*juht|' +
      'juhataja|*juhataja|vadītāj*|*vadītāj*|vadovas|vadovė|*stjóri|poslovođa|brigadier|' +
      'brygadzista|kierowniczk*',
  ],
  [
    'Senior',
    'senior|sr|lead|staff engineer|expert|architect|fellow|professor|counsel|attorney|' +
      'secretary|fieldexpert|starszy|starsza|ведущий|ведущая|старший|старшая|vanhempi|seniorní|' +
      'kıdemli',
  ],
  [
    'Staff',
    'advisor|adviser|specialist*|consultant*|analyst*|associate|assistant*|clerk|' +
      'sachbearbeit*|mitarbeiter*|angestellt*|fachkraft|*fachkraft|kaufmann|kauffrau|' +
      '*kaufmann|*kauffrau|berater*|*berater|*beraterin|referent*|*referent|*referentin|' +
      'assistent*|*assistent|*assistentin|spezialist*|*spezialist|techniker*|monteur*|' +
      'employe|employee|charge de|chargee de|conseiller*|assistante|technicien*|' +
      'empleado|empleada|tecnico|tecnica|asesor*|analista|consultor*|impiegat*|addett*|' +
      'consulente|specialista|operaio|operatore|funcionari*|assessor|medewerker*|' +
      '*medewerker|adviseur|*adviseur|specjalista|pracownik|doradca|asystent*|referent|' +
      'handläggare|medarbetare|säljare|rådgivare|medarbejder|konsulent|*konsulent|rådgiver|' +
      'asiantuntija|työntekijä|myyjä|avustaja|specialista|pracovník|asistent*|munkatárs|' +
      'ügyintéző|szakértő|specialist|uzman*|danışman*|elemanı|специалист*|помощник*|' +
      'ассистент*|консультант*|сотрудник*|фахівець|*担当*|社員|*社員|スタッフ|*スタッフ|*专员*|' +
      '*專員*|职员|員工|사원|*사원|대리|주임|담당|*담당|موظف|אחראי|staf|nhân viên|chuyên viên|พนักงาน',
  ],
];
const functionRules: readonly Rule[] = [
  [
    'Government',
    'senator|sen|representative|delegate|assembly member|assemblymember|assemblyman|' +
      'assemblywoman|parliament|parliamentary|congressman|congresswoman|member of the house|' +
      'member of congress|member of the legislature|council|councilmember|councilman|' +
      'councilwoman|councilor|councillor|alder*|selectman|mayor|governor|secretary of state|' +
      'attorney general|solicitor general|minister|ministers|whip|in waiting|lord commissioner|' +
      'lord president|lord chancellor|lord privy seal|lord advocate|advocate general|' +
      'paymaster general|chancellor of the exchequer|chancellor of the duchy|' +
      'leader of the house|household|hm treasury|to the treasury|economic secretary|' +
      'exchequer secretary|financial secretary|under secretary|speaker|election*|' +
      'resident commissioner|state treasurer|state auditor|mp|captain of the|cabinet*|policy|' +
      'lord chamberlain|without portfolio|public affairs|civil service',
  ],
  [
    'Human Resources',
    'human resources|hr|people|talent|recruit*|personnel|chro|personal*|compensation|' +
      'learning and development|' +
      'recursos humanos|risorse umane|ressources humaines|rh|kadr*|insan kaynakları|ik|personal|henkilöstö*|kadrov*|персонал*|кадр*|*人事*|*人力*|인사*|' +
      'ανθρωπινου δυναμικου|ανθρωπινων πορων|موارد بشرية|الموارد البشرية|משאבי אנוש|' +
      'ทรัพยากรบุคคล|ฝ่ายบุคคล|nhân sự|sumber daya manusia|sdm|ljudskih resursa|' +
      'ljudski resursi|ljudskih potencijala|človeških virov|човешки ресурси|resurse umane|' +
      'emberi erőforrás|ľudských zdrojov|lidských zdrojů|žmogiškųjų išteklių|personāla|' +
      'mannauð*|zasobów ludzkich|gestion humana|talento humano|gente y gestion|' +
      'gestão de pessoas',
  ],
  [
    'Finance',
    'finance|financ*|financial|cfo|accountant*|accounting|accounts|controller|comptroller|treasurer|' +
      'bursar|tax|cefo|audit*|payroll|investor*|banking|credit|billing|finanz*|buchhalt*|' +
      'economist|' +
      'contab*|ragionier*|comptab*|księgow*|ekonom*|talous*|účetn*|muhasebe*|бухгалтер*|финанс*|фінанс*|*経理*|*財務*|*财务*|*会计*|회계*|재무*|hacienda|controlling|könyvel*|pénzügy*|' +
      'finans*|økonomi*|rechnungswesen|kaufmännisch*|tesorer*|tresori*|tesorier*|οικονομικ*|' +
      'λογιστ*|χρηματοοικονομικ*|مالي|المالية|محاسب*|الحسابات|כספים|חשב|חשבונות|การเงิน|บัญชี|' +
      'tài chính|kế toán|keuangan|akuntan*|računovod*|računovođ*|счетовод*|finants*|' +
      'raamatupida*|finanšu|grāmatved*|finansų|buhalter*|fjármál*|bokhåld*|regnskab*|' +
      'regnskap*|redovisning*|kirjanpi*|administration des ventes',
  ],
  [
    'Legal',
    'legal|counsel|attorney|lawyer|compliance|paralegal|privacy|jurist*|regulatory|judge|justice|' +
      'recht*|*recht|juridi*|giuridic*|prawn*|hukuk*|юрист*|юридич*|abogad*|avvocat*|avocat*|advogad*|*法務*|*法律*|*法务*|법무*|' +
      'νομικ*|δικηγόρ*|قانوني|القانونية|محامي*|משפטי|עורך דין|עורכת דין|กฎหมาย|pháp lý|' +
      'pháp chế|hukum|pravnik|pravn*|advokat*|advocaat|juridique|jogi|jogász|ügyvéd|právn*|' +
      'teisininkas|teisininkė|lögfræði*|lakimies|asianajaja|адвокат*|правов*',
  ],
  [
    'Marketing',
    'marketing|brand|cmo|growth|seo|content|demand generation|advertising|communications|' +
      'communication|public relations|pr|media|press|' +
      'mercadeo|маркетинг*|реклам*|*マーケティング*|*広報*|*市场*|*行銷*|마케팅*|홍보*|markkinointi*|markedsføring*|marknadsföring*|pazarlama*|' +
      'marketing*|öffentlichkeitsarbeit|presse*|*kommunikation|kommunikations*|werbung|' +
      'werbeleit*|communicatie*|kommunikasjon*|viestint*|komunikac*|komunikáci*|comunicacion|' +
      'comunicação|comunicazione|comunicare|reklam*|markeds*|marknads*|prensa|stampa|imprensa|' +
      'publicidad|pubblicità|publicité|μάρκετινγκ|επικοινωνίας|تسويق|التسويق|שיווק|การตลาด|' +
      'tiếp thị|truyền thông|pemasaran|trženj*|tržn*|turundus*|mārketing*|rinkodar*|markaðs*|' +
      'связям с общественностью|связи с общественностью|коммуникац*|комунікац*|*宣伝*|*品牌*|*推广*',
  ],
  [
    'Sales',
    'sales|account executive|account manager|business development|revenue|cro|vertrieb*|' +
      'ventas|commercial|partnerships|bdr|sdr|key account|' +
      'verkauf*|*verkauf|vertriebs*|ventes|vendite|vendas|commerciale|comercial|sprzedaż*|handlow*|försäljning*|sälj*|salg*|*salg|myynti*|prodej*|obchod*|értékesít*|satış*|vânzări|продаж*|сбыт*|*営業*|*销售*|*業務*|영업*|verkoop*|penjualan|bán hàng|kinh doanh|' +
      'account exec|account executives|revops|rev ops|πωλήσε*|πωλητ*|مبيعات|المبيعات|מכירות|' +
      'ขาย|ฝ่ายขาย|การขาย|prodaj*|müügi*|pārdošan*|pardavim*|sölu*|commercieel|commerciele|' +
      'commerciaux|commerciali|comerciales|comerciais|kommerziell*|kommersiell*|kommerciel*|' +
      'komercij*|коммерческ*|комерційн*|търговск*|търговия|außendienst*|aussendienst*|' +
      'vendedor*|venditor*|vendeur|vendeuse|verkoper|prodavač*|agent de vânzări|penjual*|销售*',
  ],
  [
    'Customer Success',
    'customer|client|support|success|service desk|helpdesk|' +
      'kundenservice|kundenberat*|kundenbetreu*|kundendienst*|kunden|klanten*|atencion al cliente|' +
      'servicio al cliente|clientes|clienti|clientele|kundeservice|kundtjänst|kundeservic*|' +
      'kundansvarig|asiakas*|zákaznick*|ügyfél*|obsługi klienta|müşteri*|клиентск*|поддержк*|' +
      'підтримк*|顧客|カスタマー|*カスタマー*|*客户*|*客服*|*客戶*|고객*|خدمة العملاء|العملاء|לקוחות|ลูกค้า|' +
      'khách hàng|pelanggan|εξυπηρέτησης πελατών|suport clienți',
  ],
  [
    'Product',
    'product|produkt|produktmanag*|produktchef*|produktsjef*|produkteier|' +
      'producto|productos|prodotto|prodotti|produit|produits|produto|produtos|produktu|' +
      'produktów|продукт*|προϊόντ*|*产品*|*產品*|*プロダクト*|*商品*|제품*|상품*|ürün*|tuotepäällikkö|tuote*|' +
      'termék*|מוצר',
  ],
  ['Data', 'data|analytics|machine learning|statistic*|business intelligence'],
  [
    'Information Technology',
    'it|information technology|information|cio|ciso|systems|system administrator|network|' +
      'infrastructure|security|technology officer|digital|' +
      'informatik*|informatiq*|informatic*|informatyk*|edv|edv*|tietohallinto*|bilgi işlem|айти|ит|*情報システム*|*信息技术*|*資訊*|전산*|' +
      'sistemas|sistemi|systèmes|πληροφορικής|تقنية المعلومات|تكنولوجيا المعلومات|מערכות מידע|' +
      'สารสนเทศ|ไอที|công nghệ thông tin|cntt|teknologi informasi|informačn*|информационн*|' +
      'інформаційн*|*系统*|*システム*|infotehnoloogia',
  ],
  [
    'Engineering',
    'engineer*|developer*|software|cto|technical|architect|devops|programmer|entwickler*|' +
      'ingenieur*|technology|manufacturing engineer|' +
      'entwicklung*|*entwickler|*ingenieur|ingenier*|ingegner*|engenheir*|inżynier*|ontwikkel*|utveckl*|udvikl*|insinööri|kehity*|vývoj*|mühendis*|инженер*|разработ*|інженер*|*開発*|*エンジニア*|*技術*|*工程师*|*工程師*|*开发*|개발*|엔지니어*|desarroll*|sviluppat*|desenvolv*|programist*|fejleszt*|mérnök*|' +
      'technisch*|technique|technico|tecnico|tecnica|teknisk*|tekninen|technick*|технически*|' +
      'техническ*|технічн*|műszaki|teknik|τεχνικ*|هندسة|مهندس*|הנדסה|מהנדס*|วิศวกร*|kỹ thuật|' +
      'kỹ sư|insinyur|inžen*|inženýr*|mérnök|muhendis*|konstrukt*|*研发*|*研發*|*研究開発*',
  ],
  ['Design', 'design*|ux|ui|creative|artist*|art director'],
  [
    'Health Care',
    'nurs*|physician|medical|clinical|doctor|surgeon|patient|pharmac*|health*|therap*|dental|' +
      'hospital',
  ],
  ['Research', 'research*|scientist|science|laboratory|r d'],
  [
    'Education',
    'academic*|dean|provost|professor|teacher|lecturer|school|education*|campus|college|' +
      'university|superintendent|principal|registrar|admission*|student*|faculty|curriculum|' +
      'instruct*|chancellor|rector|headmaster|training|librar*|learning|enrollment|program',
  ],
  [
    'Procurement',
    'procurement|purchasing|buyer|sourcing|supply chain|logistics|einkauf*|warehouse|materials|' +
      'achat*|compras|acquist*|inkoop*|inkop*|zakup*|inköp*|indkøb*|innkjøp*|osto*|hankinta*|nákup*|nakup*|beszerz*|satın alma|закуп*|снабжен*|*購買*|*調達*|*采购*|*採購*|구매*|logist*|lager*|' +
      'nabav*|προμηθει*|مشتريات|المشتريات|רכש|จัดซื้อ|mua hàng|thu mua|pengadaan|pembelian|' +
      'hanke*|iepirkum*|pirkim*|innkaup*|achizitii|aprovizionare|suprimentos|' +
      'approvvigionament*|approvisionnement*|aprovisionamiento*|abastecimiento|aankoop*|' +
      'zaopatrzen*|снабд*|логист*|supply|*物流*|물류*|*仓储*',
  ],
  ['Quality', 'quality|qa|qualitaet*|test*'],
  [
    'Operations',
    'operations|operating|coo|facilities|plant|production|manufacturing|project|maintenance|' +
      'construction|fleet|safety|custodian*|janitor*|groundskeep*|housekeep*|hausmeister*|' +
      'conserje*|bidell*|huismeester*|vaktmäst*|vaktmest*|school caretaker|' +
      'betrieb*|center|regional|region|district|area|' +
      'produktion*|producc*|produzion*|producao|produção|productie*|produkcj*|tuotanto*|výrob*|termelés*|üretim*|производств*|*生産*|*製造*|*生产*|생산*|werk*leit*|proyecto*|progett*|projet*|projekt*|projeto*|' +
      'operaciones|operazioni|operações|exploitation|operationeel|operationele|operasjon*|' +
      'operacyjn*|operačn*|operasyon*|операцион*|операційн*|оперативн*|λειτουργι*|عمليات|' +
      'العمليات|תפעול|ปฏิบัติการ|vận hành|operasional|drift*|driftsleder|produksjon*|' +
      'producti*|proizvodnj*|ražošan*|gamyb*|tootmis*|παραγωγής|الإنتاج|ייצור|การผลิต|' +
      'sản xuất|produksi|*运营*|*營運*|운영*|*運営*|fertigung*|*fertigung',
  ],
  [
    'Administration',
    'administrat*|assistant|secretary|office|clerk|receptionist|secretariat|coordinator',
  ],
  ['Executive', 'vice president|vice presidente', true],
  [
    'Executive',
    'chief executive|ceo|president|owner|founder|co founder|cofounder|managing director|' +
      'executive director|chair|chairman|chairwoman|chairperson|geschaeftsfuehrer*|general manager|' +
      'proprietor|' +
      'geschäftsführ*|president*|gerant*|presidente|consejer* delegad*|amministratore delegato|direttore generale|prezes*|verkställande direktör|vd|daglig leder|toimitusjohtaja|jednatel*|genel müdür|генеральный директор|*代表取締役*|*社長*|*总裁*|*总经理*|*董事长*|*대표이사*|inhaber*|gründer*|titolare|eigenaar*|właściciel*|ägare|ejer|eier|omistaja|majitel*|vorstand*',
  ],
  [
    'Executive',
    'executive|director|chief|managing|partner|board|direttore|dyrektor*|ředitel*|директор',
    true,
  ],
];

/** Every job level of the table, without duplicates. */
export const jobLevels: readonly string[] = [...new Set(levelRules.map(([label]) => label))];
export const jobFunctions: readonly string[] = [...new Set(functionRules.map(([label]) => label))];

type Matcher = readonly [label: string, fits: RegExp, isLevelAlone: boolean];

// Titles without accents or dots are folded without Unicode tables, which cost eight times more.
const plainTitle = /^[\w ,&'()/-]*$/;

/** A title's words in lower case, one space between them. */
function foldTitle(title: string): string {
  const lower = title.toLowerCase();
  if (plainTitle.test(lower)) return lower.replace(/[^a-z0-9]+/g, ' ').trim();
  return (
    lower
      .replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      // C.E.O. is one word.
      .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

const spaceless =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Arabic}ー ]+$/u;

/** The pattern of one alternative. In scripts without spaces "*x" also fits x alone. */
function writePattern(words: string): string {
  if (spaceless.test(words.replaceAll('*', ''))) return words.split('*').map(foldTitle).join('.*');
  return words
    .split(' ')
    .map((word) => {
      const core = foldTitle(word.replaceAll('*', ''));
      const open = word.startsWith('*') ? '\\p{L}{2,}' : '';
      return `${open}${core}${word.endsWith('*') ? '\\p{L}*' : ''}`;
    })
    .join(' ');
}

function compile([label, words, isLevelAlone = false]: Rule): Matcher {
  const alternatives = words.split('|').map(writePattern);
  return [label, new RegExp(` (?:${alternatives.join('|')}) `, 'u'), isLevelAlone];
}
interface Matchers {
  readonly levels: readonly Matcher[];
  readonly functions: readonly Matcher[];
}

let compiled: Matchers | null = null;

/** The compiled tables. Compiling takes 15 ms, and a thread that starts may classify no title. */
function matchers(): Matchers {
  compiled ??= { levels: levelRules.map(compile), functions: functionRules.map(compile) };
  return compiled;
}

const known = new Map<string, TitleClass>();
const knownMax = 50_000;

/** Classifies a title. Titles repeat, so results are cached. */
export function classifyTitle(title: string): TitleClass {
  const answered = known.get(title);
  if (answered) return answered;
  const present = title.replace(formerTask, ' ');
  const words = maskedPhrases.reduce(
    (text, [phrase, word]) => text.replace(phrase, word),
    ` ${foldTitle(present)} `,
  );
  const { levels, functions } = matchers();
  const find = (rules: readonly Matcher[]) => rules.find(([, fits]) => fits.test(words));
  const [jobFunction, , isLevelAlone] = find(functions) ?? [null, null, false];
  const found = {
    jobFunction,
    jobLevel: find(levels)?.[0] ?? (jobFunction && 'Staff'),
    isLevelAlone,
  };
  if (known.size >= knownMax) known.clear();
  known.set(copyText(title), found);
  return found;
}
