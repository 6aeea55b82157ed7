// Copies texts that are kept: a piece of a long text keeps all of it in memory.

/** Shorter pieces have their own memory. */
const sharedCharactersMin = 13;

const oneByteText = /^[\0-\xff]*$/;

export function copyText(text: string): string {
  if (text.length < sharedCharactersMin) return text;
  // Two bytes a character keep lone surrogates.
  const encoding = oneByteText.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
