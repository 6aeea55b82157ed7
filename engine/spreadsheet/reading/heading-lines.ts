// Recognises texts that stand alone in a line and are no contact: headings of groups of rows, and
// numbers of pages. Their words are in the languages of lists.
import { isEmailCell, isUrlCell } from '../column-values.ts';
import { foldWords } from '../read-header.ts';

const pageWord =
  "pages?|p|pp|pg|seiten?|blatt|bl|p[aá]ginas?|p[aá]gs?|pagine|pagina['’]?s|feuille|hoja|foglio|sheets?|" +
  'stron[ay]?|str|strán[ay]k?|stran[ay]|strán?|sid(?:a|or|an)?|sider?|side|siv[ut]?a?|oldal|sayfa|halaman|' +
  'trang|стр(?:аница)?|стор(?:інка)?|сторінка|σελ(?:ίδα)?|страница|صفحة|עמוד|หน้า|페이지|쪽|ページ|頁|页';
const ofWord =
  'of|von|de|sur|di|z|ze|van|av|af|na|of the|/|\\||din|από|из|з|от|dari|มาก|من|מתוך|중|/\\s*共|\\s*共';

/** "Page 2", "2 of 3 pages", "- 2 -", "2/3", "Seite 2 von 3", "第 2 页，共 3 页". */
const pagePattern = new RegExp(
  [
    `^(?:${pageWord})\\.?\\s*[:#]?\\s*\\d{1,5}\\.?(?:\\s*(?:${ofWord})\\s*\\d{1,5}(?:\\s*(?:${pageWord})\\.?)?)?$`,
    `^\\d{1,5}\\.?\\s*(?:${ofWord})\\s*\\d{1,5}(?:\\s*\\.?(?:${pageWord})\\.?)?$`,
    `^\\d{1,5}\\.?\\s*(?:${pageWord})\\.?(?:\\s*(?:${ofWord})\\s*\\d{1,5})?$`,
    `^(?:of|von|de|sur|di|z|van|av|af)\\s+\\d{1,5}\\s+(?:${pageWord})$`,
    '^第\\s*\\d{1,5}\\s*[页頁ページ]+.{0,4}(?:共\\s*\\d{1,5}\\s*[页頁ページ]+)?$',
    '^[-–—[(]\\s*\\d{1,4}\\s*[-–—\\])]$',
    // "Showing 1 to 10 of 57 entries"
    '^(?:(?:showing|displaying|results?|records?|rows?|items?|entries|einträge|ergebnisse|résultats|resultados|risultati|affichage)\\s*:?\\s+)?' +
      '\\d[\\d.,]*\\s*(?:-|–|to|bis|à|a)\\s*\\d[\\d.,]*\\s+(?:of|von|sur|de|di|out of)\\s+\\d[\\d.,]*(?:\\s+\\p{L}+)?\\.?$',
    "^[(\\[]?(?:to be )?(?:continued|cont(?:’d|'d|d)?|fortsetzung|suite|continuaci[oó]n|continua(?:zione)?|continuação|vervolg|ciąg dalszy|cd|продолжение|続き|续)\\b.{0,40}$",
    '^(?:see )?(?:next|previous) page$',
  ].join('|'),
  'iu',
);

