/** Countries as people write them, and their ISO 3166 codes. */
import { type CountryCode, getCountries } from 'libphonenumber-js';
import { copyText } from '../../platform/copy-text.ts';
import { foldText } from './fold-text.ts';

/**
 * Languages whose names of countries are known, the first wins. The names come from Node's own data
 * (docs/decisions/091-country-names.md).
 */
const languages =
  'en de fr es it pt nl pl sv da nb fi cs sk hu ro tr ru ' +
  'uk el ja zh zh-Hant ko ar he id vi th hi hr sl bg ca et lv lt';

/** The three letters of ISO 3166-1 and the two behind them; Node knows only the two. */
const longCodes =
  'AFGAF ALBAL DZADZ ASMAS ANDAD AGOAO AIAAI ATAAQ ATGAG ARGAR ARMAM ABWAW AUSAU AUTAT ' +
  'AZEAZ BHSBS BHRBH BGDBD BRBBB BLRBY BELBE BLZBZ BENBJ BMUBM BTNBT BOLBO BIHBA BWABW ' +
  'BVTBV BRABR IOTIO BRNBN BGRBG BFABF BDIBI KHMKH CMRCM CANCA CPVCV CYMKY CAFCF TCDTD ' +
  'CHLCL CHNCN CXRCX CCKCC COLCO COMKM COGCG CODCD COKCK CRICR CIVCI HRVHR CUBCU CYPCY ' +
  'CZECZ DNKDK DJIDJ DMADM DOMDO ECUEC EGYEG SLVSV GNQGQ ERIER ESTEE ETHET FLKFK FROFO ' +
  'FJIFJ FINFI FRAFR GUFGF PYFPF ATFTF GABGA GMBGM GEOGE DEUDE GHAGH GIBGI GRCGR GRLGL ' +
  'GRDGD GLPGP GUMGU GTMGT GINGN GNBGW GUYGY HTIHT HMDHM VATVA HNDHN HKGHK HUNHU ISLIS ' +
  'INDIN IDNID IRNIR IRQIQ IRLIE ISRIL ITAIT JAMJM JPNJP JORJO KAZKZ KENKE KIRKI PRKKP ' +
  'KORKR KWTKW KGZKG LAOLA LVALV LBNLB LSOLS LBRLR LBYLY LIELI LTULT LUXLU MACMO MDGMG ' +
  'MWIMW MYSMY MDVMV MLIML MLTMT MHLMH MTQMQ MRTMR MUSMU MYTYT MEXMX FSMFM MDAMD MCOMC ' +
  'MNGMN MSRMS MARMA MOZMZ MMRMM NAMNA NRUNR NPLNP NLDNL NCLNC NZLNZ NICNI NERNE NGANG ' +
  'NIUNU NFKNF MNPMP MKDMK NORNO OMNOM PAKPK PLWPW PSEPS PANPA PNGPG PRYPY PERPE PHLPH ' +
  'PCNPN POLPL PRTPT PRIPR QATQA REURE ROURO RUSRU RWARW SHNSH KNAKN LCALC SPMPM VCTVC ' +
  'WSMWS SMRSM STPST SAUSA SENSN SYCSC SLESL SGPSG SVKSK SVNSI SLBSB SOMSO ZAFZA SGSGS ' +
  'ESPES LKALK SDNSD SURSR SJMSJ SWZSZ SWESE CHECH SYRSY TWNTW TJKTJ TZATZ THATH TLSTL ' +
  'TGOTG TKLTK TONTO TTOTT TUNTN TURTR TKMTM TCATC TUVTV UGAUG UKRUA AREAE GBRGB USAUS ' +
  'UMIUM URYUY UZBUZ VUTVU VENVE VNMVN VGBVG VIRVI WLFWF ESHEH YEMYE ZMBZM ZWEZW ALAAX ' +
  'BESBQ CUWCW GGYGG IMNIM JEYJE MNEME BLMBL MAFMF SRBRS SXMSX SSDSS XKKXK';

