// Other spellings of a value, for each kind of value that the suppression list compares.
import fc from 'fast-check';

/** Makes another spelling of a text from a number. */
type Respell = (text: string, seed: number) => string;

const insert: (mark: string) => Respell = (mark) => (text, seed) => {
  const at = seed % (text.length + 1);
  return text.slice(0, at) + mark + text.slice(at);
};
const replaceOne =
  (from: RegExp, to: (found: string) => string): Respell =>
  (text, seed) => {
    const places = [...text.matchAll(from)];
    const place = places[seed % Math.max(1, places.length)];
    if (place === undefined) return text;
    return text.slice(0, place.index) + to(place[0]) + text.slice(place.index + place[0].length);
  };
const wide = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
const percent = (letter: string): string =>
  `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
const wrap =
  (before: string, after: string): Respell =>
  (text) =>
    `${before}${text}${after}`;

/** Zero-width, joining, direction, filling, format and control characters, and lone surrogates. */
const invisible = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u180e',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u115f',
  '\u3164',
  '\ufe0f',
  '\u206a',
  '\ufff9',
  '\u0000',
  '\u0007',
  '\u007f',
  '\ud800',
  '\u{e0041}',
];
const blanks = [' ', '\u00a0', '\u2003', '\u202f', '\u3000', '\t', '\n', '\u2800'];

/** Forms of every text. */
const anyText: readonly Respell[] = [
  ...invisible.map(insert),
  ...blanks.flatMap((blank) => [wrap(blank, ''), wrap('', blank)]),
  replaceOne(/[!-~]/g, wide),
  (text) => [...text].map((letter) => (/[!-~]/.test(letter) ? wide(letter) : letter)).join(''),
];
const anyAddress: readonly Respell[] = [
  replaceOne(/[a-z0-9.@/-]/gi, percent),
  replaceOne(/[a-z0-9.@/-]/gi, (letter) => percent(letter).replace('%', '%25')),
  replaceOne(/[a-z.@]/gi, (letter) => `&#${letter.charCodeAt(0)};`),
  replaceOne(/[a-z.@]/gi, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
  replaceOne(/[a-z]/g, (letter) => letter.toUpperCase()),
  (text) => text.toUpperCase(),
  wrap('<', '>'),
  wrap('"', '"'),
  wrap('\u201c', '\u201d'),
  wrap("'", "'"),
  wrap('', '.'),
];

const emails: readonly Respell[] = [
  ...anyText,
  ...anyAddress,
  wrap('mailto:', ''),
  wrap('MAILTO:', '?subject=Hello'),
  wrap('Somebody <', '>'),
  replaceOne(/^[^@]+(?=@)/g, (local) => `"${local}"`),
  replaceOne(/^[^@]+(?=@)/g, (local) => `"${local.replace(/\./g, '\\.')}"`),
  replaceOne(/^[^.@]+/g, (word) => `"${word}"`),
  replaceOne(/\./g, () => '\\.'),
  replaceOne(/@.*$/g, (domain) => domain.replace('.', '\u3002')),
  replaceOne(/@.*$/g, (domain) => domain.replace('.', '\uff61')),
  replaceOne(/@/g, () => '(at)'),
  replaceOne(/@/g, () => ' [at] '),
  replaceOne(/\./g, () => '(dot)'),
  replaceOne(/@/g, () => ' @ '),
  replaceOne(/@/g, () => '(work)@'),
  replaceOne(/@/g, () => '\\u0040'),
  replaceOne(/@/g, () => '\ufe6b'),
];

const digitsOf = (zero: string): Respell => {
  const start = zero.codePointAt(0) ?? 0;
  return replaceOne(/\d/g, (digit) => String.fromCodePoint(start + Number(digit)));
};
const phones: readonly Respell[] = [
  ...anyText,
  wrap('tel:', ''),
  wrap("'", ''),
  wrap('', ' x12'),
  wrap('', ' ext. 7'),
  wrap('(', ')'),
  ...['٠', '۰', '०'].map(digitsOf),
  replaceOne(/^\+/g, () => '00'),
  replaceOne(/^\+/g, () => '%2B'),
  replaceOne(/^\+/g, () => ''),
  ...[' ', '-', '.', '\u00a0', '\u2011', '\u2013', '/'].map(
    (mark): Respell => replaceOne(/\d(?=\d{4}$)/g, (digit) => `${digit}${mark}`),
  ),
];

const urls: readonly Respell[] = [
  ...anyText,
  ...anyAddress,
  replaceOne(/^https:/g, () => 'http:'),
  replaceOne(/^https:\/\//g, () => ''),
  replaceOne(/^https:\/\//g, () => '//'),
  replaceOne(/^https/g, () => 'hxxps'),
  replaceOne(/www\./g, () => ''),
  replaceOne(/www\./g, () => 'de.'),
  replaceOne(/www\./g, () => 'm.'),
  replaceOne(/(?<=\.com)/g, () => '.'),
  replaceOne(/(?<=\.com)/g, () => ':443'),
  replaceOne(/(?<=\.com)/g, () => '/'),
  wrap('', '/'),
  wrap('', '//'),
  wrap('', '?trk=people'),
  wrap('', '/?originalSubdomain=ch#top'),
  wrap('', '/details/experience/'),
];

const values = {
  email: { value: 'secret.person@hide.example', forms: emails },
  phone: { value: '+41791110000', forms: phones },
  profile_url: { value: 'https://www.linkedin.com/in/secretp', forms: urls },
} as const;

export const secretValues = {
  email: values.email.value,
  phone: values.phone.value,
  profile_url: values.profile_url.value,
} as const;

type SpelledKind = keyof typeof values;

/** Forms in which a cell or a text has a value, and which are no value of a cell by themselves. */
export const quotations: Readonly<Record<SpelledKind, readonly string[]>> = {
  email: [
    'secret.person at hide dot example',
    'secret.\nperson@hide.example',
    'secret..person@hide.example',
    '_secret.person@hide.example_',
    'email=secret.person@hide.example&x=1',
    'https://x.example/?to=secret.person%40hide.example',
    'a@b.example; secret.person@hide.example',
    '<a href="mailto:secret.person@hide.example">write</a>',
  ],
  phone: ['call 0041 (0)79 111 00 00 now', '+41·79·111·00·00', '011 41 79 111 00 00'],
  profile_url: [
    '/in/secretp',
    'LinkedIn: ch.linkedin.com/in/SecretP, then',
    'https://x.example/r?u=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fsecretp',
  ],
};

/** Every form of the value of a kind, each at several places of the value. */
export function listSpellings(kind: SpelledKind): string[] {
  const { value, forms } = values[kind];
  return [...new Set(forms.flatMap((form) => [0, 3, 8].map((seed) => form(value, seed))))];
}

/** A form of the value of a kind, in which one more letter is invisible or in full width. */
export function spellingsOf(kind: SpelledKind): fc.Arbitrary<string> {
  const { value, forms } = values[kind];
  const form = fc.constantFrom(...forms);
  const letter = fc.constantFrom(...invisible.map(insert), replaceOne(/[a-z0-9@.]/gi, wide));
  return fc
    .tuple(form, letter, fc.nat(60), fc.nat(60))
    .map(([change, hide, at, place]) => hide(change(value, at), place));
}
