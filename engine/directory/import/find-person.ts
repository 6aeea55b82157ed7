// Finds the person of a row by the rules of identity (docs/rules.md, "The directory").
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import {
  areNamesCompatible,
  areSpelledAlike,
  type GivenName,
  listLastKeys,
} from '../normalize/compatible-names.ts';
import { foldText } from '../normalize/fold-text.ts';
import { companyNameKey } from '../normalize/normalize-company.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';
import { type PersonFacts, tellsNobody } from './decode/read-person-row.ts';
import { type ImportContext, type PlacedFacts, readRecord, readSource } from './import-context.ts';
import type { SurnameAt } from './namesakes.ts';
import { uuidV5 } from './uuid-v5.ts';
import { findOtherId, readListed, readPersonKeys } from './write-listing.ts';

/** A found person, or the id of a new one; or why the row is refused. */
export type FoundPerson =
  | {
      readonly id: number | null;
      readonly uuid: string;
      readonly isKeptApart: boolean;
      /** The id that the same list gave the person before; absent if there is none. */
      readonly firstId?: string;
    }
  | { readonly refusal: string };

interface KnownPerson {
  readonly id: number;
  readonly uuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string | null;
  readonly profile_key: string | null;
  readonly import_id: number;
  /** Whether the id is that of a record that was merged into this person. */
  readonly isMerged?: true;
}

const columns = 'id, uuid, first_name, last_name, nickname, profile_key, import_id';

export function nameOf(facts: PersonFacts): GivenName {
  return { first: facts.person.values.first_name ?? '', last: facts.person.values.last_name ?? '' };
}

function isNamedLike(known: KnownPerson, facts: PersonFacts): boolean {
  const name = nameOf(facts);
  const { first_name: first, last_name: last, nickname } = known;
  return (
    areNamesCompatible(name, { first, last }) ||
    (!!nickname && areNamesCompatible(name, { first: nickname, last }))
  );
}

/** Whether a row has a name of a record that was merged into a person. */
function isNamedAsBefore(db: WritableDatabase, known: KnownPerson, facts: PersonFacts): boolean {
  const others = statement<GivenName>(
    db,
    'SELECT first_name AS first, last_name AS last FROM person_name WHERE person_id = ?',
  ).all(known.id);
  return others.some((other) => areNamesCompatible(nameOf(facts), other));
}

function readPeople(
  db: WritableDatabase,
  where: string,
  values: Readonly<Record<string, unknown>>,
): KnownPerson[] {
  return statement<KnownPerson>(db, `SELECT ${columns} FROM person WHERE ${where}`).all(values);
}

function readByUuid(context: ImportContext, uuid: string): KnownPerson | undefined {
  return readPeople(context.db, 'uuid = @uuid', { uuid })[0] ?? readMerged(context.db, uuid);
}

/** The survivor of a person who was merged. The source that knows the id is that of the record. */
function readMerged(db: WritableDatabase, uuid: string): KnownPerson | undefined {
  const merged = statement<{ id: number; import_id: number }>(
    db,
    "SELECT survivor_id AS id, import_id FROM merged_record WHERE uuid = ? AND kind = 'person'",
  ).get(uuid);
  const [known] = merged ? readPeople(db, 'id = @id', { id: merged.id }) : [];
  return known && merged && { ...known, import_id: merged.import_id, isMerged: true };
}

/** Holders of a profile URL, at most two. */
function findByUrl(db: WritableDatabase, key: string): KnownPerson[] {
  return readPeople(
    db,
    `id IN (SELECT id FROM person WHERE profile_key = @key UNION ALL
       SELECT person_id FROM person_key WHERE kind = 'profile_url' AND value = @key) LIMIT 2`,
    { key },
  );
}

/** Holders of an address, at most two. */
function findByEmail(db: WritableDatabase, email: string): KnownPerson[] {
  return readPeople(
    db,
    `id IN (SELECT person_id FROM employment WHERE email = @email UNION ALL
       SELECT person_id FROM person_key WHERE kind = 'email' AND value = @email) LIMIT 2`,
    { email },
  );
}

/** The profile, and the addresses that are a person's own. */
export function readKeys(facts: PersonFacts): { url: string; emails: string[] } {
  const emails = [facts.employment?.values.email ?? '', facts.person.personalEmail];
  return {
    url: facts.person.profileKey,
    emails: emails.filter((email) => email !== '' && !isRoleMailbox(email)),
  };
}

