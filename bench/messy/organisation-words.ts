// Spellings of organisations' names: tables of words, and functions that apply them.
import type { Draws } from '../generate-draws.ts';

type Rewrite = readonly [from: RegExp, to: string];

const abbreviations: readonly Rewrite[] = [
  [/University/g, 'Univ.'],
  [/University/g, 'U'],
  [/College/g, 'Coll.'],
  [/Community/g, 'Comm.'],
  [/Department/g, 'Dept'],
  [/House of Representatives/g, 'House'],
  [/House of Representatives/g, 'HoR'],
  [/House of Representatives/g, 'House of Reps'],
  [/Institute/g, 'Inst'],
  [/Technical|Technology/g, 'Tech'],
  [/International/g, "Int'l"],
  [/International/g, 'Intl'],
  [/Medical Center/g, 'Med Ctr'],
  [/Center/g, 'Ctr'],
  [/Hospital/g, 'Hosp'],
  [/Memorial/g, 'Mem'],
  [/Regional/g, 'Reg'],
  [/General/g, 'Gen'],
  [/Saint /g, 'St. '],
  [/\bSt\.? /g, 'Saint '],
  [/\bMount /g, 'Mt. '],
  [/\bFort /g, 'Ft '],
  [/County/g, 'Co.'],
  [/Corporation/g, 'Corp'],
  [/Company/g, 'Co'],
  [/Holdings/g, 'Hldgs'],
  [/Group/g, 'Grp'],
  [/National/g, "Nat'l"],
  [/American/g, 'Amer.'],
  [/Association/g, 'Assn'],
  [/Government/g, "Gov't"],
  [/Education(?:al)?/g, 'Ed.'],
  [/School/g, 'Sch.'],
  [/Academy/g, 'Acad.'],
  [/Services?/g, 'Svcs'],
  [/Management/g, 'Mgmt'],
  [/Systems?/g, 'Sys'],
  [/Health(?:care)?/g, 'Hlth'],
  [/Senate/g, 'Sen.'],
  [/Assembly/g, 'Assy'],
  [/Ministry/g, 'Min.'],
  [/North(?:ern)?/g, 'N.'],
  [/South(?:ern)?/g, 'S.'],
  [/East(?:ern)?/g, 'E.'],
  [/West(?:ern)?/g, 'W.'],
  [/Pharmaceuticals?/g, 'Pharma'],
  [/Financial/g, 'Finl'],
  [/\band\b/g, '&'],
];

const translations: readonly Rewrite[] = [
  [/^University of (.*)$/, 'Universidad de $1'],
  [/^University of (.*)$/, 'Université de $1'],
  [/^University of (.*)$/, 'Universität $1'],
  [/^(.*) University$/, 'Universidad $1'],
  [/^(.*) University$/, 'Université $1'],
  [/^(.*) College$/, 'Colegio $1'],
  [/^(.*) Senate$/, 'Senado de $1'],
  [/^(.*) Senate$/, 'Sénat de $1'],
  [/House of Representatives/, 'Cámara de Representantes'],
  [/House of Representatives/, 'Chambre des représentants'],
  [/House of Representatives/, 'Repräsentantenhaus'],
  [/^City of (.*)$/, 'Ciudad de $1'],
  [/^City of (.*)$/, 'Ville de $1'],
  [/^City of (.*)$/, 'Stadt $1'],
  [/School of/, 'Escuela de'],
  [/Institute of/, 'Instituto de'],
  [/Institute of/, 'Institut für'],
  [/^(.*) Hospital$/, 'Hôpital $1'],
  [/^(.*) Hospital$/, 'Hospital de $1'],
  [/^(.*) Medical Center$/, 'Centro Médico $1'],
];

const orders: readonly Rewrite[] = [
  [/^(.*) (House of Representatives|Senate|State Senate|House of Delegates|Assembly)$/, '$2 of $1'],
  [/^(.*) (House of Representatives|Senate|State Senate|House of Delegates|Assembly)$/, '$2, $1'],
  [/^University of (.*)$/, '$1 University'],
  [/^University of (.*)$/, '$1, University of'],
  [/^(.*) University$/, 'University of $1'],
  [/^(?:City|Town|Village) of (.*)$/, '$1 City'],
  [/^(?:City|Town|Village) of (.*)$/, '$1, City of'],
  [/^(?:City|Town|Village) of (.*)$/, '$1 City Hall'],
  [/^(.*) (Medical Center|Hospital|Community College)$/, '$2, $1'],
  [/^The (.*)$/, '$1, The'],
  [/^(Department|Ministry) of (.*)$/, '$2 $1'],
  [/^(\S+) (.+)$/, '$2 $1'],
];

