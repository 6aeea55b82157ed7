// Repairs misspelled words of an organisation's name that have another form in all names: states,
// and words such as "university". The other words are compared with those of the index.
import { createBoundedCache } from '../../../../platform/bounded-cache.ts';
import {
  stateMark,
  statesOfOneWord,
  statesOfTwoWords,
} from '../../../normalize/messy/organisation-tokens.ts';
import { wordSpellings } from '../../../normalize/messy/organisation-words.ts';
import {
  createForms,
  type FormedWord,
  formedDistance,
  leastDistance,
  typingDistance,
} from '../../../normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../../normalize/similarity.ts';

const firstOfTwo = /^(?:new|north|south|west|rhode|puerto|nwe|nrth)/;
const twoWordsMax = 1.6;
const oneWordMax = 1.1;
const lettersMin = 5;
const cutLettersMin = 7;
const spellingLettersMin = 6;
const rememberedMax = 8_000;

function findOfTwo(first: string, second: string): string | null {
  const written = `${first} ${second}`;
  const found = statesOfTwoWords.find(
    ([, name]) =>
      typingDistance(written, name, twoWordsMax) <= twoWordsMax ||
      (written.length >= cutLettersMin && name.startsWith(written)),
  );
  return found ? found[0] : null;
}

interface State {
  readonly name: FormedWord;
  readonly code: string;
}

const states: readonly State[] = Array.from(statesOfOneWord, ([name, code]) => ({
  name: { text: name, mask: letterMaskOf(name), forms: createForms() },
  code,
}));

/** '' if a word is no state. */
const findOfOne = createBoundedCache((text: string): string => {
  const word: FormedWord = { text, mask: letterMaskOf(text), forms: createForms() };
  for (const { name, code } of states) {
    if (name.text.startsWith(text)) return code;
    if (name.text.length < lettersMin) continue;
    if (formedDistance(word, name, oneWordMax) <= oneWordMax) return code;
  }
  return '';
}, rememberedMax);

interface Spelling {
  readonly word: FormedWord;
  readonly form: string;
}

const slotOf = (text: string, length: number): string => `${text[0]}${length}`;
/** Spellings of words by their first letter and length. Others are as near to names. */
function groupSpellings(forms: Iterable<readonly [text: string, form: string]>) {
  const found = new Map<string, Spelling[]>();
  for (const [text, form] of forms) {
    const word = { text, mask: letterMaskOf(text), forms: createForms() };
    const slot = slotOf(text, text.length);
    found.set(slot, [...(found.get(slot) ?? []), { word, form }]);
  }
  return found;
}

/**
 * Finds the form of a misspelled word among those that are read when the first word is asked for;
 * '' if it is none of them.
 */
export function createFormFinder(
  readSpellings: () => Iterable<readonly [text: string, form: string]>,
): (text: string) => string {
  let spellings: ReturnType<typeof groupSpellings> | null = null;
  return createBoundedCache((text: string): string => {
    spellings ??= groupSpellings(readSpellings());
    const word: FormedWord = { text, mask: letterMaskOf(text), forms: createForms() };
    let [nearest, form] = [oneWordMax, ''];
    for (let length = text.length - 1; length <= text.length + 1; length++)
      for (const spelling of spellings.get(slotOf(text, length)) ?? []) {
        if (leastDistance(word.mask, spelling.word.mask) > nearest) continue;
        const distance = formedDistance(word, spelling.word, nearest);
        if (distance > nearest || (distance === nearest && form !== '')) continue;
        nearest = distance;
        form = spelling.form;
      }
    return form;
  }, rememberedMax);
}

/** "unniversity" is "universities". */
const findForm = createFormFinder(() =>
  [...wordSpellings()].filter(([text]) => text.length >= spellingLettersMin),
);

/** @param isKnown whether a word is one of an organisation's: then it is not misspelled */
export function repairWords(
  tokens: readonly string[],
  isKnown: (word: string) => boolean,
): readonly string[] {
  const repaired: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const word = tokens[at]!;
    const next = tokens[at + 1];
    const ofTwo = next !== undefined && firstOfTwo.test(word) ? findOfTwo(word, next) : null;
    if (ofTwo !== null) {
      repaired.push(stateMark + ofTwo);
      at++;
      continue;
    }
    if (word.length < lettersMin || word.startsWith(stateMark) || isKnown(word)) {
      repaired.push(word);
      continue;
    }
    const state = findOfOne(word);
    repaired.push(state === '' ? findForm(word) || word : stateMark + state);
  }
  return repaired;
}
