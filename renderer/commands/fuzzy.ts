// Finds texts by some of their letters in order: "njob" finds "New job".

/** Lower case without accents, so that "muller" finds "Müller". */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const isLetter = (text: string | undefined): boolean => /[\p{L}\p{N}]/u.test(text ?? ' ');

/** Whether `letters` follow in `text` after the index `from`, in their order. */
function follows(text: string, from: number, letters: string): boolean {
  let at = from;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * The place of a letter after the index `before`: the next one, or the start of a later word if the
 * letters that remain follow it. -1 without one.
 */
function findLetter(text: string, before: number, letter: string, remaining: string): number {
  const next = text.indexOf(letter, before + 1);
  if (next === before + 1 || next < 0) return next;
  for (let at = next; at >= 0; at = text.indexOf(letter, at + 1))
    if (!isLetter(text[at - 1]) && follows(text, at, remaining)) return at;
  return next;
}

/**
 * How well `text` fits the letters of `wanted`, without its spaces; null if a letter is missing.
 * Higher is better: whole words, then starts of words, then letters inside of words.
 */
export function scoreText(wanted: string, text: string): number | null {
  const folded = fold(text);
  const letters = fold(wanted).replace(/\s+/gu, '');
  const whole = folded.indexOf(fold(wanted).trim());
  let score = whole < 0 ? 0 : isLetter(folded[whole - 1]) ? 2 : 20;
  let before = -1;
  for (const [index, letter] of [...letters].entries()) {
    const at = findLetter(folded, before, letter, letters.slice(index + 1));
    if (at < 0) return null;
    score += isLetter(folded[at - 1]) ? 0 : 3;
    score += at === before + 1 ? 2 : 0;
    before = at;
  }
  return score - folded.length / 100;
}
