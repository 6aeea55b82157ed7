/** States that are misspelled or cut in an organisation's name: their code in their place. */
import {
  stateMark,
  statesOfOneWord,
  statesOfTwoWords,
} from '../../normalize/messy/organisation-tokens.ts';
import { typingDistance, wordDistance } from '../../normalize/messy/weighted-distance.ts';

const firstOfTwo = /^(?:new|north|south|west|rhode|puerto|nwe|nrth)/;
const twoWordsMax = 1.6;
const oneWordMax = 1.1;
const lettersMin = 5;
const cutLettersMin = 7;

function findOfTwo(first: string, second: string): string | null {
  const written = `${first} ${second}`;
  const found = statesOfTwoWords.find(
    ([, name]) =>
      typingDistance(written, name, twoWordsMax) <= twoWordsMax ||
      (written.length >= cutLettersMin && name.startsWith(written)),
  );
  return found ? found[0] : null;
}

function findOfOne(word: string): string | null {
  for (const [name, code] of statesOfOneWord) {
    if (name.startsWith(word)) return code;
    if (name.length >= lettersMin && wordDistance(word, name, oneWordMax) <= oneWordMax)
      return code;
  }
  return null;
}

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
    const ofOne = canBeState ? findOfOne(word) : null;
    repaired.push(ofOne === null ? word : stateMark + ofOne);
  }
  return repaired;
}
