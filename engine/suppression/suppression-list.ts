/**
 * The suppression list in memory, compiled once per connection and version: checking a value reads
 * no row of the database.
 */
import { type RowInputField, rowInputFields } from '../contract/jobs/row-input.ts';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import { countryCode } from '../directory/normalize/country-code.ts';
import { readEmailKey, readUrlKey } from '../directory/normalize/match-address.ts';
import { companyNameKey, listReadings } from '../directory/normalize/normalize-company.ts';
import { emailDomain } from '../directory/normalize/normalize-email.ts';
import { readGeneration } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { listPersonKeys } from './hidden-people.ts';
import { listKeys, readVersion } from './suppression.table.ts';
import {
  foldName,
  listEmailKeys,
  listHostKeys,
  listUrlKeys,
  readHost,
  readPhoneKey,
} from './value-keys.ts';

/** The fields of a row whose meaning is known. */
type NamedFields = Readonly<Partial<Record<RowInputField, string>>>;

/** A compiled list. */
export interface SuppressionList {
  readonly version: number;
  readonly isEmpty: boolean;
  /** The kinds of the entries. */
  readonly kinds: ReadonlySet<SuppressionKind>;
  hasPerson(uuid: string): boolean;
  hasEmail(text: string): boolean;
  hasCompany(name: string): boolean;
  /** A domain, a website or the URL of a company. */
  hasHost(text: string): boolean;
  /**
   * Whether any value of a row is suppressed, in whichever cell it is.
   * @param fields the recognised fields; names of people and companies are only looked for there
   * @param cells all texts, which may contain addresses, URLs and numbers; by default the fields
   */
  namesAny(fields: NamedFields, cells?: readonly string[]): boolean;
  /** Whether JSON text of a request names anything suppressed, as far as it is complete. */
  namesJson(text: string): boolean;
}

/** How logs show the arguments of a request about something suppressed. */
export const withheldArguments = '{"suppressed":true}';

const isRowInputField = (name: string): name is RowInputField =>
  (rowInputFields as readonly string[]).includes(name);

interface Compiled {
  readonly keys: ReadonlySet<string>;
  readonly kinds: ReadonlySet<SuppressionKind>;
}

const numbersInText = /(?:\+|\(|\d)[\d\s().\-/\u00a0]{5,40}\d/g;
// What may surround an address or a URL in a text.
const between = /[\s,;<>()[\]{}"'|]+/;

function hasAny({ keys }: Compiled, listed: readonly string[]): boolean {
  return listed.some((key) => keys.has(key));
}

/** Whether a word of a text is a suppressed address, or has a suppressed URL or host. */
function namesWord(list: Compiled, word: string): boolean {
  if (word.includes('@')) {
    const email = readEmailKey(word.replace(/^mailto:/i, '').replace(/[.:!?]+$/, ''));
    if (email) return hasAny(list, listEmailKeys(email));
  }
  if (!list.kinds.has('profile_url') && !list.kinds.has('domain')) return false;
  const url = readUrlKey(word);
  if (url !== '') return hasAny(list, listUrlKeys(url));
  const host = word.includes('/') ? '' : readHost(word);
  return host !== '' && hasAny(list, listHostKeys(host));
}

/** Whether a text contains a suppressed address, URL, host or number. */
function namesText(list: Compiled, text: string, country: string): boolean {
  if (text.length < 4) return false;
  if (text.includes('.'))
    for (const word of text.split(between))
      if (word.includes('.') && namesWord(list, word)) return true;
  if (!list.kinds.has('phone')) return false;
  return (text.match(numbersInText) ?? []).some((number) =>
    [null, countryCode(country)].some((code) => {
      const key = readPhoneKey(number, code);
      return key !== '' && list.keys.has(`phone:${key}`);
    }),
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
  [name, ...listReadings(name)].some((reading) =>
    list.keys.has(`company:${companyNameKey(reading)}`),
  );

/** The employers that a row names, as in the key of a person. */
function listEmployers({ company_name, company_domain, email }: NamedFields): string[] {
  const address = readEmailKey(email ?? '');
  return [
    ...(company_name ? [companyNameKey(company_name)] : []),
    ...(company_domain ? [readHost(company_domain)] : []),
    ...(address ? [emailDomain(address)] : []),
  ];
}

function namesPerson(list: Compiled, fields: NamedFields): boolean {
  const name = foldName(`${fields.first_name ?? ''} ${fields.last_name ?? ''}`);
  if (name === '') return false;
  return listEmployers(fields).some((employer) => list.keys.has(`person:${name}|${employer}`));
}

/** The fields of a request that are named in JSON text, which a log may have shortened. */
function readJsonFields(text: string): NamedFields {
  const fields: Partial<Record<RowInputField, string>> = {};
  for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":\s*("(?:[^"\\]|\\.)*")/g)) {
    const field = name === 'company_website' ? 'company_domain' : name;
    if (isRowInputField(field)) fields[field] = JSON.parse(value) as string;
  }
  return fields;
}

function compile(entries: readonly { kind: SuppressionKind; key: string }[]): Compiled {
  return {
    keys: new Set(entries.map(({ kind, key }) => `${kind}:${key}`)),
    kinds: new Set(entries.map(({ kind }) => kind)),
  };
}

function createList(version: number, list: Compiled): SuppressionList {
  const { keys, kinds } = list;
  return {
    version,
    isEmpty: keys.size === 0,
    kinds,
    hasPerson: (uuid) => keys.has(`person:${uuid.toLowerCase()}`),
    hasEmail(text) {
      const email = readEmailKey(text);
      return email !== '' && hasAny(list, listEmailKeys(email));
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
      const texts = cells.length > 0 ? cells : Object.values(fields);
      return texts.some((text) => namesText(list, text, country));
    },
    namesJson(text) {
      if (keys.size === 0) return false;
      return this.namesAny(readJsonFields(text), [text]);
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
