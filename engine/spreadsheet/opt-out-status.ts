// Whether a cell of any column says that a contact must not be contacted: "Unsubscribed".
import type { SampleRows } from './column-values.ts';
import { foldWords, readHeader } from './read-header.ts';

/** Longer texts are notes about somebody. */
const statusCharactersMax = 80;
const phraseWordsMax = 5;
const textsKeptMax = 2_000;

const phrases = (text: string): ReadonlySet<string> => new Set(text.split('|'));

/** Names of columns of opt-outs that mean something else as a status: a failed call, a bounce. */
const otherStatuses = phrases(
  'no contact|no email|no emails|no mail|no call|no calls|blocked|gesperrt|suppression|' +
    'suppressions|exclusion',
);
/** Those that are an opt-out as the whole status only: "Baja California" is a state. */
const wholeStatuses = phrases(
  'baja|objection|opposition|nix|abmeldung|sprzeciw|widerspruch|dnd|dne|dnm|unsub|reservert|' +
    'objected|suppress|suppressed|is suppressed',
);
/** Words before an opt-out that change nothing: "Contact has unsubscribed". */
const leadingWords = phrases(
  'has|have|is|was|the|user|contact|customer|client|lead|person|please|already|globally|' +
    'requested|asked|wants|wishes|to|be|hat|sich|ist|wurde|wird|bitte|vom|newsletter|email|' +
    'marketing|s|est|a|ete|ha|se|si|e|heeft|zich|esta|sie|har|er|jest|uzytkownik',
);

function beginsWithOptOut(words: readonly string[]): boolean {
  for (let length = Math.min(phraseWordsMax, words.length); length > 0; length--) {
    const phrase = words.slice(0, length).join(' ');
    const meaning = readHeader(phrase);
    if (meaning?.key !== 'opt_out' || meaning.doubt > 0) continue;
    return !otherStatuses.has(phrase) && (length === words.length || !wholeStatuses.has(phrase));
  }
  return false;
}

function isOptOut(part: string): boolean {
  const [said = '', flag] = part.split(/\s*[:=]\s*/);
  // "Unsubscribed: no"
  if (flag !== undefined && /^(?:0|no|n|false|nein|non|nee)$/i.test(flag.trim())) return false;
  const words = foldWords(said).split(' ').filter(Boolean);
  if (beginsWithOptOut(words)) return true;
  let skipped = 0;
  while (skipped < 4 && leadingWords.has(words[skipped] ?? '')) {
    skipped++;
    if (beginsWithOptOut(words.slice(skipped))) return true;
  }
  return flag !== undefined && isOptOut(flag);
}

/** The texts that were read, because a list has few different statuses. */
const known = new Map<string, boolean>();

/** Whether a cell, or one of the tags in it, says that the contact must not be contacted. */
export function saysOptOut(cell: string): boolean {
  const text = cell.trim();
  // Services that verify addresses call some of them so.
  if (text.length < 2 || text.length > statusCharactersMax || text === 'do_not_mail') return false;
  const before = known.get(text);
  if (before !== undefined) return before;
  const says = text.split(/\s:::\s|[;,|/\n()[\]、，；]|\s[-–—]+\s/).some(isOptOut);
  if (known.size >= textsKeptMax) known.clear();
  known.set(text, says);
  return says;
}

/** Opt-outs are true, and texts such as "Subscribed" and "Opted in" are false. Others are null. */
export function readStatus(cell: string): boolean | null {
  if (saysOptOut(cell)) return true;
  const meaning = readHeader(cell);
  return meaning?.key === 'consent' && meaning.doubt === 0 ? false : null;
}

const statusName =
  /status|statut|stat[uú]s|\bstage|lifecycle|estado|estatus|situa[cç]|\bstato\b|\bstav\b|\bstan\b|\btila\b|durum|állapot|stare\b|статус|состояние|стан\b|κατάσταση|状态|狀態|ステータス|상태|الحالة|סטטוס|trạng thái|\btags?\b|\blabels?\b|etikett?e?n?\b|segment|disposition/i;

/** A column with more different texts has notes or names, unless its texts repeat. */
const statusesMax = 12;

/** Whether a column has statuses: by its name, or by values of which one is an opt-out. */
export function isStatusColumn(header: string, rows: SampleRows, column: number): boolean {
  if (statusName.test(header)) return true;
  const filled = rows.map((row) => (row[column] ?? '').trim()).filter(Boolean);
  const texts = [...new Set(filled)];
  const isRepeated = texts.length <= statusesMax || texts.length * 2 <= filled.length;
  return isRepeated && texts.some(saysOptOut);
}
