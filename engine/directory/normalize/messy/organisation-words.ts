/** Words of organisations that organisation-tokens.ts writes in one form. Data, compared folded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../../platform/paths.ts';
import { wordForms } from '../company-words.ts';
import { foldToAscii } from '../fold-text.ts';

const listed = (text: string): readonly string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

/**
 * Translations and abbreviations beyond those of company-words.ts; the first word of a line stands
 * for the others and is the first word of the same line there.
 */
const translations = `
  universities universidade universitat universita universite universiteit univerzita
  universities univerzitet uniwersytet yliopisto egyetem universitas universitatea universiti
  universities univerza sveuciliste ulikool
  colleges colegio colle clg hochschule hogeschool hogskola hogskolan hojskole
  community communal
  technological tecnologico tecnica technique technische techniczny
  institution institutes instituto institut
  international internacional
  national nacional nazionale nationale nationaal nationales narodni
  departments departement dpt departamento
  government gobierno govt gov
  governor gobernador gouverneur
  centers centro zentrum
  hospitals krankenhaus hopital klinikum spital szpital nemocnice sairaala ziekenhuis sjukhus
  hospitals sykehus
  medicine medico
  schools escuela ecole schule
  academies academia akademie
  seminary seminario
  representatives rep representantes representants deputies
  delegates delegate dels delegado delegados
  senate senado senat
  house hse haus camara chambre casa
  city ciudad ville stadt cty
  state estado etat staat
  offices off oficina bureau buro
  county condado
  sainte san santo santa
  mountain mt mount
  north norte nord
  south sur sud
  east est
  west oeste ouest
  new nueva nouveau neu nuevo
  educational ed educacion
  attorney atty
  sciences ciencias
  healthcare salud
  assembly asamblea assemblee
  ministry ministerio ministere ministerium
  american americano
  beauty beaute
  cosmetology cosmo
  united unidos unis vereinigte
  culinary cul
  arts art
  business bus
  christian chr
  polytechnic poly politecnico politecnica politechnika polytechnique polytechnische politehnica
  mayor mayors alcalde
  engineering eng
  island isl
  development dev
  munich munchen muenchen
  vienna wien
  cologne koln koeln
  nuremberg nurnberg nuernberg
  hanover hannover
  zurich zuerich
  geneva geneve genf
  basel bale
  rome roma
  milan milano
  turin torino
  naples napoli
  florence firenze
  venice venezia
  genoa genova
  padua padova
  lisbon lisboa
  seville sevilla
  brussels bruxelles brussel
  antwerp antwerpen anvers
  ghent gent gand
  hague haag
  copenhagen kobenhavn
  gothenburg goteborg
  prague praha
  warsaw warszawa
  krakow cracow krakau
  wroclaw breslau
  moscow moskva moskau
  kyiv kiev
  bucharest bucuresti
  belgrade beograd
  athens athinai athina
  beijing peking
  aachen aken
  bern berne
  bratislava pressburg
  braunschweig brunswick
  bruges brugge
  bydgoszcz bromberg
  cairo kairo
  damascus damaskus
  dresden dresde
  dunkirk dunkerque
  dusseldorf duesseldorf
  frankfurt francfort francoforte
  gdansk danzig
  gdynia gdingen
  graz gratz
  guangzhou kanton
  hamburg hambourg amburgo
  helsinki helsingfors
  jakarta djakarta
  katowice kattowitz
  kolkata calcutta
  leipzig lipsia
  leuven louvain
  lyon lyons
  liege luik luttich luettich
  lviv lwow lvov lemberg
  ljubljana laibach
  lucerne luzern
  luxembourg luxemburg
  mainz mayence
  marseille marseilles
  mantua mantova
  mechelen malines
  minsk mensk
  mumbai bombay
  chennai madras
  odesa odessa
  pilsen plzen
  porto oporto
  poznan posen
  regensburg ratisbonne
  rotterdam roterdam
  saragossa zaragoza
  stockholm estocolmo
  strasbourg strassburg
  szczecin stettin
  tallinn reval
  thessaloniki saloniki salonica
  tokyo tokio
  trier treves
  trieste triest
  valletta valetta
  vilnius wilna wilno
  yangon rangoon
  zagreb agram
  istanbul constantinople
  izmir smyrna
  kharkiv kharkov charkow
  edinburgh edinburg
  london londres londra londyn
  paris paryz parigi
  berlin berlino
  barcelona barcelone barcellona
  madrid madryt
  dublin dublino
  lausanne losanna
  singapore singapur singapour
`;

/** Word → its canonical form. */
const translatedForms: ReadonlyMap<string, string> = new Map(
  listed(translations).flatMap((line) => line.map((word): [string, string] => [word, line[0]!])),
);
const ownForm = (word: string): string | undefined =>
  translatedForms.get(word) ?? wordForms.get(word);

/** Words of one meaning. */
interface Group {
  /** They say what an organisation works on, not only what it is. */
  readonly isSector: boolean;
  readonly words: string[];
}

