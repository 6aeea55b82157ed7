/** Email addresses: their stored form, and which of them belong to an office. */

// The characters that RFC 5321 allows without quotes; no contact's address has a local part in
// quotes.
const addressShape =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}]$/iu;
// The most common addresses, recognised without Unicode tables.
const plainAddress =
  /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i;
const addressCharactersMax = 254;
const localCharactersMax = 64;

function bareAddress(text: string): string {
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
  return bare.trim().replace(/^mailto:\s*/i, '');
}

/**
 * The address in a cell, without "mailto:", angle brackets and surrounding spaces, with its domain
 * in lower case; null if the cell does not have exactly one address. Idempotent.
 */
export function normalizeEmail(text: string): string | null {
  const isPlain = plainAddress.test(text);
  const address = isPlain ? text : bareAddress(text);
  const at = address.lastIndexOf('@');
  if (address.length > addressCharactersMax || at < 1 || at > localCharactersMax) return null;
  const normal = address.slice(0, at) + address.slice(at).toLowerCase();
  return isPlain || addressShape.test(normal) ? normal : null;
}

/** The domain of a normalised address. */
export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

const roleWords = new Set(
  (
    'info information contact contacts contactus hello hi hey office offices mail mailbox ' +
    'email inbox post postmaster webmaster hostmaster admin admins administrator ' +
    'administration support help helpdesk service services customer customers ' +
    'customerservice customercare care sales marketing press media news newsletter pr ' +
    'communications team staff everyone all hr jobs job careers career recruiting ' +
    'recruitment talent hiring billing accounts accounting invoice invoices finance ' +
    'payments payroll legal compliance privacy security abuse noc it tech technical ops ' +
    'operations orders order purchasing procurement shop store booking bookings ' +
    'reservations reception frontdesk desk enquiries enquiry inquiries inquiry general ' +
    'feedback noreply donotreply reply no partners partner partnerships investors ir events ' +
    'event admissions registrar library alumni president presidents provost dean chancellor ' +
    'principal superintendent ceo cfo coo cto director management manager board council ' +
    'councils clerk city town county village mayor mayors mayoroffice mayorsoffice ' +
    'officeofthemayor governor governors governorsoffice senate house senator ' +
    'representative delegate district districts constituent constituents scheduling ' +
    'scheduler correspondence citizen public affairs webteam kontakt buero vertrieb ' +
    'verwaltung poststelle bewerbung contacto ventas soporte administracion oficina bonjour ' +
    'accueil commercial secretariat secretary the of us me s'
  ).split(' '),
);
// Words that name an office only with a number: rep72@, sd26@, s34@.
const numberedOffices = new Set(
  'rep sen s h r d hd sd ld hse house senate senator ward seat dist district'.split(' '),
);

/**
 * Whether an address belongs to an office rather than to a person (info@, mayor@, rep72@). Such an
 * address identifies no one.
 */
export function isRoleMailbox(email: string): boolean {
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@'))).toLowerCase();
  // The first word shows for nearly all addresses that they belong to no office.
  const first = /^[a-z]+(?=[.\d_-]|$)/.exec(local)?.[0];
  if (first && !roleWords.has(first) && !numberedOffices.has(first)) return false;
  const [base = ''] = local.split('+');
  const words = base.match(/\p{L}+|\d+/gu) ?? [];
  const letters = words.filter((word) => !/\d/.test(word));
  if (letters.length === 0) return false;
  if (letters.length < words.length && letters.every((word) => numberedOffices.has(word)))
    return true;
  return letters.every((word) => roleWords.has(word) && (word.length > 1 || letters.length > 1));
}
