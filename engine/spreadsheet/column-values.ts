// What the values of a column say about it, whatever its header says.
import { legalForms } from '../contract/company-words.ts';

export type SampleRows = readonly (readonly string[])[];

const emailPattern = /^(?:[^\s@<>,;]+|"[^"@]+")@[^\s@<>,;]+\.[a-z]{2,}$/i;
const urlPattern = /^(?:https?:\/\/|www\.)\S+\.\S+$|^(?:[a-z]+\.)?linkedin\.com\/\S+$/i;
const phonePattern = /^\+?[\d\s()./-]{7,24}$/;

export const isEmailCell = (cell: string): boolean =>
  cell.length <= 320 && emailPattern.test(cell.trim());

export const isUrlCell = (cell: string): boolean =>
  cell.length <= 2_048 && urlPattern.test(cell.trim());

/** Whether a cell is a phone number of at least seven digits, and not a date or a plain number. */
export const isPhoneCell = (cell: string): boolean => {
  const text = cell.trim();
  if (text.length > 25 || !phonePattern.test(text)) return false;
  if (/^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15 && (/^\+|^0|^\(/.test(text) || /\d[\s().-]\d/.test(text));
};

const companyWord =
  /(?:^|[\s,(])(?:inc|llc|ltd|limited|corp|corporation|gmbh|ag|kg|mbh|ohg|bv|b\.v|nv|n\.v|plc|s\.?a|s\.?p\.?a|s\.?r\.?l|s\.?r\.?o|sp\.? z ?o\.? ?o|sas|sarl|oy|oyj|ab|a\/s|aps|asa?|kft|zrt|d\.?o\.?o|ltda?|pty|llp|co|company|group|holding|foundation|university|bank|ооо|зао|пао)\.?(?=$|[\s,)])|株式会社|有限会社|有限公司|주식회사|㈜|\(株\)|（株）/i;

/** A word in capitals after others in small letters: "Acme Foods SE". */
const capitalsAtEnd = /\p{Ll}.*[\s,](\p{Lu}{2,5})$/u;
/** Forms that are degrees and professions behind a person's name: "Jane Doe PT". */
const titlesOfPeople = new Set(['lp', 'pc', 'pt', 'rl', 'sc']);

function endsInForm(text: string): boolean {
  const word = capitalsAtEnd.exec(text)?.[1]?.toLowerCase() ?? '';
  return legalForms.has(word) && !titlesOfPeople.has(word);
}

export const hasCompanyWord = (text: string): boolean =>
  companyWord.test(text) || endsInForm(text.trim());

const titleWord =
  /(?:^|[\s(])(?:ceo|cto|cfo|coo|cmo|cio|vp|svp|evp|hr)(?=$|[\s,)])|\b(?:direct|manag|head of|head|chief|officer|presiden|engineer|consult|develop|analyst|assist|sales|marketing|found|owner|professor|lead|specialist|coordinat|buyer|account|executive|recruit|hiring|team|department|universit|institut|architect|design|support|finance|legal|operations|product|project|technic|research|student|retired|freelanc|member|board|chair|secretar|treasur|administrat|leiter|leitung|geschäftsführ|vorstand|einkauf|vertrieb|ingenieur|berater|dirett|respons|gerente|jefe|gérant|kierownik|dyrektor|prezes|директор|менеджер)/iu;

export const hasTitleWord = (text: string): boolean => titleWord.test(text);

/** Whether a cell is written as a full name: two to five words of letters, no company. */
export function isFullName(cell: string): boolean {
  const text = cell.trim();
  if (text.length > 80 || /[\d@/|;]/.test(text) || hasCompanyWord(text)) return false;
  const words = text.split(/[\s,]+/).filter((word) => /\p{L}/u.test(word));
  return words.length >= 2 && words.length <= 5;
}

const wholeEastAsian =
  /^(?:\p{sc=Han}{2,4}|\p{sc=Hangul}{3,4}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{3,8})$/u;

/** Whether a cell may be a full name without spaces, in Chinese, Japanese or Korean script. */
export const isEastAsianName = (cell: string): boolean => wholeEastAsian.test(cell.trim());

const salutation =
  /^(?:mr|mrs|ms|miss|mx|sir|madam|dr|prof|professor|herrn?|frau|monsieur|madame|mademoiselle|mme|mlle|m|señora?|sra|sr|srta|d|dña|don|doña|signora?|sig|sig\.ra|dott|dott\.ssa|ing|dhr|mevr|mw|mevrouw|meneer|pan[ií]?|herra|rouva|hr|fru|hra|rva|bay|bayan|г-н|г-жа|様|さん|先生|女士|小姐|씨|님)\.?(?:\s+(?:dr|prof)\.?)*$/iu;

/** Whether a cell holds only a form of address, such as "Mr", "Frau Dr." or "Mme". */
export const isSalutation = (cell: string): boolean => salutation.test(cell.trim());

/** The words behind the forms of address with which a text begins: "Ray" of "Frau Dr. Ray". */
export function dropSalutation(text: string): string {
  const list = text.trim().split(/\s+/);
  let count = 0;
  while (count < list.length && isSalutation(list.slice(0, count + 1).join(' '))) count++;
  return list.slice(count).join(' ');
}

const progress =
  /^(?:(?:not |dis)?connected|connection (?:sent|pending)|pending|invited|invitation sent|requested|accepted|declined|contacted|replied|messaged|queued|waiting|running|(?:in)?active|new|open|closed|done|finished|completed|failed|paused|in progress|verknüpft|verbunden|ausstehend|offen|aktiv|inaktiv|connecté|en attente|actif|conectado|pendiente|pendente|activo|ativo|collegato|in attesa|attivo)$/i;

/** Whether a cell says how far something is, such as "Connected", and is no state of a country. */
export const isProgress = (cell: string): boolean => progress.test(cell.trim());

const memberPage = /linkedin\.[a-z.]{2,20}\/(?:[a-z]{2}\/)?(?:mwlite\/)?(?:in|pub)\/|^\/?in\//i;

export const isMemberPage = (cell: string): boolean => memberPage.test(cell.trim());

const othersPage =
  /linkedin\.[a-z.]{2,20}\/(?:company|companies|school|showcase|sales|talent|recruiter|search|groups|jobs|feed|posts)\b/i;

/** Whether a cell is a page of LinkedIn that is no member's public profile. */
export const isOthersPage = (cell: string): boolean => othersPage.test(cell.trim());

export const isCompanyPage = (cell: string): boolean =>
  /linkedin\.[a-z.]{2,20}\/(?:sales\/)?(?:company|companies|school|showcase)\b/i.test(cell);

const memberHosts =
  /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*(?:linkedin|xing|facebook|fb|twitter|x|instagram|youtube|github|t|lnkd|zoominfo|apollo)\.[a-z]{2,3}(?:\/|$)/i;

/** Whether a cell is a web address on no host of members' pages. */
export const isSitePage = (cell: string): boolean => isUrlCell(cell) && !memberHosts.test(cell);

/** Whether at least the share of the filled cells of a column pass; false without any. */
export function mostly(
  rows: SampleRows,
  column: number,
  passes: (cell: string, row: readonly string[]) => boolean,
  share = 0.6,
): boolean {
  let filled = 0;
  let passed = 0;
  for (const row of rows) {
    const cell = (row[column] ?? '').trim();
    if (cell === '') continue;
    filled++;
    if (passes(cell, row)) passed++;
  }
  return filled > 0 && passed >= filled * share;
}

const isText = (cell: string): boolean =>
  cell.length <= 100 && /\p{L}/u.test(cell) && !isEmailCell(cell) && !isUrlCell(cell);

/** Noun of a key → whether a cell may be its value. Other keys accept text. */
const fits: Readonly<Record<string, (cell: string) => boolean>> = {
  email: (cell) => cell.includes('@'),
  phone: isPhoneCell,
  mobile: isPhoneCell,
  direct: isPhoneCell,
  profile: (cell) => isUrlCell(cell) || isMemberPage(cell),
  website: (cell) => isUrlCell(cell) || /^[^\s@]+\.[a-z]{2,}$/i.test(cell),
  domain: (cell) => /^[^\s@]+\.[a-z]{2,}$/i.test(cell),
  url: isUrlCell,
  first_name: isName,
  last_name: isName,
  middle_name: isName,
  full_name: isFullName,
  name: isFullName,
  id: () => false,
  start: () => false,
  end: () => false,
  observed: () => false,
  is_current: () => false,
  is_primary: () => false,
  opt_out: isFlag,
  consent: isFlag,
  employees: () => false,
  revenue: () => false,
  postal_code: (cell) => /\d/.test(cell) && cell.length <= 12,
};

function isName(cell: string): boolean {
  return isText(cell) && cell.length <= 40 && !/\d/.test(cell) && !hasCompanyWord(cell);
}

const yes =
  /^(?:1|1[.,]0|true|yes|y|t|x|✓|✔|☑|✅|on|checked|enabled|ja|j|wahr|oui|o|vrai|s[iíì]|verdadero|sim|verdadeiro|vero|waar|tak|prawda|ano|áno|igen|da|evet|doğru|kyllä|да|истина|так|ναι|はい|是|예|네|نعم|כן|ya|có|current|primary|aktuell)$/i;
const no =
  /^(?:0|0[.,]0|false|no|n|f|×|✗|✘|☐|❌|off|unchecked|disabled|none|nein|falsch|non|faux|falso|não|nao|onwaar|nee|nie|fałsz|ne|nem|nu|hayır|yanlış|nej|nei|ei|нет|ложь|ні|όχι|いいえ|否|아니요|아니오|لا|לא|tidak|không|-|former|past)$/i;

/** Yes or no in the usual spellings of thirty languages; null for anything else. */
export function readFlag(text: string): boolean | null {
  const trimmed = text.trim();
  if (yes.test(trimmed)) return true;
  return no.test(trimmed) ? false : null;
}

/** Whether a cell is a choice of yes and no. */
export function isFlag(cell: string): boolean {
  return /[\p{L}\p{N}]/u.test(cell) && readFlag(cell) !== null;
}

/** Whether the values of a column confirm a meaning that its header only suggests. */
export function confirms(rows: SampleRows, column: number, noun: string): boolean {
  return mostly(rows, column, fits[noun] ?? isText);
}
