// Splits a name in one cell into its parts, without titles, degrees, pronouns and notes.
import { readCouple, splitPeople } from '../../spreadsheet/several-people.ts';
import { classifyTitle } from './classify-title.ts';
import { dropInvisible } from './comparable-text.ts';
import { foldText } from './fold-text.ts';
import { courtesyTitles, degrees, particles, peerTitles, pronouns } from './name-words.ts';
import { generationCode } from './normalize-name.ts';

export interface SplitName {
  readonly first: string;
  readonly last: string;
}

export interface WholeName extends SplitName {
  /** "Jr.", "III"; '' if there is none. */
  readonly suffix: string;
  /** A name in quotes or brackets; '' if there is none. */
  readonly nickname: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const moreTitles = words(`
  hr fru frk herrn fraulein drs ir mw mevr mevrouw dhr meneer dr-ing dring profdr
  sigra signore dottore dottoressa avv d dna sres panie inz mgr sayin shri smt ustaz господин
  госпожа г-н г-жа пан пани dipl kfm kffr licda arq
  д-р проф доц акад канд ктн дтн кэн дэн
`);
/** Titles that are names as well → words that must follow one without a full stop. */
const nameLike: ReadonlyMap<string, number> = new Map(
  (
    [
      ['don dean earl major judge bishop pastor baron sir rep dona ray general fr ing', 3],
      [
        'pan pani mag bay sig cav lic haji kum dato datuk imam gen del geom hon sheikh ' +
          'shaikh arch bayan',
        2,
      ],
    ] as const
  ).flatMap(([list, least]) => [...words(list)].map((word) => [word, least] as const)),
);
/** Parts of titles: "Dr. med.", "dr phil". With a capital and no full stop they are names. */
const titleParts = words('med phil rer nat jur habil hc oec pol vet univ art theol');
export const isRareTitle = (key: string): boolean =>
  moreTitles.has(key) || nameLike.has(key) || titleParts.has(key);

/** Words that follow a name and are no part of it, besides the degrees. */
const moreDegrees = words(`
  phd dphil md mba emba mpa msc bsc ma ba bs ms llb llm jd esq cpa cfa cfp cma cia cisa
  cissp cism crisc cgeit ccsp ceh oscp ccna ccnp ccie cspo csm psm pspo safe spc itil
  prince2 pmp pgmp pfmp capm pmi-acp phr sphr gphr shrm-cp shrm-scp shrmcp shrmscp aphr cipd
  mcipd fcipd assoccipd chrp chrl acca fcca aca fca ca frm caia chfc clu cfe cams cmt cbap
  ccba cpsm cscp cpim cltd cpp cipp cippe cippus cipm fip rn np bsn msn dnp aprn facp faan
  lcsw lpc cscs pt dpt ot rd rdn pe peng ceng meng beng leed leedap aia faia riba frics
  mrics gisp pgeo obe mbe cbe kbe dbe qc kc mp mep mhra mscrp freng frsa frs ieee lean lssbb
  lssgb ssbb ssgb cssbb cssgb csp rts ashm cdir finstd mcim fcim cim dipm cprp apr ccp scpm
  hon hons honours candidate ret retired dipl dipl-ing dipl-kfm edd dba dsc dmd dds dvm
  pharmd psyd od do mph mpp mfa mha mhr mis med mdiv aws gcp azure
`);
const pictures = /\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]|\ufe0f|\u200d|[™®©★☆✓✔]/gu;
const bracketed = /[([{]([^()[\]{}]*)[)\]}]/g;
const quoted = /["“”„«»]\s*([^"“”„«»]{1,25}?)\s*["“”»«]|(?<=\s)['‘’]([^'‘’]{2,20})['’](?=\s|$)/gu;
const bornAs = /^(?:n[eé]e|geb|geborene?|maiden|formerly|f\.?k\.?a|born|ur|z d|roz)\b/i;
/** What people write before a name: its number in a list, or a word that says what it is. */
const label =
  /^\s*(?:#?\d{1,4}[.)]?\s+(?=\p{L})|(?:contact|name|kontakt|nom|nombre|nome)\s*:\s*|(?:attn|att|attention|z\.?\s*hd|zu h[aä]nden|à l['’]attention de|a la atenci[oó]n de|t\.a\.v|c\/o)(?:\.|\b)\s*:?\s*)/iu;
/** vCards and some CSV files write "Lee\, Ann". */
const escapedSign = /\\(?=[,;])/g;
/** What Japanese, Chinese and Korean write behind a name. */
const honorific =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])\s*(?:様|さま|さん|殿|先生|女士|小姐|님)$/u;

