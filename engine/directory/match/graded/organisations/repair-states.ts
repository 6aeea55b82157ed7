/** States that are misspelled or cut in an organisation's name: their code in their place. */
import { createBoundedCache } from '../../../../platform/bounded-cache.ts';
import {
  stateMark,
  statesOfOneWord,
  statesOfTwoWords,
} from '../../../normalize/messy/organisation-tokens.ts';
import {
  createForms,
  type FormedWord,
  formedDistance,
  typingDistance,
} from '../../../normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../../normalize/similarity.ts';

const firstOfTwo = /^(?:new|north|south|west|rhode|puerto|nwe|nrth)/;
const twoWordsMax = 1.6;
const oneWordMax = 1.1;
const lettersMin = 5;
const cutLettersMin = 7;
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

/** @param isKnown whether a word is one of an organisation's: then it is no misspelled state */
export function repairStates(
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
    const canBeState = word.length >= lettersMin && !word.startsWith(stateMark) && !isKnown(word);
    const ofOne = canBeState ? findOfOne(word) : '';
    repaired.push(ofOne === '' ? word : stateMark + ofOne);
  }
  return repaired;
}