/** Whether a person has another address, of those that count, at the domain of a row's address. */
function hasOtherAddress(
  { db }: ImportContext,
  known: KnownPerson,
  email: string,
  counts: (email: string) => boolean,
): boolean {
  if (email === '') return false;
  const held = statement<{ email: string }>(
    db,
    'SELECT email FROM employment WHERE person_id = ? AND email IS NOT NULL',
  ).all(known.id);
  return held.some(
    (other) =>
      other.email.toLowerCase() !== email.toLowerCase() &&
      emailDomain(other.email) === emailDomain(email) &&
      counts(other.email),
  );
}

/** Whether two people with one name at one employer are distinguished by values that both have. */
function areApart(context: ImportContext, known: KnownPerson, facts: PersonFacts): boolean {
  const { url, emails } = readKeys(facts);
  if (url !== '' && known.profile_key && known.profile_key !== url) return true;
  // A list has each person once: a second address at one domain is a second person of that name.
  const isOwn = (email: string) => !isRoleMailbox(email);
  return (
    context.seenPeople.has(known.id) && hasOtherAddress(context, known, emails[0] ?? '', isOwn)
  );
}

/** More people than this of one surname at one employer are kept in memory. */
const crowdMin = 32;
/** The people of an employer are looked at, not those of the surname, if these are as few. */
const fewColleagues = 64;

const worksThere = `EXISTS
  (SELECT 1 FROM employment e WHERE e.company_id = @companyId AND e.person_id = person.id)`;
const isColleague = 'id IN (SELECT person_id FROM employment WHERE company_id = @companyId)';

/** People of a surname at an employer, at most one more than crowdMin. */
function readNamesakes({ db }: ImportContext, pair: SurnameAt): KnownPerson[] {
  const { colleagues } = statement<{ colleagues: number }>(
    db,
    `SELECT count(*) AS colleagues FROM
       (SELECT 1 FROM employment WHERE company_id = @companyId LIMIT ${fewColleagues + 1})`,
  ).get(pair)!;
  const where =
    colleagues > fewColleagues
      ? `last_key = @lastKey AND ${worksThere}`
      : `+last_key = @lastKey AND ${isColleague}`;
  return readPeople(db, `${where} LIMIT ${crowdMin + 1}`, { ...pair });
}

/** The people of a row's name at its employer, at most two. */
function findByEmployer(context: ImportContext, facts: PlacedFacts): KnownPerson[] {
  const name = nameOf(facts);
  const { companyId } = facts;
  if (companyId === null || name.first === '' || name.last === '') return [];
  for (const lastKey of listLastKeys(name)) {
    const found = findNamesake(context, facts, { lastKey, companyId });
    if (found.length > 0) return found;
  }
  return [];
}

/** The people of a row's name among those of one surname at its employer, at most two. */
function findNamesake(context: ImportContext, facts: PersonFacts, pair: SurnameAt): KnownPerson[] {
  const { db, namesakes } = context;
  const name = nameOf(facts);
  const isMeant = (known: KnownPerson): boolean =>
    known.first_name !== '' && isNamedLike(known, facts) && !areApart(context, known, facts);
  let crowd = namesakes.of(pair);
  if (crowd === null) {
    const few = readNamesakes(context, pair);
    if (few.length <= crowdMin) return few.filter(isMeant).slice(0, 2);
    const where = `last_key = @lastKey AND ${worksThere}`;
    crowd = namesakes.keep(
      pair,
      readPeople(db, where, { ...pair }).map(({ id }) => id),
    );
  }
  const { url, emails } = readKeys(facts);
  const [email = ''] = emails;
  const holders = email === '' ? [] : findByEmail(db, email).map(({ id }) => id);
  const found = new Map<number, KnownPerson>();
  const take = (id: number): void => {
    const [known] = readPeople(db, `id = @id AND last_key = @lastKey AND ${worksThere}`, {
      id,
      ...pair,
    });
    if (known && isMeant(known)) found.set(id, known);
  };
  holders.forEach(take);
  for (const id of crowd.list({ name, url, domain: emailDomain(email) })) {
    if (found.size > 1) break;
    if (!found.has(id)) take(id);
  }
  return [...found.values()];
}

/** The id of a row without one: the same row of the same source is the same person. */
export function uuidOfRow(source: string, facts: PersonFacts): string {
  const { url, emails } = readKeys(facts);
  const { first, last } = nameOf(facts);
  const employer = companyNameKey(facts.employment?.company?.values.name ?? '');
  const words = [source, url, emails[0] ?? '', first, last, employer];
  return uuidV5(`desk:person:${words.join('|')}`);
}