/** Names that Node's data does not have. */
const otherNames: Readonly<Partial<Record<CountryCode, string>>> = {
  AE: 'uae|vae|الإمارات|الامارات|دولة الإمارات العربية المتحدة|emirates|eau|emirati arabi|阿联酋|阿聯酋',
  AT: 'a|republik osterreich',
  BA: 'bosnia|bosnien',
  BN: 'brunei darussalam',
  BY: 'белоруссия|белорусь|weissrussland',
  CD: 'democratic republic of congo|democratic republic of the congo|congo drc|dr congo|drc',
  CG: 'republic of the congo',
  CH: 'schweizerische eidgenossenschaft|confoederatio helvetica|die schweiz|confederation suisse',
  CI: 'ivory coast',
  CN:
    'peoples republic of china|prc|中华人民共和国|中華人民共和國|中国大陆|中國大陸|中国大陸|pr china|mainland china|' +
    'china mainland|vr china|rp chine|rp china|кнр',
  CV: 'cape verde|cabo verde',
  CZ:
    'czech republic|tschechische republik|republique tcheque|republica checa|repubblica ceca|' +
    'ceska republika|czech rep|tschechei|rep tcheque',
  DE: 'd|brd|bundesrepublik deutschland|ger|фрг|nemacka',
  DO: 'rep dominicana|dominican rep',
  EG: 'جمهورية مصر العربية',
  ES: 'reino de espana',
  FR: 'f|republique francaise',
  GB:
    'britain|great britain|england|scotland|wales|northern ireland|uk|grossbritannien|' +
    'grande bretagne|gran bretana|gran bretagna|gra bretanha|groot brittannie|' +
    'wielka brytania|storbritannien|storbritannia|iso britannia|velka britanie|' +
    'velka britania|nagy britannia|marea britanie|великобритания|велика британія|英国|英國|イギリス|' +
    'inghilterra|angleterre|inglaterra|engeland|anglia|ingiltere|англия|' +
    'соединенное королевство|united kingdom of great britain and northern ireland|uk ireland|' +
    'vk|schottland|ecosse|escocia|scozia|schotland|szkocja|pays de galles|nordirland|' +
    'irlande du nord|بريطانيا|אנגליה|inggris',
  GR: 'ελλας',
  HK: 'hong kong|hongkong|香港|hong kong sar|中国香港|中國香港',
  IE: 'eire|southern ireland',
  IN: 'bharat',
  IT: 'i|repubblica italiana',
  JP: '日本国|nippon',
  KP: 'democratic peoples republic of korea',
  KR: 'korea|republic of korea|s korea|rep of korea|한국|남한|южная корея',
  KZ: 'қазақстан',
  LA: 'lao peoples democratic republic',
  LI: 'furstentum liechtenstein',
  MK: 'macedonia|fyrom',
  MM: 'burma',
  MO: 'macau|macao',
  MX: 'mejico|estados unidos mexicanos',
  MY: 'malaysien',
  NL: 'hollande|holanda|olanda|holandia|hollanti|holland|голландия',
  NO: 'noreg',
  NZ: 'aotearoa',
  PL: 'rzeczpospolita polska',
  RU: 'russian federation|рф|российская федерация',
  SA: 'ksa|السعودية|saudi',
  SK: 'slovenska republika|slowakische republik|slovak republic',
  SY: 'syrian arab republic',
  SZ: 'swaziland',
  TH: 'ประเทศไทย',
  TL: 'east timor',
  TR: 'turkey|turkiye cumhuriyeti',
  TW: 'republic of china|臺灣|taiwan roc',
  US:
    'america|usa|vereinigte staaten von amerika|estados unidos de america|' +
    'etats unis d amerique|etats unis damerique|stati uniti d america|stati uniti damerica|' +
    'eeuu|ee uu|eua|сша|アメリカ|米国|vs|verenigde staten van amerika|abd|amerika|' +
    'spojene staty americke|الولايات المتحدة الأمريكية|ארה ב|соединенные штаты америки|' +
    'usa united states',
  VA: 'holy see',
  VN: 'viet nam',
  ZA: 'rsa|rep of south africa',
};

/** A name without case, accents, punctuation and the word "the". */
const foldCountry = (text: string): string =>
  foldText(text)
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

let codesByName: Map<string, CountryCode> | null = null;

function readNames(): Map<string, CountryCode> {
  const names = new Map<string, CountryCode>();
  const codes = getCountries();
  const add = (name: string, code: CountryCode) => {
    const key = foldCountry(name);
    if (key !== '' && !names.has(key)) names.set(key, code);
  };
  for (const code of codes) for (const name of otherNames[code]?.split('|') ?? []) add(name, code);
  for (const code of codes) add(code, code);
  for (const pair of longCodes.split(' ')) {
    const code = pair.slice(3) as CountryCode;
    if (codes.includes(code)) add(pair.slice(0, 3), code);
  }
  const addNames = (language: string, style: 'long' | 'short') => {
    const shown = new Intl.DisplayNames([language], { type: 'region', style });
    for (const code of codes) add(shown.of(code) ?? code, code);
  };
  addNames('en', 'short');
  for (const language of languages.split(' ')) addNames(language, 'long');
  return names;
}

/** What official names put in front of the usual one. */
const form = new RegExp(
  '^(?:the )?(?:(?:federal|islamic|democratic|peoples|socialist|united|arab|plurinational|' +
    'bolivarian|co operative|cooperative|federative|hashemite|oriental|independent|federated|' +
    'grand) )*(?:republic|kingdom|state|states|commonwealth|principality|duchy|sultanate|union) ' +
    '(?:of )?(?:the )?',
);

/**
 * "Korea, Republic of" and "Bolivia (Plurinational State of)", also in their usual order, and each
 * name of "Schweiz / Suisse" and "DE - Germany".
 */
function listReadings(text: string): string[] {
  const names = text.split(/\s*[/|]\s*|\s+[-–—]\s+/);
  if (names.length > 1) return [text, ...names];
  const at = text.search(/[,(]/);
  const name = text.slice(0, Math.max(0, at)).trim();
  const rest = text
    .slice(at + 1)
    .trim()
    .replace(/\)$/, '');
  if (name === '' || rest.includes(')')) return [text];
  return [text, `${rest} ${name}`, name, rest];
}

const known = new Map<string, CountryCode | null>();
const knownMax = 5_000;

/**
 * The ISO code of a country that is written as a code of two or three letters, or as a name in one
 * of the languages; otherwise null.
 */
export function countryCode(text: string): CountryCode | null {
  // Without the names, which take long to read.
  if (text === '') return null;
  const answered = known.get(text);
  if (answered !== undefined) return answered;
  codesByName ??= readNames();
  let code: CountryCode | null = null;
  for (const reading of listReadings(text)) {
    const name = foldCountry(reading);
    // "Mỹ" and "ČR" are no codes.
    if (/^[a-z]{2,3}$/.test(name) && /[^\p{ASCII}]/u.test(reading)) continue;
    code ??= codesByName.get(name) ?? codesByName.get(name.replace(form, '')) ?? null;
  }
  if (known.size >= knownMax) known.clear();
  known.set(copyText(text), code);
  return code;
}

const longestCode = 3;

/** A country's code as its English name; any other text as it is. */
export function nameCountry(text: string): string {
  const code = text.length > longestCode ? null : countryCode(text);
  return (code && new Intl.DisplayNames(['en'], { type: 'region' }).of(code)) || text;
}