/** Whether a text is the number of a page or a part of a list, and no row. */
export const isPageNumber = (text: string): boolean => pagePattern.test(text.trim());

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words that make a heading of a text, at its start or at its end: "Region North". */
const groupWords = words(`
  region regions regione regiao regiune regija regio area areas territory territories
  territorium territoire territorio department departments dept departement abteilung
  abteilungen departamento dipartimento reparto afdeling avdelning osasto oddeleni oddelenie
  osztaly departman team teams equipe equipo squadra gruppe gruppen group groupe groupes grupo
  grupos gruppo grupa grupy skupina csoport ryhma groep grupp section sections sektion abschnitt
  seccion sezione secao district distrikt distrito distretto bezirk gebiet verkaufsgebiet
  vertriebsgebiet bereich sector sektor secteur settore branch filiale filialen niederlassung
  agence sucursal location standort category categories kategorie categorie categoria kategoria
  kategori segment cohort wave division bundesland регион область район отдел группа категория
  раздел отделение команда регіон відділ група περιοχη ομαδα 地域 地区 部門 部门 グループ 地方 그룹 지역 부서 منطقة
  قسم فريق bolge takim grup kategoria list liste lista lijst seznam luettelo contacts kontakte
  contactos contatti contatos contacten
`);
/** Words that are names as well, and make a heading only with a number or a letter behind them. */
const numberedWords = words(`
  hall halle saal sala salle room raum booth stand day tag jour dia giorno week woche semaine
  semana kw quarter quartal trimestre month monat mois mes mese year jahr annee ano anno part
  teil partie parte chapter kapitel table tisch tabelle floor etage session block tier level
  class klasse zone zona zon state stage phase building gebaude track row round q h fy gj group
  gruppe page
`);
/** Words of which a heading may consist: "Northern Europe", "Sales and Marketing", "VIP guests". */
const headingWords = words(`
  north south east west northern southern eastern western central centre center northeast
  northwest southeast southwest nord sud ost est ouest sur este oeste norte sul leste mitte
  norden suden osten westen nordost nordwest sudost sudwest noord zuid oost noorden zuiden
  oosten polnoc poludnie wschod zachod север юг восток запад kuzey guney dogu bati emea apac
  dach latam cee benelux nordics europe europa worldwide international domestic national local
  regional global inland ausland customers customer clients client kunden clientes clienti
  klanten klienci kunder asiakkaat zakaznici ugyfelek musteriler клиенты клієнти suppliers
  supplier vendors lieferanten fournisseurs proveedores fornitori fornecedores leveranciers
  dostawcy partners prospects prospect leads lead interessenten members membres mitglieder
  miembros membri membros leden speakers speaker referenten attendees attendee participants
  participant teilnehmer teilnehmerinnen guests gaste invites invitados ospiti press presse
  prensa stampa sponsors sponsor exhibitors aussteller staff employees mitarbeiter mitarbeitende
  mitarbeiterinnen personal management vorstand board committee volunteers alumni students
  teachers others other sonstige sonstiges andere autres otros altri overige various
  miscellaneous misc diverse vip vips active inactive aktiv inaktiv aktive inaktive archived
  existing potential open closed won lost pending confirmed declined zugesagt abgesagt
  unconfirmed unassigned none internal external intern extern interne externe key sales
  marketing hr human resources finance legal operations engineering purchasing procurement
  production logistics support it vertrieb einkauf verkauf buchhaltung entwicklung produktion
  logistik verwaltung geschaftsfuhrung ventes achats comptabilite ventas compras vendite
  acquisti vendas продажи закупки
`);
const fillers = words(`
  the of and und et y e i och og en de der die das des les la le los a an for fur new neue our
  all alle tous todos
`);
const months = words(`
  january february march april may june july august september october november december januar
  februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout
  septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto
  septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre
  ottobre dicembre
`);
/** The second part of German and Nordic compounds: "Vertriebsteam", "Nordregion". */
const compound =
  /\p{L}{3,}(?:team|abteilung|gruppe|bereich|gebiet|region|kunden|lieferanten|liste)$/u;

/** Chinese, Japanese and Korean texts that end like groups: "华北地区", "営業部". */
const unspaced =
  /^[\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}ー]+(?:地区|地域|区域|大区|部门|部門|[事营営销市业業][业業売售场場务務]部|分公司|グループ|支店|支社|客户|顧客|그룹|지역|부서|지점)$/u;

/** Countries that are given names too. */
const namesToo = words('chad jordan georgia israel kenya india cuba asia america');
const languages = 'en de fr es it pt nl pl sv da cs tr ru'.split(' ');
let countries: ReadonlySet<string> | null = null;

/** The names of countries, which Node knows by their code. */
function collectCountries(): ReadonlySet<string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = new Set<string>(['usa', 'uk', 'uae', 'england', 'scotland', 'wales']);
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of letters.flatMap((one) => letters.map((other) => `${one}${other}`)))
      found.add(foldWords(names.of(code) ?? ''));
  }
  found.delete('');
  for (const name of namesToo) found.delete(name);
  return found;
}

/** Whether two cells are a heading: "Region | North", "Day | 2". */
export const isHeadingPair = (name: string, value: string): boolean => {
  const word = foldWords(name);
  return groupWords.has(word) || isNumberedBy(word, value);
};

