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

const otherNames: Readonly<Record<string, CountryCode>> = {
  america: 'US',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'ivory coast': 'CI',
  burma: 'MM',
  bosnia: 'BA',
  macedonia: 'MK',
  swaziland: 'SZ',
  'cape verde': 'CV',
  'east timor': 'TL',
  'czech republic': 'CZ',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  korea: 'KR',
  'republic of korea': 'KR',
  'democratic peoples republic of korea': 'KP',
  'democratic republic of congo': 'CD',
  'democratic republic of the congo': 'CD',
  'republic of the congo': 'CG',
  'peoples republic of china': 'CN',
  'republic of china': 'TW',
  'russian federation': 'RU',
  turkey: 'TR',
  uae: 'AE',
  usa: 'US',
  uk: 'GB',
  grossbritannien: 'GB',
  'grande bretagne': 'GB',
  'gran bretana': 'GB',
  'gran bretagna': 'GB',
  'gra bretanha': 'GB',
  'groot brittannie': 'GB',
  'wielka brytania': 'GB',
  storbritannien: 'GB',
  storbritannia: 'GB',
  'iso britannia': 'GB',
  'velka britanie': 'GB',
  'velka britania': 'GB',
  'nagy britannia': 'GB',
  'marea britanie': 'GB',
  великобритания: 'GB',
  'велика британія': 'GB',
  hollande: 'NL',
  holanda: 'NL',
  olanda: 'NL',
  holandia: 'NL',
  hollanti: 'NL',
  holland: 'NL',
  'vereinigte staaten von amerika': 'US',
  'estados unidos de america': 'US',
  'etats unis d amerique': 'US',
  'etats unis damerique': 'US',
  'stati uniti d america': 'US',
  'stati uniti damerica': 'US',
  eeuu: 'US',
  'ee uu': 'US',
  eua: 'US',
  сша: 'US',
  アメリカ: 'US',
  米国: 'US',
  英国: 'GB',
  英國: 'GB',
  イギリス: 'GB',
  hongkong: 'HK',
  香港: 'HK',
  'tschechische republik': 'CZ',
  'republique tcheque': 'CZ',
  'republica checa': 'CZ',
  'repubblica ceca': 'CZ',
  'ceska republika': 'CZ',
  'slovenska republika': 'SK',
  'slowakische republik': 'SK',
  vae: 'AE',
  ksa: 'SA',
  prc: 'CN',
  'syrian arab republic': 'SY',
  'lao peoples democratic republic': 'LA',
  'brunei darussalam': 'BN',
  'viet nam': 'VN',
  'cabo verde': 'CV',
  'holy see': 'VA',
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
  for (const [name, code] of Object.entries(otherNames)) add(name, code);
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

/** "Korea, Republic of" and "Bolivia (Plurinational State of)", also in their usual order. */
function listReadings(text: string): string[] {
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
  const answered = known.get(text);
  if (answered !== undefined) return answered;
  codesByName ??= readNames();
  let code: CountryCode | null = null;
  for (const reading of listReadings(text)) {
    const name = foldCountry(reading);
    code ??= codesByName.get(name) ?? codesByName.get(name.replace(form, '')) ?? null;
  }
  if (known.size >= knownMax) known.clear();
  known.set(copyText(text), code);
  return code;
}
