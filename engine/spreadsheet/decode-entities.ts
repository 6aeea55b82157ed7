// Decodes the entities of HTML: `&amp;`, `&eacute;`, `&#39;`.

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  commat: '@',
  period: '.',
  lowbar: '_',
  plus: '+',
  hyphen: '-',
  colon: ':',
  sol: '/',
  shy: '',
};

/** Marks of entities such as `&eacute;`, as combining characters. */
const entityMarks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
};

function decodeEntity(whole: string, name: string): string {
  const mark = entityMarks[name.slice(1)];
  if (mark !== undefined) return `${name[0]}${mark}`.normalize('NFC');
  if (!name.startsWith('#')) return namedEntities[name.toLowerCase()] ?? whole;
  const isHex = /^#x/i.test(name);
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

export const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, decodeEntity) : text;
