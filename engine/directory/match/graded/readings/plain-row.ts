// Rows that need no repair: cells of a name with nothing but a name in them. They are read without
// the search for identifiers, exchanged columns and organisations in every cell.
import { readEmailKey, readUrlKey } from '../../../normalize/match-address.ts';
import type { RowCell, RowText } from './read-identifiers.ts';
import { organisationPart, organisationWord } from './row-signs.ts';

/** Up to three words of letters; no digits, quotes, brackets, commas or other separators. */
const plainName = /^\p{L}[\p{L}'’-]*\.?(?: \p{L}[\p{L}'’-]*\.?){0,2}$/u;
/** Words that join two people, and those of test rows and placeholders. */
const doubtfulWord =
  /\b(?:and|und|et|or|y|at|test\w*|demo|sample|example|asdf|dummy|fake|foo|bar|abc|xxx|name|company|email|n.?a|none|null|nil|unknown|tba|tbd|user|member|profile|contact|row|yes|no|true|false|active|lead|customer|new|vip|blank|empty|missing|undefined|delete\w*|placeholder)\b/i;
const doubtfulCompany = /[|;@/\\()[\]{}<>"]|\b(?:test|example)\b/i;
const plainEmail = /^[a-z0-9._-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}$/;

const isName = (text: string): boolean =>
  plainName.test(text) &&
  !doubtfulWord.test(text) &&
  !organisationWord.test(text) &&
  !organisationPart.test(text);

/**
 * The text of a plain row; null if any cell is not plain, or a phone or a domain is given.
 * @param read the text of a cell, '' if the row lacks it
 */
export function readPlainRow(read: (cell: RowCell) => string): RowText | null {
  if (read('phone') !== '' || read('company_domain') !== '') return null;
  const [first, last] = [read('first_name').trim(), read('last_name').trim()];
  if (!isName(first) || !isName(last)) return null;
  const company = read('company_name').trim();
  if (doubtfulCompany.test(company)) return null;
  const email = readEmailKey(read('email'));
  if (email === '' ? read('email').trim() !== '' : !plainEmail.test(email)) return null;
  const url = readUrlKey(read('profile_url'));
  if (url === '' && read('profile_url').trim() !== '') return null;
  return {
    first,
    last,
    company,
    inEmail: '',
    inUrl: '',
    title: read('title').trim(),
    display: '',
    phones: [],
    domains: [],
    emails: email === '' ? [] : [email],
    urls: url === '' ? [] : [url],
  };
}
