// Kinds of dirt in the text of all cells, from files, exports and keyboards.
import type { Draws } from '../generate-draws.ts';
import type { CellName, Kind } from './draft.ts';
import { decodeWrongly } from './letters.ts';

const namesAndCompany: readonly CellName[] = ['first_name', 'last_name', 'company_name'];

type TextChange = (text: string, draws: Draws) => string;

const textKind = (
  name: string,
  weight: number,
  does: string,
  change: TextChange,
  changes: readonly CellName[] = namesAndCompany,
): Kind => ({
  name,
  group: 'text',
  does,
  weight,
  changes,
  apply({ cells }, { draws }) {
    for (const cell of changes) if (cells[cell] !== '') cells[cell] = change(cells[cell], draws);
  },
});

const onceForAll = (
  name: string,
  weight: number,
  does: string,
  changesToPick: readonly TextChange[],
): Kind => ({
  name,
  group: 'text',
  does,
  weight,
  changes: namesAndCompany,
  apply({ cells }, { draws }) {
    const change = draws.pick(changesToPick);
    for (const cell of namesAndCompany)
      if (cells[cell] !== '') cells[cell] = change(cells[cell], draws);
  },
});

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '’': '&rsquo;',
  '"': '&quot;',
};
const named: Readonly<Record<string, string>> = { é: '&eacute;', ñ: '&ntilde;', í: '&iacute;' };
const lookAlikes: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р' };
const dashes = /[-'’]/g;
const placeholders = ['N/A', '-', 'unknown', 'null', '#N/A', '(none)', 'TBD', 'x', '.', 'n.a.'];
const emptyable: readonly CellName[] = ['email', 'profile_url', 'phone', 'company_domain', 'title'];

/** Kinds of dirt in the text of all cells. */
export const textKinds: readonly Kind[] = [
  onceForAll('text-one-case', 5, 'all capitals, or no capitals', [
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
  ]),
  onceForAll('text-caps-lock', 2, 'capitals and small letters exchanged', [
    (text) => text.slice(0, 1).toLowerCase() + text.slice(1).toUpperCase(),
  ]),
  textKind('text-misdecoded', 4, 'UTF-8 read as Windows-1252', decodeWrongly),
  textKind('text-misdecoded-twice', 2, 'UTF-8 read as Windows-1252 twice', (text) =>
    decodeWrongly(decodeWrongly(text)),
  ),
  textKind('text-entities', 2, 'signs as HTML entities', (text) =>
    text.replace(/[&'’"éñí]/g, (sign) => entities[sign] ?? named[sign] ?? sign),
  ),
  onceForAll('text-spaces', 4, 'spaces that do not belong there', [
    (text) => `  ${text} \u00a0`,
    (text) => text.replace(/ /g, '  '),
    (text) => `\u200b${text}\u200b`,
    (text) => `${text}\t`,
    (text) => text.replace(/ /g, '\u00a0'),
    (text) => `\ufeff${text}`,
  ]),
  onceForAll('text-quotes', 3, 'quotes around cells', [
    (text) => `"${text}"`,
    (text) => `'${text}`,
    (text) => `="${text}"`,
    (text) => `“${text}”`,
    (text) => `[${text}]`,
  ]),
  {
    name: 'text-placeholders',
    group: 'text',
    does: 'placeholders in empty cells',
    weight: 4,
    changes: emptyable,
    apply({ cells }, { draws }) {
      const placeholder = draws.pick(placeholders);
      for (const cell of emptyable) if (cells[cell] === '') cells[cell] = placeholder;
    },
  },
  textKind('text-look-alikes', 2, 'a Cyrillic letter of the same shape', (text) =>
    text.replace(/[aeocp]/, (letter) => lookAlikes[letter] ?? letter),
  ),
  onceForAll('text-other-signs', 2, 'other hyphens and apostrophes', [
    (text) => text.replace(dashes, (sign) => (sign === '-' ? '–' : '`')),
    (text) => text.replace(dashes, (sign) => (sign === '-' ? '\u2011' : '´')),
  ]),
  textKind('text-line-break', 2, 'a line break in the cell', (text) => text.replace(' ', '\n')),
  textKind('text-wide-letters', 1, 'letters of full width', (text) =>
    text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  ),
  textKind('text-soft-hyphen', 1, 'soft hyphens in long words', (text) =>
    text.replace(/(\p{L}{5})(?=\p{L}{2})/u, '$1\u00ad'),
  ),
  textKind(
    'text-trailing-signs',
    3,
    'commas and dots after the text',
    (text, draws) => text + draws.pick([',', '.', ' ,', ';', ' -', '..']),
  ),
];
