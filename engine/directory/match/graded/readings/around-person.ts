/**
 * Rows about something around a person, such as a widow, an office or a foundation: they mean no
 * the one that the name spells.
 */
import { foldToAscii } from '../../../normalize/fold-text.ts';
import { nameWords, readNameParts } from '../../../normalize/messy/name-parts.ts';

const list = (text: string): string => text.trim().split(/\s+/).join('|');

/** Relatives, staff and things by language, folded, before the words that join them to a name. */
const heads: readonly (readonly [heads: string, joints: string])[] = [
  [
    list(`wife widow widower husband spouse fiancee fiance partner son daughter mother father
      brother sister child children parents heirs heir estate executor successor
      predecessor assistant secretary aide deputy advisor adviser counsel attorney lawyer
      agent spokesman spokeswoman spokesperson staff office offices desk bureau friends
      supporters fans committee campaign foundation trust memorial building family guest
      guests care team home friend colleague nephew niece cousin uncle aunt grandson
      granddaughter boss intern
      behalf one pa ea asst proxy substitute opponent rival contact replacement`),
    'of|to|for',
  ],
  [
    list(`witwe witwer gattin gatte ehefrau ehemann sohn tochter assistent assistentin
      sekretariat sekretarin buro buero vorzimmer nachfolger nachfolgerin vorganger
      stiftung nachlass familie referent referentin mitarbeiter mitarbeiterin neffe nichte
      bekannte bekannter freund freundin kollege kollegin chef chefin tante onkel`),
    'von|des|der|',
  ],
  [
    list(`epouse veuve veuf mari femme fils fille assistant assistante secretariat secretaire
      bureau cabinet successeur fondation equipe famille conjoint conjointe heritiers neveu
      niece ami amie collegue`),
    'de|du|d|a',
  ],
  [
    list(`esposa esposo viuda viudo viuva marido mujer hijo hija filho filha asistente
      assistente secretaria secretario oficina despacho gabinete escritorio sucesor
      sucesora sucessor fundacion fundacao equipo equipe familia campana campanha
      herederos herdeiros sobrino sobrina amigo amiga colega`),
    'de|del|do|da',
  ],
  [
    list(`moglie vedova marito figlio figlia assistente segreteria segretaria ufficio
      successore fondazione famiglia eredi nipote amico amica collega`),
    'di|del|della',
  ],
  [
    list(`vrouw weduwe weduwnaar echtgenote echtgenoot zoon dochter assistent assistente
      secretariaat secretaresse kantoor opvolger stichting familie erven neef vriend vriendin
      collega`),
    'van',
  ],
  [
    list(`zona wdowa wdowiec maz syn corka asystent asystentka sekretariat biuro nastepca
      fundacja rodzina`),
    '',
  ],
  [list('team replaced replaces replacing succeeds succeeded via ask asst'), ''],
  [
    list('zhena vdova muzh syn doch pomoshchnik pomoshchnitsa sekretar ofis preemnik fond semya'),
    '',
  ],
  [
    list(
      `hustru anka enke make assistent sekretariat kontor eftertradare etterfolger stiftelse
      familj`,
    ),
    'till|til|av|af|for',
  ],
];
const before = new RegExp(
  `^(?:the |on |plus )?(?:${heads
    .map(
      ([head, joint]) =>
        `(?:${head})${joint === '' ? ' ' : ` (?:${joint})${joint.endsWith('|') ? ' ?' : ' '}`}`,
    )
    .join('|')})`,
);
const things = list(`foundation campaign committee memorial scholarship endowment building office
  estate stiftung fondation fundacion fondazione stichting household referral replacement biography
  event`);
/** Places and prizes that have a person's name, with the words before them; no surname. */
const namesakes = list(`library school fund award prize lecture lectureship professorship museum
  stadium auditorium pavilion theater theatre clinic hospital scholarship center centre`);
const ofNamesakes = list(`elementary middle high primary public memorial scholarship annual family
  research endowed childrens`);
const namesake = new RegExp(
  `(?<= .*)(?: (?:${ofNamesakes}))+ (?:${namesakes})$|(?<=^\\S+ \\S+) (?:${namesakes})$`,
);
/** A text without a sign between a name and a note behind it. */
const onlyWords = /^[\p{L} .'’-]*$/u;
/** What is never inside a name: "Reports to Ann King". */
const relation = /^(.*) (?:to|by|for) (?=\S+ \S)/;
const posts = list('congress senate governor mayor president sheriff council judge');
const after = new RegExp(` (?:${things}|fan club)$| for (?:${posts})\\b`);
const possessions = list(`wife widow husband son daughter assistant secretary office staff team
  estate campaign foundation family mother father successor aide`);
/** "Ann King's assistant", of which folding leaves "kings". */
const genitive = new RegExp(`['’]s?\\s+(?:${possessions})\\b`, 'i');
const allHeads = [...new Set(heads.flatMap(([head]) => head.split('|')))].join('|');
/** One of these is in every text about something around a person; most texts have none. */
const anySign = new RegExp(
  `\\b(?:${allHeads}|${things}|${namesakes}|fan club)\\b|['’]s?\\s| (?:for|to|by) `,
);

const fold = (text: string): string => nameWords(text).join(' ');

/** Whether a text may be about something around a person: a quick test that is seldom true. */
export const mayBeAroundPerson = (text: string): boolean =>
  text.includes(' ', text.indexOf(' ') + 1) && anySign.test(foldToAscii(text));

/** The words of the person that a text is related to; null if it is no such text. */
export function readAroundPerson(
  text: string,
  isGiven: (word: string) => boolean,
): readonly string[] | null {
  if (!mayBeAroundPerson(text)) return null;
  const folded = fold(text);
  const [all, head] = relation.exec(folded) ?? [];
  if (all !== undefined && head !== undefined && !head.split(' ').some(isGiven)) {
    const related = readNameParts(folded.slice(all.length)).parts.flat();
    if (related.length > 1 && isGiven(related[0]!)) return related;
  }
  const rest = folded.replace(before, '').replace(after, '').trim();
  const bare = onlyWords.test(text) ? rest.replace(namesake, '') : rest;
  return bare !== folded || genitive.test(text) ? bare.split(' ') : null;
}
