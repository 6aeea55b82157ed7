// Names of generated people. Names that differ by a digit only, such as Name1 and Name2, would all
// be candidates of each other, and comparing them would take most of the time of a test.

/** How many words there are. It is a prime, so that a factor gives every number its own word. */
const words = 99_999_989;
const consonants = 'bcdfghjklmnprstvwxyz';
const vowels = 'aeiou';

/** A word of eight letters for a number below `words`. */
function spell(at: number, factor: number): string {
  let rest = (at * factor + factor) % words;
  let word = '';
  for (let syllable = 0; syllable < 4; syllable += 1) {
    word += `${consonants[rest % 20]}${vowels[Math.floor(rest / 20) % 5]}`;
    rest = Math.floor(rest / 100);
  }
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** First and last name of the person with a number. */
export const inventName = (at: number): readonly [first: string, last: string] => [
  spell(at, 6_700_417),
  spell(at, 27_644_437),
];
