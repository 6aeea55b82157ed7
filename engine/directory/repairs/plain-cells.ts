/** Cells that need no repair: a few expressions tell most of them. */
import type { RowInputField } from '../../contract/jobs/row-input.ts';

export const repairedFields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'phone',
  'company_domain',
] as const satisfies readonly RowInputField[];

export type RepairedField = (typeof repairedFields)[number];

const name = "\\p{L}+(?:[-'’]\\p{L}+)*\\.?";
/** What most cells look like. Such a cell holds one value of its field and no mark. */
const plainCells: Readonly<Record<RepairedField, RegExp>> = {
  first_name: new RegExp(`^${name}$`, 'u'),
  last_name: new RegExp(`^${name}$`, 'u'),
  company_name:
    /^[\p{L}\d]+(?:(?: & |[ '’&-] ?)[\p{L}\d]+)*(?:,? (?:Inc|LLC|Ltd|Corp|Co|GmbH|AG)\.?)?$/u,
  email:
    /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|[a-z]{2}|example)$/i,
  profile_url: /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}\/[a-z0-9_/-]*$/i,
  phone: /^\+?[\d ().-]{7,}$/,
  company_domain: /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i,
};
/** Letters of mis-decoded text, placeholders, headers, and words that test rows have. */
const doubtful = new RegExp(
  [
    '[\\u00c2-\\u00c5\\u00e2\\u0192]',
    '^(?:na|null|none|nil|nan|undefined|unknown|tb[da]|x+|not? .*|blank|empty|missing)$',
    '^(?:yes|no|true|false|active|lead|customer|new|vip|(?:first ?|last ?|sur)?name|company|email)$',
    '\\b(?:tests?|testing|tester|demo|sample|example|asdf?g?h?|qwerty|foo|bar|foobar|dummy|lorem)\\b',
    '\\b(?:ipsum|xxx|abc|fake|delete|deleteme|donotuse|do not|placeholder|sdf|test\\w+|aaa|zzz)\\b',
  ].join('|'),
  'i',
);

/** The part of a plain cell whose words may be doubtful: a host may have any name. */
const wordsOf: Readonly<Partial<Record<RepairedField, (cell: string) => string>>> = {
  email: (cell) => cell.slice(0, cell.indexOf('@') + 1),
  profile_url: (cell) => cell.slice(cell.indexOf('/', cell.indexOf('//') + 2)),
  company_domain: () => '',
};

function isPlain(field: RepairedField, cell: string): boolean {
  if (!plainCells[field].test(cell)) return false;
  return !doubtful.test(wordsOf[field]?.(cell) ?? cell);
}

/** Whether a cell needs no repair, whatever else its row has; false if that is not certain. */
export const isPlainCell = (field: RepairedField, cell: string): boolean =>
  cell === '' || isPlain(field, cell);