/** An address behind a name, and the distance that LinkedIn writes there. */
const behindName =
  /\s*<[^<>]*@[^<>]*>|\s+(?:1st|2nd|3rd\+?)(?: degree)?(?: connection)?(?=\s|$)/giu;
const inQuotes = /^\s*(?:["“”„«](.+)["“”»]|['‘’](.+)['’])\s*$/u;
/** A former name that is not in brackets. */
const formerName =
  /\s(?:n[ée]e|geb\.?|geborene?|maiden name|roz\.|z d\.|f\.k\.a\.)\s+\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?\s*$/iu;
const note = /(?<!\s)(?:\s+[|•·–—]\s*.*|\s+-\s+.*|\s*\|.*)$/u;
// "Lord MacKay of Ardbrecknish": the territory is not part of the surname.
const territory = / of /i;

/** A word's letters and digits, folded: "Ph.D." is phd. */
const bare = (word: string): string => foldText(word).replace(/[^\p{L}\p{N}-]/gu, '');

export const isDegree = (word: string): boolean => {
  const key = bare(word);
  return degrees.has(key) || moreDegrees.has(key) || moreDegrees.has(key.replace(/-/g, ''));
};
const isLongDegree = (word: string): boolean => bare(word).length > 2 && isDegree(word);
const isCapital = (word: string): boolean =>
  /^[\p{Lu}\p{M}'’.-]{2,}$/u.test(word) && /\p{Lu}{2}/u.test(word);
const isParticle = (word: string): boolean => particles.has(bare(word));
const isGeneration = (word: string): boolean => generationCode(word) > 0;

/** @param isMixed whether other words of the name begin with capitals */
function isTitle(word: string, behind: number, isMixed: boolean): boolean {
  const key = bare(word);
  // A title of peerage replaces a first name: "Lord Mackay of Clashfern".
  if (peerTitles.has(key)) return (key === 'sir' || key === 'dame') && behind > 1;
  const pieces = word.split(/[-.]+/).map(bare).filter(Boolean);
  const isKnown = (one: string) =>
    courtesyTitles.has(one) || moreTitles.has(one) || (word !== one && titleParts.has(one));
  const least = nameLike.get(key);
  if (least !== undefined) return word.endsWith('.') || behind >= least;
  if (titleParts.has(key)) return word.endsWith('.') || (isMixed && /^\p{Ll}/u.test(word));
  if (key.length === 1) return false;
  // "Dipl.-Ing."
  const isPart = (one: string) => isKnown(one) || (nameLike.has(one) && word.endsWith('.'));
  return isKnown(key) || (pieces.length > 1 && pieces.every(isPart));
}

/** Whether a part behind a comma says nothing about the name: degrees, suffixes, honours. */
function isAddition(part: string, name: string): boolean {
  const list = part.split(/[\s/&]+/).filter(Boolean);
  if (list.every((word) => isDegree(word) || isGeneration(word))) return true;
  const names = name.split(' ');
  // "Ann Lee, Hiring Manager": a job behind a whole name.
  if (names.length > 1 && list.length > 1 && classifyTitle(part).jobLevel !== null) return true;
  // Letters in capitals behind a whole name that has small ones are an honour that no table has.
  const isWhole = names.length > 1 && /\p{Ll}/u.test(name) && !isParticle(names[0] ?? '');
  return isWhole && list.every((word) => /^[\p{Lu}\d.®-]{2,9}$/u.test(word) || isDegree(word));
}

interface Draft {
  suffix: string;
  nickname: string;
}

function takeNotes(text: string, draft: Draft): string {
  const [whole, one, other] = inQuotes.exec(text) ?? [text];
  return dropInvisible((one ?? other ?? whole).replace(pictures, ' '))
    .replace(escapedSign, '')
    .replace(honorific, '')
    .replace(label, '')
    .replace(behindName, ' ')
    .replace(formerName, '')
    .replace(pronouns, ' ')
    .replace(bracketed, (_all, inside: string) => {
      const list = inside.trim().split(/\s+/);
      const isName = list.length < 3 && list.every((word) => /^\p{Lu}[\p{L}'’.-]+$/u.test(word));
      if (isName && !list.some(isDegree) && !bornAs.test(inside) && !isCapital(inside.trim()))
        draft.nickname ||= inside.trim();
      return ' ';
    })
    .replace(quoted, (_all, one?: string, other?: string) => {
      draft.nickname ||= one ?? other ?? '';
      return ' ';
    })
    .replace(note, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;.*~_-]+|[\s,;*~_-]+$/g, '');
}

/** The words without titles in front and degrees and suffixes behind. */
function bareNames(text: string, draft: Draft): string[] {
  let list = text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
  const isShouted = list.every((word) => word === word.toUpperCase());
  // "MBA Ivan Stoev"
  const isLetters = (word: string): boolean =>
    !isShouted && list.length > 2 && /\p{Lu}.*\p{Lu}/u.test(word) && isLongDegree(word);
  const isMixed = list.some((word) => /^\p{Lu}/u.test(word));
  const isBefore = ([word = '', ...more]: readonly string[]): boolean =>
    isTitle(word, more.length, isMixed) ||
    isLetters(word) ||
    // "M. Jean DUPONT", and not "M. Night Shyamalan".
    (word === 'M.' && more.length > 1 && !isShouted && isCapital(more.at(-1) ?? ''));
  while (list.length > 1 && isBefore(list)) list = list.slice(1);
  // "Bo Li 李波": the same name twice.
  const latin = list.filter((word) => !eastAsian.test(word));
  if (latin.length > 1) list = latin;
  for (let last = list.at(-1) ?? ''; list.length > 1; last = list.at(-1) ?? '') {
    const isSuffix = isGeneration(last);
    const isSure = bare(last).length > 2 || (list.length > 2 && isCapital(last) && !isShouted);
    const isDegreeLast =
      isDegree(last) && isSure && (list.length > 2 || /[.\d]|^\p{Lu}{3,}/u.test(last));
    if (!isSuffix && !isDegreeLast) break;
    if (isSuffix) draft.suffix ||= last;
    list = list.slice(0, -1);
  }
  return list;
}

const eastAsian = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}々ー]+$/u;
const longSurname =
  /^(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|尉迟|东方|皇甫|司徒|夏侯|남궁|황보|제갈|선우|독고|사공)/u;

