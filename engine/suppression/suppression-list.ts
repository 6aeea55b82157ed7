// The suppression list in memory: checking a value reads no row of the database.
import { type RowInputField, rowInputFields } from '../contract/jobs/row-input.ts';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import { comparableText } from '../directory/normalize/comparable-text.ts';
import { countryCode } from '../directory/normalize/country-code.ts';
import { fieldKeys } from '../directory/normalize/field-keys.ts';
import { listReadings } from '../directory/normalize/normalize-company.ts';
import { emailDomain, readAddressText } from '../directory/normalize/normalize-email.ts';
import { readGeneration } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { listPersonKeys } from './hidden-people.ts';
import { listKeys, readVersion } from './suppression.table.ts';
import {
  listAddressKeys,
  listEmailKeys,
  listHostKeys,
  listPhoneKeys,
  listPlainReadings,
  listUrlKeys,
  nationalKeyOf,
  readHost,
} from './value-keys.ts';

type NamedFields = Readonly<Partial<Record<RowInputField, string>>>;

export interface SuppressionList {
  readonly version: number;
  readonly isEmpty: boolean;
  readonly kinds: ReadonlySet<SuppressionKind>;
  hasPerson(uuid: string): boolean;
  hasEmail(text: string): boolean;
  hasCompany(name: string): boolean;
  hasHost(text: string): boolean;
  /**
   * Whether any value of a row is suppressed, in whichever cell it is.
   * @param fields the recognised fields; names of people and companies are only looked for there
   * @param cells all texts, which may contain addresses, URLs and numbers; by default the fields
   */
  namesAny(fields: NamedFields, cells?: readonly string[]): boolean;
  namesJson(text: string): boolean;
}

/** How logs show the arguments of a request about something suppressed. */
export const withheldArguments = '{"suppressed":true}';

const isRowInputField = (name: string): name is RowInputField =>
  (rowInputFields as readonly string[]).includes(name);

interface Compiled {
  readonly keys: ReadonlySet<string>;
  readonly phoneEnds: ReadonlySet<string>;
  readonly kinds: ReadonlySet<SuppressionKind>;
}

const endOfPhone = (number: string): string => number.replace(/\D/g, '').slice(-6);