const states: readonly (readonly [name: string, ...forms: string[]])[] = [
  ['Alabama', 'AL', 'Ala.'],
  ['Arizona', 'AZ', 'Ariz.'],
  ['California', 'CA', 'Calif.'],
  ['Colorado', 'CO', 'Colo.'],
  ['Connecticut', 'CT', 'Conn.'],
  ['Florida', 'FL', 'Fla.'],
  ['Georgia', 'GA', 'Ga.'],
  ['Illinois', 'IL', 'Ill.'],
  ['Indiana', 'IN', 'Ind.'],
  ['Kansas', 'KS', 'Kans.'],
  ['Kentucky', 'KY', 'Ky.'],
  ['Louisiana', 'LA', 'La.'],
  ['Maine', 'ME'],
  ['Maryland', 'MD', 'Md.'],
  ['Massachusetts', 'MA', 'Mass.'],
  ['Michigan', 'MI', 'Mich.'],
  ['Minnesota', 'MN', 'Minn.'],
  ['Missouri', 'MO', 'Mo.'],
  ['Montana', 'MT', 'Mont.'],
  ['Nebraska', 'NE', 'Neb.'],
  ['Nevada', 'NV', 'Nev.'],
  ['New Hampshire', 'NH', 'N.H.'],
  ['New Jersey', 'NJ', 'N.J.'],
  ['New Mexico', 'NM', 'N.M.'],
  ['New York', 'NY', 'N.Y.'],
  ['North Carolina', 'NC', 'N.C.'],
  ['North Dakota', 'ND', 'N. Dak.'],
  ['Ohio', 'OH'],
  ['Oklahoma', 'OK', 'Okla.'],
  ['Oregon', 'OR', 'Ore.'],
  ['Pennsylvania', 'PA', 'Penn.', 'Pa.'],
  ['South Carolina', 'SC', 'S.C.'],
  ['Tennessee', 'TN', 'Tenn.'],
  ['Texas', 'TX', 'Tex.'],
  ['Vermont', 'VT', 'Vt.'],
  ['Washington', 'WA', 'Wash.'],
  ['West Virginia', 'WV', 'W.Va.'],
  ['Wisconsin', 'WI', 'Wis.'],
  ['Wyoming', 'WY', 'Wyo.'],
  ['United States', 'US', 'U.S.', 'USA'],
  ['United Kingdom', 'UK', 'GB'],
];

const frequentWords =
  /University|College|Representatives|Senate|School|Institute|Assembly|City|Academy|Hospital|Department|Center|Community/;
const smallWords = new Set(['of', 'the', 'and', 'for', 'at', 'in', 'de', 'la']);

/** Applies one of the rewrites that change the text; returns the text unchanged if none does. */
function rewriteOne(text: string, rewrites: readonly Rewrite[], draws: Draws): string {
  const changed = rewrites.map(([from, to]) => text.replace(from, to));
  const options = changed.filter((option) => option !== text);
  return options.length === 0 ? text : draws.pick(options);
}

/** Abbreviates one to three words. */
export function abbreviate(text: string, draws: Draws): string {
  let short = text;
  for (let left = 1 + draws.below(3); left > 0; left--)
    short = rewriteOne(short, abbreviations, draws);
  return short;
}

/** Translates the word that names the kind of organisation. */
export const translate = (text: string, draws: Draws): string =>
  rewriteOne(text, translations, draws);

/** Puts words in another order. */
export const reorder = (text: string, draws: Draws): string => rewriteOne(text, orders, draws);

/** Writes a state or country as its code or short form. */
export function shortenState(text: string, draws: Draws): string {
  const found = states
    .filter(([name]) => text.includes(name))
    .sort((one, two) => two[0].length - one[0].length)[0];
  if (!found) return text;
  const [name, ...forms] = found;
  return text.replace(name, draws.pick(forms));
}

/** First letters of three or more words; a text with fewer words is unchanged. */
export function toAcronym(text: string): string {
  const words = text.split(/[\s-]+/).filter((word) => /^\p{Lu}/u.test(word));
  return words.length >= 3 ? words.map((word) => word[0]).join('') : text;
}

/** Changes the first word that many organisations have. */
export const changeFrequentWord = (text: string, change: (word: string) => string): string =>
  text.replace(frequentWords, change);

/** Omits small words and signs. */
export const dropSmallWords = (text: string): string =>
  text
    .replace(/[.,'’&()/-]+/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !smallWords.has(word.toLowerCase()))
    .join(' ');

/** Omits the last word, or the last letters of a name of two words. */
export function dropTail(text: string, draws: Draws): string {
  const words = text.split(' ');
  if (words.length > 2) return words.slice(0, -1 - draws.below(words.length > 4 ? 2 : 1)).join(' ');
  return text.length > 8 ? text.slice(0, -3) : text;
}

/** Cuts the name at the width of a field. */
export function cutAtWidth(text: string, draws: Draws): string {
  const widths = [12, 15, 20, 24, 30].filter((width) => width < text.length - 1);
  return widths.length === 0 ? text : text.slice(0, draws.pick(widths)).trimEnd();
}

/** Cuts a part after a separator: the site, the campus, the content of brackets. */
export const dropSite = (text: string): string =>
  text.replace(/\s*(?:[-–(,/]).*$/, '').trim() || text;

/** The state of a code, in full; an unknown code is unchanged. */
export const spellState = (code: string): string =>
  states.find(([, form]) => form === code)?.[0] ?? code;

const shortWords: Readonly<Record<string, string>> = {
  acad: 'academy',
  assn: 'association',
  coll: 'college',
  comm: 'community',
  ctr: 'center',
  dept: 'department',
  ed: 'education',
  ft: 'fort',
  gen: 'general',
  govt: 'government',
  hlth: 'health',
  hosp: 'hospital',
  inst: 'institute',
  intl: 'international',
  med: 'medical',
  mem: 'memorial',
  mgmt: 'management',
  mt: 'mount',
  natl: 'national',
  reg: 'regional',
  saint: 'st',
  sch: 'school',
  svcs: 'services',
  tech: 'technology',
  u: 'university',
  univ: 'university',
};
const stateNames = new Map(
  states.flatMap(([name, ...forms]) => forms.map((form) => [form, name] as const)),
);

/** Writes abbreviated words and the codes of states in full. */
export const spellWords = (text: string): string =>
  text
    .split(/[\s,]+/)
    .map(
      (word) => stateNames.get(word) ?? shortWords[word.toLowerCase().replace(/[.']/g, '')] ?? word,
    )
    .join(' ');