/** The words of what an organisation is, in the languages of the generated table, by group. */
function readGroups(): ReadonlyMap<string, Group> {
  const path = join(resourcesDir(), 'reference', 'organisation_words.csv');
  const groups = new Map<string, Group>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [word, group, says] = line.split(',') as [string, string, string];
    const known = groups.get(group) ?? { isSector: says === 'sector', words: [] };
    known.words.push(foldToAscii(word));
    groups.set(group, known);
  }
  return groups;
}

/** The form that most words of a group have in the lists above; without one, the group's name. */
function formOfGroup(group: string, words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    const form = ownForm(word);
    if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best?.[0] ?? group;
}

interface KindWords {
  /** Word → its canonical form, of the lists above and of the table. */
  readonly forms: ReadonlyMap<string, string>;
  /** Canonical forms that say what an organisation is, never which. */
  readonly kinds: ReadonlySet<string>;
  /** Those of them that say what it works on. */
  readonly sectors: ReadonlySet<string>;
}

let kindWords: KindWords | null = null;
/** Read when first needed, because not every thread reads names of organisations. */
function readKindWords(): KindWords {
  if (kindWords !== null) return kindWords;
  const forms = new Map([...wordForms, ...translatedForms]);
  const kinds = new Set<string>();
  const sectors = new Set<string>();
  for (const [group, { isSector, words }] of readGroups()) {
    const form = formOfGroup(group, words);
    for (const word of words) if (!forms.has(word)) forms.set(word, form);
    for (const one of [form, ...words.map((word) => forms.get(word)!)]) {
      if (isSector && !kinds.has(one)) sectors.add(one);
      kinds.add(one);
    }
  }
  kindWords = { forms, kinds, sectors };
  return kindWords;
}

/** The canonical form of a folded word; the word if it has no other. */
export const formOfWord = (word: string): string => readKindWords().forms.get(word) ?? word;

/** Folded spelling → its canonical form, in all languages of the tables. */
export const wordSpellings = (): ReadonlyMap<string, string> => readKindWords().forms;

/** Whether a canonical form says what an organisation is: "systems", "universities". */
export const isKindWord = (form: string): boolean => readKindWords().kinds.has(form);

/** Whether a canonical form says what an organisation works on: "bank", "universities". */
export const isSectorWord = (form: string): boolean => readKindWords().sectors.has(form);

/** Words at the end of a name that say what it is, never who. */
export const legalWords: ReadonlySet<string> = new Set(
  (
    'inc incorporated llc llp lp corp corporation co company ltd limited plc gmbh ag sa sas srl ' +
    'bv ' +
    'nv ab pty pc pllc group holdings org edu com net'
  ).split(' '),
);

/** Code of a state → its name. */
export const stateNames: ReadonlyMap<string, string> = new Map(
  `
  al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware
  fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky
  la louisiana|me maine|md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi
  mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|nm new mexico
  ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania
  pr puerto rico|ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah
  vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming
  `
    .trim()
    .split(/[|\n]/)
    .map((entry) => entry.trim())
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);

/** Other ways to write a state → its code. */
export const stateAbbreviations: ReadonlyMap<string, string> = new Map(
  (
    'calif ca|penn pa|penna pa|mass ma|conn ct|tenn tn|mich mi|minn mn|wis wi|wisc wi|ariz az|' +
    'ill il|ind in|okla ok|ore or|tex tx|fla fl|wash wa|kans ks|nebr ne|mont mt|colo co|ala al|' +
    'ark ar|kalifornien ca|californie ca|virginie va|floride fl|georgie ga|luisiana la|' +
    'louisiane la|pensilvania pa|pennsylvanie pa|hawai hi|misuri mo|misisipi ms'
  )
    .split('|')
    .map((entry) => entry.split(' ') as [string, string]),
);

/** Runs of folded words → what they are written as. */
export const phrases: readonly (readonly [phrase: string, form: string])[] = (
  'united states of america=us|united states=us|estados unidos=us|u s a=us|u s=us|usa=us|' +
  'united kingdom=uk|health care=health|camara representantes=house representatives|' +
  'reprasentantenhaus=house representatives|repraesentantenhaus=house representatives|' +
  'unterhaus=house commons|oberhaus=house lords|camara de los comunes=house commons|' +
  'chambre des communes=house commons|chambre des lords=house lords|' +
  'camara de los lores=house lords|nueva york=new york|nuevo mexico=new mexico|' +
  'carolina del norte=north carolina|carolina del sur=south carolina|' +
  'dakota del norte=north dakota|dakota del sur=south dakota|' +
  'virginia occidental=west virginia|nueva jersey=new jersey|nuevo hampshire=new hampshire|' +
  'hor=house representatives|h o r=house representatives|house reps=house representatives'
)
  .split('|')
  .map((entry) => entry.split('=') as [string, string]);
