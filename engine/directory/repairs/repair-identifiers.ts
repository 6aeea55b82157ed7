/** Repairs of emails, web addresses and phone numbers, in their own columns and in others. */
import type { RowCell } from '../match/graded/readings/read-identifiers.ts';
import { readEmailKey } from '../normalize/match-address.ts';
import { nameWords } from '../normalize/messy/name-parts.ts';
import { isPlainCell, type RepairedField } from './plain-cells.ts';
import { cellOf, moveInto, putCell, type RowDraft, readAlone } from './row-draft.ts';

/** Words of a name next to an address. */
const displayWordsMin = 2;
const displayWordsMax = 5;

/** Repairs the cell of the email; the name next to an address fills empty cells of the name. */
export function repairEmail(draft: RowDraft): void {
  const text = cellOf(draft, 'email');
  if (isPlainCell('email', text)) return;
  const { emails, display } = readAlone('email', text);
  const [email] = emails;
  if (email === undefined) return;
  const to = emails.join('; ');
  const isUsual = emails.length === 1 && readEmailKey(text) === email && !/[\s<>:]/.test(text);
  if (isUsual || text.toLowerCase() === to) return;
  const isLink = /mailto:/i.test(text);
  putCell(
    draft,
    'email',
    isLink ? 'email_link' : display === '' ? 'email_text' : 'email_display_name',
    to,
  );
  const count = display === '' ? 0 : nameWords(display).length;
  const hasName = cellOf(draft, 'first_name') !== '' || cellOf(draft, 'last_name') !== '';
  if (!hasName && count >= displayWordsMin && count <= displayWordsMax)
    putCell(draft, 'first_name', 'email_display_name', display);
}

/** Whether a text is an address as browsers show it. */
const usualUrl = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#][^\s<>"'()]*)?$/i;

/** Repairs the cell of the profile URL. */
export function repairUrlCell(draft: RowDraft): void {
  const text = cellOf(draft, 'profile_url');
  if (isPlainCell('profile_url', text)) return;
  const [key] = readAlone('profile_url', text).urls;
  if (key === undefined || usualUrl.test(text)) return;
  putCell(draft, 'profile_url', 'url_text', `https://${key}`);
}

/** A cell with '@', '/', a dot between letters or several digits may hold an identifier. */
const doubtful = /[@/%]|\(at\)|\[at\]|\S\.\S|\d{3}/i;

/** What is left of a cell without its identifiers. */
function restOf(cell: RowCell, read: ReturnType<typeof readAlone>): string {
  if (cell === 'first_name') return read.first;
  if (cell === 'last_name') return read.last;
  if (cell === 'email') return read.emails.length > 0 ? '' : read.inEmail;
  return cell === 'profile_url' || cell === 'phone' ? read.inUrl : read.company;
}

const ownCells: Readonly<Partial<Record<RowCell, 'emails' | 'urls' | 'phones'>>> = {
  email: 'emails',
  profile_url: 'urls',
  phone: 'phones',
};

/** Moves the identifiers of one cell to their own cells. */
function moveFrom(draft: RowDraft, cell: RepairedField): void {
  const text = cellOf(draft, cell);
  if (!doubtful.test(text) || isPlainCell(cell, text)) return;
  const read = readAlone(cell, text);
  const own = ownCells[cell];
  const isDomainCell = cell === 'company_domain';
  const [email] = own === 'emails' ? [] : read.emails;
  const [url] = own === 'urls' || isDomainCell ? [] : read.urls;
  const [phone] = own === 'phones' ? [] : read.phones;
  const [domain] = isDomainCell || own === 'urls' ? [] : read.domains;
  if (email === undefined && url === undefined && phone === undefined && domain === undefined)
    return;
  const isWeb = url !== undefined || domain !== undefined;
  const rule = cell === 'company_name' && isWeb ? 'company_web_address' : 'identifier_moved';
  const hasOwn = own !== undefined && read[own].length > 0;
  if (!hasOwn) putCell(draft, cell, rule, restOf(cell, read));
  moveInto(draft, 'email', rule, email);
  if (url !== undefined && domain === undefined)
    moveInto(draft, 'profile_url', rule, `https://${url}`);
  // A phone number is a whole cell.
  if (phone !== undefined) moveInto(draft, 'phone', rule, text);
  moveInto(draft, 'company_domain', rule, domain?.replace(/^www\./, ''));
}

const cellsWithOthers = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'phone',
  'company_domain',
] as const;

/** Moves emails, web addresses and phone numbers out of the cells of other fields. */
export function moveIdentifiers(draft: RowDraft): void {
  for (const cell of cellsWithOthers) moveFrom(draft, cell);
}
