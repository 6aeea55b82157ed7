/**
 * Rows about something around a person, such as a widow, an office or a foundation: they mean no
 * the one that the name spells.
 */
import { foldToAscii } from '../../../normalize/fold-text.ts';
import { nameWords } from '../../../normalize/messy/name-parts.ts';

const list = (text: string): string => text.trim().split(/\s+/).join('|');

/** Relatives, staff and things by language, folded, before the words that join them to a name. */
const heads: readonly (readonly [heads: string, joints: string])[] = [
  [
    list(`wife widow widower husband spouse fiancee fiance partner son daughter mother father
      brother sister child children parents heirs heir estate executor successor
      predecessor assistant secretary aide deputy advisor adviser counsel attorney lawyer
      agent spokesman spokeswoman spokesperson staff office offices desk bureau friends
      supporters fans committee campaign foundation trust memorial building family guest
      guests care team home`),
    'of|to|for',
  ],
  [
    list(`witwe witwer gattin gatte ehefrau ehemann sohn tochter assistent assistentin
      sekretariat sekretarin buro buero vorzimmer nachfolger nachfolgerin vorganger
      stiftung nachlass familie referent referentin mitarbeiter mitarbeiterin`),
    'von|des|der|',
  ],
  [
    list(`epouse veuve veuf mari femme fils fille assistant assistante secretariat secretaire
      bureau cabinet successeur fondation equipe famille conjoint conjointe heritiers`),
    'de|du|d|a',
  ],
  [
    list(`esposa esposo viuda viudo viuva marido mujer hijo hija filho filha asistente
      assistente secretaria secretario oficina despacho gabinete escritorio sucesor
      sucesora sucessor fundacion fundacao equipo equipe familia campana campanha
      herederos herdeiros`),
    'de|del|do|da',
  ],
  [
    list(`moglie vedova marito figlio figlia assistente segreteria segretaria ufficio
      successore fondazione famiglia eredi`),
    'di|del|della',
  ],
  [
    list(`vrouw weduwe weduwnaar echtgenote echtgenoot zoon dochter assistent assistente
      secretariaat secretaresse kantoor opvolger stichting familie erven`),
    'van',
  ],
  [
    list(`zona wdowa wdowiec maz syn corka asystent asystentka sekretariat biuro nastepca
      fundacja rodzina`),
    '',
  ],
  [list('team'), ''],
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
  `^(?:the )?(?:${heads
    .map(
      ([head, joint]) =>
        `(?:${head})${joint === '' ? ' ' : ` (?:${joint})${joint.endsWith('|') ? ' ?' : ' '}`}`,
    )
    .join('|')})`,
);
const things = list(`foundation campaign committee memorial scholarship endowment building office
  estate stiftung fondation fundacion fondazione stichting`);
const posts = list('congress senate governor mayor president sheriff council judge');
const after = new RegExp(` (?:${things}|fan club)$| for (?:${posts})\\b`);
const possessions = list(`wife widow husband son daughter assistant secretary office staff team
  estate campaign foundation family mother father successor aide`);
/** "Ann King's assistant", of which folding leaves "kings". */
const genitive = new RegExp(`['’]s?\\s+(?:${possessions})\\b`, 'i');
const allHeads = [...new Set(heads.flatMap(([head]) => head.split('|')))].join('|');
/** One of these is in every text about something around a person; most texts have none. */
const anySign = new RegExp(`\\b(?:${allHeads}|${things}|fan club)\\b|['’]s?\\s| for `);

const fold = (text: string): string => nameWords(text).join(' ');

/** Whether a text may be about something around a person: a quick test that is seldom true. */
export const mayBeAroundPerson = (text: string): boolean =>
  text.includes(' ', text.indexOf(' ') + 1) && anySign.test(foldToAscii(text));

/** The words of the person that a text is related to; null if it is no such text. */
export function readAroundPerson(text: string): readonly string[] | null {
  if (!mayBeAroundPerson(text)) return null;
  const folded = fold(text);
  const rest = folded.replace(before, '').replace(after, '').trim();
  return rest !== folded || genitive.test(text) ? rest.split(' ') : null;
}
