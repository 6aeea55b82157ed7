// Infers the work email of a person from the addresses of others at the same organisation
// (docs/rules.md, "Inferred emails"). An inference is never a report about the address.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { inferredProbabilityMin } from '../../contract/limits/directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';
import { isDisposableDomain, isFreeMailDomain } from '../normalize/reference-tables.ts';
import { readGeneration } from '../open-directory.ts';
import { type AddressForm, addressForms, needsMiddle, writeLocal } from './address-forms.ts';
import {
  type Choice,
  type HabitKind,
  habitShares,
  type Spelling,
  spellName,
} from './name-spellings.ts';

interface Witness {
  readonly spellings: readonly Spelling[];
  /** The part of the address before the @, in lower case. */
  readonly local: string;
}

interface Habits {
  readonly count: number;
  readonly middleCount: number;
  /** Forms with enough witnesses. */
  readonly forms: ReadonlyMap<AddressForm, number>;
  readonly choices: ReadonlyMap<Choice, number>;
}

interface LikelyLocal {
  readonly local: string;
  readonly form: AddressForm;
  readonly witnesses: number;
  /** Witnesses whose names have every part of the form. */
  readonly of: number;
  /** 0 to 1. */
  readonly probability: number;
}

const witnessesMin = 3;
/** An organisation without exceptions so far counts as having half a one among one more witness. */
const doubt = { witnesses: 1, share: 0.5 };
/** The habits of other organisations count as many witnesses of a choice. */
const habitWitnesses = 3;
/** People leave, marry and share names, so that no inference is certain. */
const probabilityMax = 0.98;

const add = <Key>(counts: Map<Key, number>, key: Key) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

export function learnHabits(witnesses: Iterable<Witness>): Habits {
  const forms = new Map<AddressForm, number>();
  const choices = new Map<Choice, number>();
  let [count, middleCount] = [0, 0];
  for (const { spellings, local } of witnesses) {
    count += 1;
    if (spellings[0]?.middle) middleCount += 1;
    // An address that several spellings explain is read as the first, the plainest.
    let read: Spelling | undefined;
    for (const form of addressForms) {
      const spelling = spellings.find((one) => writeLocal(form, one) === local);
      if (!spelling) continue;
      add(forms, form);
      read ??= spelling;
    }
    for (const choice of read?.choices ?? []) add(choices, choice);
  }
  const used = new Map([...forms].filter(([, known]) => known >= witnessesMin));
  return { count, middleCount, forms: used, choices };
}

/** The share of a choice: the organisation's own counts, and those of others as a few more. */
function choiceShare({ choices }: Habits, choice: Choice): number {
  const [kind, way] = choice.split(':') as [HabitKind, string];
  const shares: Readonly<Record<string, number>> = habitShares[kind];
  const known = Object.keys(shares).map((one) => choices.get(`${kind}:${one}` as Choice) ?? 0);
  const total = known.reduce((sum, one) => sum + one, 0);
  const others = habitWitnesses * (shares[way] ?? 0);
  return ((choices.get(choice) ?? 0) + others) / (total + habitWitnesses);
}

export function listLikelyLocals(habits: Habits, spellings: readonly Spelling[]): LikelyLocal[] {
  return [...habits.forms].flatMap(([form, witnesses]) => {
    const of = needsMiddle(form) ? habits.middleCount : habits.count;
    const formShare = (witnesses + doubt.witnesses * doubt.share) / (of + doubt.witnesses);
    const locals = new Map<string, number>();
    for (const spelling of spellings) {
      const local = writeLocal(form, spelling);
      if (local === null) continue;
      const shares = spelling.choices.map((choice) => choiceShare(habits, choice));
      const share = shares.reduce((product, one) => product * one, spelling.share);
      locals.set(local, (locals.get(local) ?? 0) + share);
    }
    return [...locals].map(([local, share]) => {
      const probability = Math.min(probabilityMax, formShare * share);
      return { local, form, witnesses, of, probability };
    });
  });
}

/**
 * The habits of one organisation, from the people of the directory who work or worked there: the
 * domain of its addresses, their forms, and the addresses that two people would share.
 */
interface OrganisationHabits {
  /** The domain that most of its current people have addresses at. */
  readonly domain: string;
  /** The share of that domain among their addresses; 0 to 1. */
  readonly domainShare: number;
  readonly habits: Habits;
  /** The parts before the @ that more than one of its people would get. */
  readonly shared: ReadonlySet<string>;
}