/** A name in Chinese, Japanese or Korean script without spaces, the surname first. */
function splitEastAsian(text: string): SplitName {
  const letters = [...text];
  if (letters.length < 2) return { first: '', last: text };
  const isHangul = /^\p{sc=Hangul}/u.test(text);
  const isLong = longSurname.test(text) || (!isHangul && letters.length > 3);
  const cut = isLong ? 2 : 1;
  return { first: letters.slice(cut).join(''), last: letters.slice(0, cut).join('') };
}

/** The surnames of nine in ten Vietnamese, which come first in full names with their accents. */
const vietnamese =
  /^(?:nguyễn|trần|lê|phạm|hoàng|huỳnh|phan|vũ|võ|đặng|bùi|đỗ|hồ|ngô|dương|lý|đinh|trịnh|trương)$/iu;

const isVietnamese = (word = ''): boolean => vietnamese.test(word.normalize('NFC'));

const patronymic = /(?:ович|евич|ьич|овна|евна|ична|инична|івна|йович)$/iu;

/** How many words at the start are the surname, if it comes first; 0 if it does not. */
function countLeadingSurname(list: readonly string[], isLastFirst: boolean): number {
  const capitals = list.map(isCapital);
  const isMixed =
    capitals.includes(true) && list.some((word) => /\p{Ll}/u.test(word) && !isParticle(word));
  if (isMixed) {
    let count = 0;
    while (
      count < list.length - 1 &&
      (capitals[count] || (isParticle(list[count] ?? '') && count + 1 < list.length))
    )
      count++;
    return capitals.slice(0, count).includes(true) ? count : 0;
  }
  const isPatronymicLast = list.length === 3 && patronymic.test(list[2] ?? '');
  const isVietnameseFirst = isVietnamese(list[0]) && !isVietnamese(list.at(-1));
  if (!isLastFirst && !isPatronymicLast && !isVietnameseFirst) return 0;
  let count = 1;
  while (count < list.length - 1 && isParticle(list[count - 1] ?? '')) count++;
  return count;
}

function splitWords(list: readonly string[], isLastFirst: boolean): SplitName {
  const join = (some: readonly string[]) => some.join(' ');
  if (list.length === 1) {
    const [only = ''] = list;
    return eastAsian.test(only) ? splitEastAsian(only) : { first: '', last: only };
  }
  const isEastAsian = list.every((word) => eastAsian.test(word));
  const leading = countLeadingSurname(list, isLastFirst || isEastAsian);
  if (leading > 0) return { first: join(list.slice(leading)), last: join(list.slice(0, leading)) };
  let at = list.length - 1;
  // "Jean DUPONT MARTIN": the surname is in capitals.
  const isMixed = list.some((word) => /\p{Ll}/u.test(word) && !isParticle(word));
  while (isMixed && at > 1 && isCapital(list[at] ?? '') && isCapital(list[at - 1] ?? '')) at--;
  while (at > 1 && isParticle(list[at - 1] ?? '')) {
    at--;
    // "Ortega y Gasset": a conjunction joins two surnames.
    if (at > 1 && /^[yei]$/i.test(list[at] ?? '')) at--;
  }
  return { first: join(list.slice(0, at)), last: join(list.slice(at)) };
}