const numbersInText = /(?:\+|\(|\d)[\d\s().\-/\u00b7\u2022_~*]{5,40}\d/g;
// What may surround a URL in a text.
const between = /[\s,;<>()[\]{}"'|]+/;
function hasAny({ keys }: Compiled, listed: readonly string[]): boolean {
  return listed.some((key) => keys.has(key));
}

function namesWord(list: Compiled, word: string): boolean {
  const url = fieldKeys.profile_url(word);
  if (url !== '') return hasAny(list, listUrlKeys(url));
  const host = word.includes('/') ? '' : readHost(word);
  return host !== '' && hasAny(list, listHostKeys(host));
}

function namesUrl(list: Compiled, text: string): boolean {
  for (const word of text.split(between)) {
    const bare = word.replace(/(?<![.:!?])[.:!?]+$/, '');
    if (!bare.includes('.') && !/^\/?in\//i.test(bare)) continue;
    if (bare.includes('@') && fieldKeys.email(bare) !== '') continue;
    if (namesWord(list, bare)) return true;
    const inner = /.[=@]?(h[tx]{2}ps?:.*|(?<=[=@])[\w-]+\..*)/i.exec(bare)?.[1];
    if (inner !== undefined && namesWord(list, inner)) return true;
  }
  return false;
}

function namesPlain(list: Compiled, text: string, country: string, isPhone: boolean): boolean {
  if (listAddressKeys(text).some((email) => hasAny(list, listEmailKeys(email)))) return true;
  const hasUrls = list.kinds.has('profile_url') || list.kinds.has('domain');
  if (hasUrls && /\.|\bin\//i.test(text) && namesUrl(list, text)) return true;
  if (!list.kinds.has('phone')) return false;
  return (text.match(numbersInText) ?? []).some(
    (number) =>
      // Parsing a number is dear, and nearly no number ends like a suppressed one.
      list.phoneEnds.has(endOfPhone(number)) &&
      hasAny(list, listPhoneKeys(number, countryCode(country), isPhone)),
  );
}

/** Whether a text contains a suppressed address, URL, host or number, in any spelling. */
function namesText(list: Compiled, text: string, country: string, isPhone = false): boolean {
  if (text.length < 4) return false;
  if (namesPlain(list, text, country, isPhone)) return true;
  return listPlainReadings(text).some(
    (plain) => plain !== text && namesPlain(list, plain, country, isPhone),
  );
}

const attached = new WeakMap<ReadableDatabase, boolean>();

/** The connection itself if it has the directory attached. */
function findAttached(database: ReadableDatabase): ReadableDatabase | null {
  let isAttached = attached.get(database);
  if (isAttached === undefined) {
    const files = database.pragma('database_list') as { name: string }[];
    isAttached = files.some(({ name }) => name === 'directory');
    attached.set(database, isAttached);
  }
  return isAttached ? database : null;
}

const hasCompany = (list: Compiled, name: string): boolean =>
  name !== '' &&
  [name, ...listReadings(comparableText(name))].some((reading) =>
    list.keys.has(`company:${fieldKeys.company_name(reading)}`),
  );

/** The employers that a row names, as in the key of a person. */
function listEmployers({ company_name, company_domain, email }: NamedFields): string[] {
  const address = fieldKeys.email(email ?? '');
  return [
    ...(company_name ? [fieldKeys.company_name(company_name), readHost(company_name)] : []),
    ...(company_domain ? [readHost(company_domain)] : []),
    ...(address ? [emailDomain(address)] : []),
  ];
}

function namesPerson(list: Compiled, fields: NamedFields): boolean {
  const first = fields.first_name ?? '';
  const last = fields.last_name ?? '';
  // The columns may be exchanged.
  const names = [fieldKeys.name(`${first} ${last}`), fieldKeys.name(`${last} ${first}`)];
  if (names[0] === '') return false;
  return listEmployers(fields).some((employer) =>
    names.some((name) => list.keys.has(`person:${name}|${employer}`)),
  );
}

/** A text of JSON with its quotes as it is meant; the text itself if it is broken. */
function readJsonText(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

/** The fields of a request that are named in JSON text, which a log may have shortened. */
function readJsonFields(text: string): NamedFields {
  const fields: Partial<Record<RowInputField, string>> = {};
  for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":\s*("(?:[^"\\]|\\.)*")/g)) {
    const field = name === 'company_website' ? 'company_domain' : name;
    if (isRowInputField(field)) fields[field] = readJsonText(value);
  }
  return fields;
}

function compile(entries: readonly { kind: SuppressionKind; key: string }[]): Compiled {
  const keys = new Set(entries.map(({ kind, key }) => `${kind}:${key}`));
  const phoneEnds = new Set<string>();
  for (const { kind, key } of entries)
    if (kind === 'phone') {
      keys.add(nationalKeyOf(key));
      phoneEnds.add(endOfPhone(key));
    }
  keys.delete('');
  return { keys, phoneEnds, kinds: new Set(entries.map(({ kind }) => kind)) };
}

function createList(version: number, list: Compiled): SuppressionList {
  const { keys, kinds } = list;
  return {
    version,
    isEmpty: keys.size === 0,
    kinds,
    hasPerson: (uuid) => keys.has(`person:${uuid.trim().toLowerCase()}`),
    hasEmail(text) {
      const email = fieldKeys.email(text);
      const found = email === '' ? listAddressKeys(readAddressText(text)) : [email];
      return found.some((one) => hasAny(list, listEmailKeys(one)));
    },
    hasCompany: (name) => kinds.has('company') && hasCompany(list, name),
    hasHost(text) {
      const host = kinds.has('domain') ? readHost(text) : '';
      return host !== '' && hasAny(list, listHostKeys(host));
    },
    namesAny(fields, cells = []) {
      if (keys.size === 0) return false;
      if (kinds.has('company') && hasCompany(list, fields.company_name ?? '')) return true;
      if (kinds.has('person') && namesPerson(list, fields)) return true;
      const country = fields.country ?? '';
      const domain = fields.company_domain ?? '';
      if (domain !== '' && kinds.has('domain') && hasAny(list, listHostKeys(readHost(domain))))
        return true;
      if (fields.phone && kinds.has('phone') && namesText(list, fields.phone, country, true))
        return true;
      const texts = cells.length > 0 ? cells : Object.values(fields);
      return texts.some((text) => namesText(list, text, country));
    },
    namesJson(text) {
      if (keys.size === 0) return false;
      const texts = text.match(/"(?:[^"\\]|\\.)*(?:"|\\?$)/g) ?? [];
      return this.namesAny(readJsonFields(text), [text, ...texts.map(readJsonText)]);
    },
  };
}

interface KnownList {
  readonly list: SuppressionList;
  readonly generation: number | null;
}
/** Lists alone, and lists with the identifiers of the directory's people. */
const plainLists = new WeakMap<ReadableDatabase, KnownList>();
const fullLists = new WeakMap<ReadableDatabase, KnownList>();

/**
 * The current list, compiled again only if it, or the directory, has changed. The identifiers of
 * the directory's people that the list names belong to it, so that none of them leads to a person.
 * @param database a connection to engine.db
 * @param directory a connection to directory.db; by default the file that is attached to the first
 */
export function readSuppressionList(
  database: ReadableDatabase,
  directory: ReadableDatabase | null = findAttached(database),
): SuppressionList {
  const version = readVersion(database);
  const generation = directory && readGeneration(directory);
  const lists = directory ? fullLists : plainLists;
  const known = lists.get(database);
  if (known?.list.version === version && known.generation === generation) return known.list;
  const derived = directory ? listPersonKeys(directory) : [];
  const list = createList(version, compile([...listKeys(database), ...derived]));
  lists.set(database, { list, generation });
  return list;
}
