// Texts of people within a sentence of the interface.

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const [isolateStart, isolateEnd] = ['\u2068', '\u2069'];

/**
 * A name or a title for a sentence that is not markup, such as a toast or a dialog's title. Text
 * from right to left is isolated: it would otherwise move the quotes and words around it.
 */
export const isolate = (text: string): string =>
  rightToLeft.test(text) ? `${isolateStart}${text}${isolateEnd}` : text;