/** The columns of a name; `others` is a JSON array of first names with the same surname. */
interface NameColumns {
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly nickname: string | null;
  readonly others: string;
}

/** The SQL of NameColumns for the person p. */
const nameColumnsSql = (schema: string): string =>
  `p.first_name AS firstName, p.middle_name AS middleName, p.last_name AS lastName, p.nickname,
   (SELECT json_group_array(n.first_name) FROM ${schema}.person_name n
    WHERE n.person_id = p.id AND n.last_name = p.last_name COLLATE NOCASE) AS others`;

function spellColumns({ nickname, others, ...name }: NameColumns): Spelling[] {
  const otherFirstNames = others === '[]' ? [] : (JSON.parse(others) as string[]);
  return spellName({
    ...name,
    otherFirstNames: nickname === null ? otherFirstNames : [nickname, ...otherFirstNames],
  });
}

interface Member extends NameColumns {
  readonly id: number;
  readonly personId: number;
  readonly isSuppressed: 0 | 1;
  readonly isCurrent: 0 | 1;
  readonly email: string | null;
  readonly status: string | null;
}

/** Employments that are read before other work of the thread gets a turn. */
const pageEmployments = 200;
/** A domain of more companies belongs to none of them: a host of websites, or of franchises. */
const companiesMax = 50;
/** An address that is less probable than this for a person keeps no other from having it. */
const claimMin = 0.2;

function listCompanies(
  db: ReadableDatabase,
  schema: string,
  { companyId, website }: { companyId: number; website: string | null },
): number[] {
  if (website === null || isFreeMailDomain(website)) return [companyId];
  const ids = statement<{ id: number }>(
    db,
    `SELECT id FROM ${schema}.company WHERE domain = ? LIMIT ${companiesMax + 1}`,
  ).all(website);
  return ids.length > companiesMax
    ? [companyId]
    : [...new Set([companyId, ...ids.map(({ id }) => id)])];
}

/** Every employment at the companies. Yields the thread between two pages. */
async function* readMembers(
  db: ReadableDatabase,
  schema: string,
  companies: readonly number[],
): AsyncGenerator<Member> {
  const sql = `SELECT e.id, e.person_id AS personId, p.suppressed AS isSuppressed,
    e.is_current AS isCurrent, e.email, e.email_status AS status, ${nameColumnsSql(schema)}
    FROM ${schema}.employment e JOIN ${schema}.person p ON p.id = e.person_id
    WHERE e.company_id = ? AND e.id > ? ORDER BY e.id LIMIT ${pageEmployments}`;
  for (const company of companies) {
    let after = 0;
    for (;;) {
      const page = statement<Member>(db, sql).all(company, after);
      yield* page;
      if (page.length < pageEmployments) break;
      after = page.at(-1)?.id ?? after;
      await yieldThread();
    }
  }
}

function isWorkAddress(email: string, domain: string, status: string | null): boolean {
  if (status === 'invalid' || status === 'disposable' || status === 'role') return false;
  return !isFreeMailDomain(domain) && !isDisposableDomain(domain) && !isRoleMailbox(email);
}

/** The witnesses at one domain, by person, and how many of them still work there. */
interface DomainWitnesses {
  readonly people: Map<number, Witness>;
  readonly current: Set<number>;
}

async function collectWitnesses(
  members: AsyncGenerator<Member>,
): Promise<Map<string, DomainWitnesses>> {
  const byDomain = new Map<string, DomainWitnesses>();
  for await (const { personId, email, status, isSuppressed, isCurrent, ...name } of members) {
    if (email === null || isSuppressed) continue;
    const domain = emailDomain(email);
    if (!isWorkAddress(email, domain, status)) continue;
    const spellings = spellColumns(name);
    if (spellings.length === 0) continue;
    const found = byDomain.get(domain) ?? { people: new Map(), current: new Set() };
    byDomain.set(domain, found);
    const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
    found.people.set(personId, { spellings, local });
    if (isCurrent) found.current.add(personId);
  }
  return byDomain;
}

async function findShared(
  members: AsyncGenerator<Member>,
  habits: Habits,
): Promise<ReadonlySet<string>> {
  const claims = new Map<string, number>();
  const shared = new Set<string>();
  for await (const { personId, ...name } of members)
    for (const { local, probability } of listLikelyLocals(habits, spellColumns(name))) {
      if (probability < claimMin) continue;
      const claimant = claims.get(local);
      if (claimant === undefined) claims.set(local, personId);
      else if (claimant !== personId) shared.add(local);
    }
  return shared;
}