/** Whether a text is a number or a letter: "2", "B", "IV". */
export const isNumbered = (text: string): boolean =>
  /^(?:\d{1,4}|\p{L}|[ivx]{1,4})$/u.test(foldWords(text));

/** Whether a word is numbered: "Hall B", "Q 2". Two letters are initials: "H & M". */
const isNumberedBy = (word: string, value: string): boolean =>
  numberedWords.has(word) && isNumbered(value) && (word.length > 1 || !/^\p{L}$/u.test(value));

/** A word that says nothing but which group it is: "North", "2", "B". */
const isOfHeading = (word: string): boolean =>
  groupWords.has(word) || headingWords.has(word) || fillers.has(word) || isNumbered(word);

function hasHeadingWords(text: string): boolean {
  const list = foldWords(text).split(' ').filter(Boolean);
  const [first = '', second = ''] = list;
  const last = list.at(-1) ?? '';
  if (list.length === 0 || list.length > 6) return false;
  if (unspaced.test(text.trim())) return true;
  if (groupWords.has(first) || groupWords.has(last) || compound.test(last)) return true;
  if (list.length > 1 && isNumberedBy(first, second)) return true;
  // "March 2024", "Q1", "2024 Q1", "2024"
  const isPeriod = (word: string) =>
    months.has(word) ||
    /^(?:(?:19|20)\d\d|(?:q|h|fy|kw|t|s)\d{1,4}|[1-4])$/.test(word) ||
    /^(?:q|h|fy|kw)$/.test(word);
  if (/(?:19|20)\d\d|\p{L}/u.test(text) && /\d/.test(text) && list.every(isPeriod)) return true;
  const said = list.filter((word) => !fillers.has(word) && !/^\d{1,4}$/.test(word));
  if (said.length > 0 && said.every((word) => headingWords.has(word))) return true;
  countries ??= collectCountries();
  return countries.has(list.join(' '));
}

/** Signs on both sides of a text: "*** North ***", "== VIP ==", "--- Kunden". */
const decorated = /^(?:[*=#~_•·>|+-]{2,}|[•·►▶■●◆★])\s*\p{L}/u;
/** "A", "B - D": a letter of the alphabet above the names that begin with it. */
const letters = /^\p{L}(?:\s*[-–—]\s*\p{L})?\.?$/u;

/**
 * Whether a text that stands alone in a line of several columns is a heading of the rows below it,
 * and no name: "Region North", "*** VIP ***", "Germany", "Q1 2024", "A – C".
 */
export function isHeadingText(written: string): boolean {
  const text = written.trim();
  if (text.length > 80 || isEmailCell(text) || isUrlCell(text)) return false;
  if (/:\s*$/.test(text) || decorated.test(text)) return true;
  if (/^[A-Za-zÀ-ž]/.test(text) && letters.test(text)) return true;
  const bare = text.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '');
  // "Region: North", "Land - Deutschland"
  const [name = '', value = ''] = bare.split(/\s*[:=]\s*|\s+[-–—]\s+/);
  if (value !== '' && (hasHeadingWords(name) || /[:=]/.test(bare))) return true;
  return hasHeadingWords(bare);
}

/**
 * Whether a text in a column of companies may be one although it reads like a heading: "Hansen
 * Group", "Region Hannover". A single word may only be one among rows of a name alone.
 */
export function canNameCompany(written: string, isAmongNames: boolean): boolean {
  const text = written.trim();
  if (/[:=]/.test(text) || decorated.test(text)) return false;
  const list = foldWords(text).split(' ').filter(Boolean);
  const isKnown = list.every(isOfHeading);
  if (isAmongNames)
    return !(isKnown && (list.length > 1 ? groupWords.has(list[0]!) : text.length < 2));
  return list.length > 1 && !isKnown && !countries?.has(list.join(' '));
}

/** Whether a text can be the name of a person or a company: words of letters. */
export function canBeName(written: string): boolean {
  const text = written.trim();
  const list = text.split(/\s+/);
  if (!/\p{L}/u.test(text) || list.length > 8) return false;
  // "no more contacts" has only small letters; "madonna" may be a name.
  return !(list.length > 2 && /^\p{Ll}/u.test(text) && !/\p{Lu}/u.test(text));
}