/** A key that several people hold, or one under another name, identifies no person. */
function findByFacts(context: ImportContext, facts: PlacedFacts): readonly KnownPerson[] {
  const { db } = context;
  const { url, emails } = readKeys(facts);
  const holders = [
    ...(url ? [findByUrl(db, url)] : []),
    ...emails.map((email) => findByEmail(db, email)),
  ].flatMap((people) =>
    people.length === 1 ? people.filter((known) => isNamedLike(known, facts)) : [],
  );
  const found = holders.length ? holders : findByEmployer(context, facts);
  return [...new Map(found.map((known) => [known.id, known])).values()];
}

function findWithoutId(context: ImportContext, facts: PlacedFacts): FoundPerson {
  const uuid = uuidOfRow(context.claimant.source, facts);
  const sameRow = readByUuid(context, uuid);
  if (sameRow) return { id: sameRow.id, uuid, isKeptApart: false };
  const found = findByFacts(context, facts);
  if (found.length > 1)
    return {
      refusal:
        'The row was refused because it fits two people in the directory. ' +
        'Add the id of the right one.',
    };
  const [known] = found;
  return { id: known?.id ?? null, uuid: known?.uuid ?? uuid, isKeptApart: false };
}

/** Whether anything besides the id says that a known person is that of another source's row. */
function agrees(
  context: ImportContext,
  known: KnownPerson,
  facts: readonly PersonFacts[],
): boolean {
  const { db, claimant } = context;
  if (readSource(db, known.import_id) === claimant.source) return true;
  return facts.some((row) => {
    const { first, last } = nameOf(row);
    if ((first !== '' || last !== '') && isNamedLike(known, row)) return true;
    if (known.isMerged && isNamedAsBefore(db, known, row)) return true;
    const { url, emails } = readKeys(row);
    const held = readPersonKeys(db, known.id);
    return [url, ...emails].some((key) => held.has(key.toLowerCase()));
  });
}

/** The person to which a list gave this id, and which another list had added before. */
function findListed(
  context: ImportContext,
  givenId: string,
  rows: readonly PersonFacts[],
): KnownPerson | undefined {
  for (const { id, importId } of readListed(context.db, 'person', givenId)) {
    const [person] = readPeople(context.db, 'id = @id', { id });
    if (!person) continue;
    const known = { ...person, import_id: importId };
    if (agrees(context, known, rows)) return known;
  }
  return undefined;
}

/**
 * The name of another person who alone has the work email of a row, under another name, while the
 * row's person has one already; null if there is none.
 */
export function findEmailOwner(
  { db }: ImportContext,
  id: number,
  facts: PersonFacts,
): string | null {
  const email = facts.employment?.values.email ?? '';
  if (email === '' || isRoleMailbox(email)) return null;
  const [owner, ...others] = findByEmail(db, email);
  if (!owner || others.length > 0 || owner.id === id || isNamedLike(owner, facts)) return null;
  const own = statement<{ email: string }>(
    db,
    'SELECT email FROM employment WHERE person_id = ? AND email IS NOT NULL LIMIT 1',
  ).get(id);
  return own ? `${owner.first_name} ${owner.last_name}`.trim() : null;
}

const differ = (one: string, other: string): boolean =>
  one !== '' && other !== '' && foldText(one) !== foldText(other);

/**
 * Whether a list has a person twice, found by what its second row says: they share an email or the
 * profile, or the same name, employer and phone. Values that differ are those of two people.
 */
function isDouble({ db }: ImportContext, known: KnownPerson, facts: PersonFacts): boolean {
  const { url, emails } = readKeys(facts);
  const { suffix = '', middle_name: middle = '' } = facts.person.values;
  const own = readRecord(db, 'person', known.id);
  const [ownSuffix, ownMiddle] = [String(own.suffix ?? ''), String(own.middle_name ?? '')];
  if (differ(suffix, ownSuffix) || differ(middle.slice(0, 1), ownMiddle.slice(0, 1))) return false;
  const isOwnPage = url !== '' && known.profile_key === url;
  if (url !== '' && known.profile_key && !isOwnPage) return false;
  const held = statement<{ email: string }>(
    db,
    `SELECT lower(email) AS email FROM employment WHERE person_id = @id AND email IS NOT NULL UNION
     SELECT lower(value) FROM person_key WHERE person_id = @id AND kind = 'email'`,
  )
    .all({ id: known.id })
    .map(({ email }) => email)
    .filter((email) => !isRoleMailbox(email));
  if (emails.length > 0 && held.length > 0)
    return emails.some((email) => held.includes(email.toLowerCase()));
  if (isOwnPage) return true;
  const ownName = { first: known.first_name, last: known.last_name };
  if (!areSpelledAlike(nameOf(facts), ownName)) return false;
  const numbers = statement<{ number: string }>(
    db,
    'SELECT number FROM person_phone WHERE person_id = ?',
  ).all(known.id);
  const { phones } = facts.person;
  return numbers.some(({ number }) => phones.some((phone) => phone.number === number));
}