/**
 * Learns the habits of a company. Null if its current people have no addresses, or too few of one
 * form. A domain that only former people have addresses at is a former domain and is not used.
 */
async function learnOrganisation(
  db: ReadableDatabase,
  schema: 'directory' | 'main',
  company: { readonly companyId: number; readonly website: string | null },
): Promise<OrganisationHabits | null> {
  const read = (companies: readonly number[]) => readMembers(db, schema, companies);
  const companies = listCompanies(db, schema, company);
  const byDomain = await collectWitnesses(read(companies));
  const ranked = [...byDomain].sort((a, b) => b[1].current.size - a[1].current.size);
  const [domain, witnesses] = ranked[0] ?? [];
  if (domain === undefined || !witnesses || witnesses.current.size === 0) return null;
  const habits = learnHabits(witnesses.people.values());
  const total = ranked.reduce((sum, [, { current }]) => sum + current.size, 0);
  const shared = await findShared(read(companies), habits);
  return { domain, domainShare: witnesses.current.size / total, habits, shared };
}

export interface Inference {
  readonly email: string;
  /** 0 to 1. */
  readonly probability: number;
  readonly form: AddressForm;
  readonly witnesses: number;
  /** People at the domain whose addresses were compared. */
  readonly of: number;
}

export interface EmailInference {
  /** The probable work email. Null if the person has one, left or is suppressed, or for a guess. */
  infer(personId: number): Promise<Inference | null>;
}

/** Organisations whose habits are remembered, about 2 KB each. */
const organisationsMax = 10_000;

interface Target extends NameColumns {
  readonly companyId: number;
  readonly website: string | null;
}

const findTarget = (db: ReadableDatabase, schema: string, personId: number): Target | undefined =>
  statement<Target>(
    db,
    `SELECT e.company_id AS companyId, nullif(c.domain, '') AS website, ${nameColumnsSql(schema)}
     FROM ${schema}.person p
     JOIN ${schema}.employment e ON e.id = p.employment_id AND e.is_current = 1
     JOIN ${schema}.company c ON c.id = e.company_id
     WHERE p.id = ? AND p.suppressed = 0 AND p.has_left = 0
       AND (e.email IS NULL OR e.email_status = 'invalid')`,
  ).get(personId);

/**
 * Whether the directory has the address, of any person: current or former, suppressed or not.
 * @param schema the name of the directory on the connection
 */
export const isKnownAddress = (
  db: ReadableDatabase,
  schema: 'directory' | 'main',
  email: string,
): boolean =>
  statement(
    db,
    `SELECT 1 FROM ${schema}.employment WHERE email = @email
     UNION ALL SELECT 1 FROM ${schema}.person_key WHERE kind = 'email' AND value = @email LIMIT 1`,
  ).get({ email }) !== undefined;

export function createEmailInference(
  db: ReadableDatabase,
  schema: 'directory' | 'main',
): EmailInference {
  const learned = new Map<number, OrganisationHabits | null>();
  let generation = -1;
  const readHabits = async (target: Target): Promise<OrganisationHabits | null> => {
    const current = readGeneration(db);
    if (current !== generation) learned.clear();
    generation = current;
    const known = learned.get(target.companyId);
    if (known !== undefined) return known;
    const found = await learnOrganisation(db, schema, target);
    const [oldest] = learned.keys();
    if (learned.size >= organisationsMax && oldest !== undefined) learned.delete(oldest);
    // An import may have changed the people while they were read.
    if (readGeneration(db) === current && generation === current)
      learned.set(target.companyId, found);
    return found;
  };
  return {
    async infer(personId) {
      const target = findTarget(db, schema, personId);
      if (!target) return null;
      const organisation = await readHabits(target);
      if (!organisation) return null;
      const { domain, domainShare, habits, shared } = organisation;
      const [best] = listLikelyLocals(habits, spellColumns(target)).sort(
        (a, b) => b.probability - a.probability,
      );
      if (!best || shared.has(best.local)) return null;
      const probability = Math.round(best.probability * domainShare * 1_000) / 1_000;
      const email = `${best.local}@${domain}`;
      if (probability < inferredProbabilityMin || isKnownAddress(db, schema, email)) return null;
      const { form, witnesses, of } = best;
      return { email, probability, form, witnesses, of };
    },
  };
}
