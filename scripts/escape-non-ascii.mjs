// JavaScript in ASCII, with the same meaning.

// Pairs of backslashes belong together, so that only an odd one escapes the character behind it.
const nonAscii = /((?:\\\\)*)(\\?)([^\0-\x7f])/g;

/**
 * Replaces each character outside ASCII by its escape. Strings, templates, regular expressions and
 * names keep their value; only the raw text of a tagged template would change.
 */
export const escapeNonAscii = (code) =>
  code.replace(
    nonAscii,
    (_match, pairs, _escape, character) =>
      `${pairs}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