/**
 * The one person of a row with a new id. Two lists that give one name two ids and two addresses at
 * one domain list two people, and so does a list that gives a person another id, unless it has the
 * person twice.
 */
function findWithNewId(context: ImportContext, facts: PlacedFacts): FoundPerson | undefined {
  const found = findByFacts(context, facts);
  const [known] = found;
  if (!known || found.length > 1) return undefined;
  const firstId = findOtherId(context, 'person', known.id, facts.person.givenId);
  const isOther =
    firstId === ''
      ? hasOtherAddress(context, known, facts.employment?.values.email ?? '', () => true) &&
        findEmailOwner(context, known.id, facts) === null
      : !isDouble(context, known, facts);
  if (isOther) return undefined;
  const { id, uuid } = known;
  return { id, uuid, isKeptApart: false, ...(firstId !== '' && { firstId }) };
}

/** Whether a person works at the employer of a row, or has its phone. */
function sharesWork({ db }: ImportContext, { id }: KnownPerson, facts: PlacedFacts): boolean {
  const { companyId } = facts;
  const numbers = JSON.stringify(facts.person.phones.map(({ number }) => number));
  const shared = statement(
    db,
    `SELECT 1 FROM employment WHERE person_id = @id AND company_id = @companyId
     UNION ALL SELECT 1 FROM person_phone
       WHERE person_id = @id AND number IN (SELECT value FROM json_each(@numbers))`,
  ).get({ id, companyId, numbers });
  return shared !== undefined;
}

/**
 * The person of rows that name a person by the id alone, as an update of a CRM does. Two lists may
 * give one id to two people: that of another list needs the same employer or phone.
 */
function findByIdAlone(context: ImportContext, rows: readonly PlacedFacts[]): FoundPerson {
  const { db, claimant } = context;
  const { uuid = '', givenId = '' } = rows[0]?.person ?? {};
  const listed = readListed(db, 'person', givenId).flatMap(({ id, importId }) =>
    readPeople(db, 'id = @id', { id }).map((known) => ({ ...known, import_id: importId })),
  );
  const apart = uuidV5(`desk:person:${claimant.source}:${givenId}`);
  const known = [readByUuid(context, apart), readByUuid(context, uuid), ...listed].flatMap(
    (one) => one ?? [],
  );
  const own = known.find(({ import_id }) => readSource(db, import_id) === claimant.source);
  const shared = known.filter((one) => rows.some((row) => sharesWork(context, one, row)));
  const [found] = own ? [own] : shared;
  if (found && (own || shared.every(({ id }) => id === found.id)))
    return { id: found.id, uuid: found.uuid, isKeptApart: false };
  return {
    refusal:
      'The row was refused because it has no name, email or profile URL, and no known person ' +
      `with the id ${givenId} has its employer or phone. Fill in one of them.`,
  };
}

/** Finds the person of a group of rows with the same id, or of a single row without an id. */
export function findPerson(context: ImportContext, rows: readonly PlacedFacts[]): FoundPerson {
  const [facts] = rows;
  if (!facts) throw new Error('a group has at least one row');
  const { claimant } = context;
  const { uuid, givenId } = facts.person;
  if (rows.every(tellsNobody)) return findByIdAlone(context, rows);
  if (givenId === '') return findWithoutId(context, facts);
  const ofId = readByUuid(context, uuid);
  if (ofId && agrees(context, ofId, rows)) return { id: ofId.id, uuid, isKeptApart: false };
  const listed = findListed(context, givenId, rows);
  if (listed) return { id: listed.id, uuid: listed.uuid, isKeptApart: false };
  const apart = ofId ? uuidV5(`desk:person:${claimant.source}:${givenId}`) : uuid;
  const keptApart = ofId && readByUuid(context, apart);
  if (keptApart) return { id: keptApart.id, uuid: apart, isKeptApart: true };
  return (
    findWithNewId(context, facts) ?? { id: null, uuid: apart, isKeptApart: ofId !== undefined }
  );
}