/**
 * "Ada King", "King, Ada", "KING/ADA", "Dr. Ada King, MBA (she/her)", "Ludwig van Beethoven",
 * "Jean DUPONT", "John Smith Jr.", "山田太郎". A single word is a last name, and so are a couple and
 * a family without given names.
 * @param isLastFirst whether the list writes the last name first, without a comma too
 */
export function splitWholeName(text: string, isLastFirst = false): WholeName {
  const draft: Draft = { suffix: '', nickname: '' };
  const bareText = takeNotes(text, draft);
  const couple = readCouple(bareText);
  if (couple === '') return { first: '', last: bareText, ...draft };
  let [whole = ''] = couple === null ? splitPeople(bareText) : [couple];
  const [left = '', right = '', ...more] = whole.split(/\s*\/\s*/);
  if (right !== '' && more.length === 0 && !left.includes(',')) whole = `${left}, ${right}`;
  // An address such as "ann.lee".
  if (/^\p{L}{2,}[._]\p{L}{2,}$/u.test(whole)) whole = whole.replace(/[._]/, ' ');
  const parts = whole.split(/[,;]/).map((part) => part.trim());
  // "PhD, MBA Ada King"
  while (parts.length > 1 && /^\S*\p{Lu}\S*\p{Lu}\S*$/u.test(parts[0]!) && isLongDegree(parts[0]!))
    parts.shift();
  const [before = '', ...behind] = parts;
  const given = behind.filter((part) => {
    if (part === '') return false;
    const isMore = isAddition(part, before);
    if (isMore && isGeneration(part)) draft.suffix ||= part;
    return !isMore;
  });
  if (given.length > 0) {
    // "King, Ada, Countess" and "Lee, Ann, Buyer": the second part is the given name.
    const first = bareNames((given[0] ?? '').replace(/\s+(?:mr|mrs|ms|dr|miss)\.?$/i, ''), draft);
    const last = bareNames(before, draft);
    // "Berg, Jan van der"
    while (
      first.length > 1 &&
      isParticle(first.at(-1) ?? '') &&
      /^\p{Ll}/u.test(first.at(-1) ?? '')
    )
      last.unshift(first.pop() ?? '');
    return { first: first.join(' '), last: last.join(' '), ...draft };
  }
  const end = territory.exec(before)?.index ?? before.length;
  const list = bareNames(before.slice(0, end), draft);
  const { first, last } = splitWords(list, isLastFirst);
  return { first, last: last + before.slice(end), ...draft };
}

/** The first and the last name of a whole name; a suffix stays behind the last name. */
export function splitName(text: string): SplitName {
  const { first, last, suffix } = splitWholeName(text);
  return { first, last: suffix === '' ? last : `${last} ${suffix}` };
}

/** A word of letters has nothing around it. */
const plainWord = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]+$/;

/** Names without titles, degrees, pronouns and notes: "Dr. Ada" and "King, MBA (she/her)". */
export function cleanNames(first: string, last: string): WholeName {
  const whole = `${first} ${last}`.trim();
  if (readCouple(whole) !== null) return splitWholeName(whole);
  const draft: Draft = { suffix: '', nickname: '' };
  const drop = (text: string): string => {
    if (plainWord.test(text) && !label.test(text)) return text;
    const [name = '', ...more] = takeNotes(text, draft)
      .split(/[,;]/)
      .map((part) => part.trim());
    for (const part of more) if (isGeneration(part)) draft.suffix ||= part;
    return [name, ...more.filter((part) => !isAddition(part, `x ${name.toLowerCase()}`))].join(
      ', ',
    );
  };
  const isSalutationAlone = last !== '' && isTitle(first, 1, true);
  const given = isSalutationAlone ? '' : bareNames(drop(first), draft).join(' ');
  const family = drop(last);
  const list = family.split(' ');
  // A surname may be spelled like a degree; only a word behind one is a degree.
  const rest = list.length > 1 ? bareNames(`x ${family}`, draft).slice(1) : list;
  return { first: given, last: rest.join(' '), ...draft };
}

/** @param last undefined in a list without last names: then `first` has whole names */
export const readNameCells = (first: string, last: string | undefined): WholeName =>
  last === undefined && /\s|,/.test(first.trim())
    ? splitWholeName(first)
    : cleanNames(first, last ?? '');
