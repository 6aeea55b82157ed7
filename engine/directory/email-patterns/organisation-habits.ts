/**
 * The habits of one organisation, from the people of the directory who work or worked there: the
 * domain of its addresses, their forms, and the addresses that two people would share.
 */
import { setImmediate as yieldThread } from 'node:timers/promises';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';
import { isDisposableDomain, isFreeMailDomain } from '../normalize/reference-tables.ts';
import { type Habits, learnHabits, listLikelyLocals, type Witness } from './learn-habits.ts';
import { type Spelling, spellName } from './name-spellings.ts';

export interface OrganisationHabits {
  /** The domain that most of its current people have addresses at. */
  readonly domain: string;
  /** The share of that domain among their addresses; 0 to 1. */
  readonly domainShare: number;
  readonly habits: Habits;
  /** The parts before the @ that more than one of its people would get. */
  readonly shared: ReadonlySet<string>;
}

/** The columns of a name; `others` is a JSON array of first names with the same surname. */
export interface NameColumns {
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly nickname: string | null;
  readonly others: string;
}

/** The SQL of NameColumns for the person p. */
export const nameColumnsSql = (schema: string): string =>
  `p.first_name AS firstName, p.middle_name AS middleName, p.last_name AS lastName, p.nickname,
   (SELECT json_group_array(n.first_name) FROM ${schema}.person_name n
    WHERE n.person_id = p.id AND n.last_name = p.last_name COLLATE NOCASE) AS others`;

export function spellColumns({ nickname, others, ...name }: NameColumns): Spelling[] {
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

/** The company, and the others with the same website domain. */
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

/** Whether an address shows a habit: of a person, at a domain of an organisation. */
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

/** The addresses that several of the people would get. */
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
export async function learnOrganisation(
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
