// The people of one surname at one employer, if many, in memory by what tells them apart.
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type GivenName, listHeldKeys, listSoughtKeys } from '../normalize/compatible-names.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';

export interface SurnameAt {
  readonly lastKey: string;
  readonly companyId: number;
}

export interface Telling {
  readonly name: GivenName;
  /** Key of the profile URL, '' if it has none. */
  readonly url: string;
  /** Domain of the email, '' if it has none. */
  readonly domain: string;
}

export interface Namesakes {
  /** The people of a surname at an employer; null if they are not kept. */
  of(pair: SurnameAt): Crowd | null;
  keep(pair: SurnameAt, ids: readonly number[]): Crowd;
  note(id: number): void;
}

export interface Crowd {
  /**
   * Ids of people who may be compatible with a name and are not told apart by a URL or by a second
   * address at the domain. May repeat ids, and have some of people who changed.
   */
  list(telling: Telling): Iterable<number>;
}

interface Member {
  readonly nameKeys: ReadonlySet<string>;
  readonly url: string;
  /** Domains of the addresses that this import gave; [''] if there is none. */
  readonly domains: readonly string[];
}

type IdsBy = Map<string, Set<number>>;

interface Bucket {
  readonly byUrl: IdsBy;
  /** By domain. */
  readonly withoutUrl: IdsBy;
  readonly withUrl: IdsBy;
}

/** Ids that are kept in memory at most: about 20 MB. */
const keptMax = 100_000;

function addTo(map: IdsBy, key: string, id: number): void {
  const ids = map.get(key);
  if (ids) ids.add(id);
  else map.set(key, new Set([id]));
}

function removeFrom(map: IdsBy, key: string, id: number): void {
  const ids = map.get(key);
  ids?.delete(id);
  if (ids?.size === 0) map.delete(key);
}

function createCrowd(readMember: (id: number) => Member) {
  const members = new Map<number, Member>();
  const buckets = new Map<string, Bucket>();
  const change = (id: number, { nameKeys, url, domains }: Member, apply: typeof addTo): void => {
    for (const nameKey of nameKeys) {
      const empty = { byUrl: new Map(), withoutUrl: new Map(), withUrl: new Map() };
      const bucket: Bucket = buckets.get(nameKey) ?? empty;
      buckets.set(nameKey, bucket);
      if (url !== '') apply(bucket.byUrl, url, id);
      const groups = url === '' ? bucket.withoutUrl : bucket.withUrl;
      for (const domain of domains) apply(groups, domain, id);
    }
  };
  return {
    put(id: number): void {
      const before = members.get(id);
      if (before) change(id, before, removeFrom);
      const member = readMember(id);
      members.set(id, member);
      change(id, member, addTo);
    },
    *list({ name, url, domain }: Telling): Iterable<number> {
      for (const nameKey of listSoughtKeys(name)) {
        const bucket = buckets.get(nameKey);
        if (!bucket) continue;
        yield* bucket.byUrl.get(url) ?? [];
        for (const groups of url === '' ? [bucket.withoutUrl, bucket.withUrl] : [bucket.withoutUrl])
          for (const [ofDomain, ids] of groups)
            if (domain === '' || ofDomain !== domain) yield* ids;
      }
    },
  };
}

/** @param isSeen whether the import has written a person */
export function createNamesakes(db: WritableDatabase, isSeen: (id: number) => boolean): Namesakes {
  const crowds = new Map<string, ReturnType<typeof createCrowd>>();
  let keptCount = 0;
  const keyOf = ({ lastKey, companyId }: SurnameAt): string => `${companyId}|${lastKey}`;
  const readMember = (id: number): Member => {
    const row = statement<{ first: string; last: string; nickname: string; url: string }>(
      db,
      `SELECT first_name AS first, last_name AS last, coalesce(nickname, '') AS nickname,
         coalesce(profile_key, '') AS url FROM person WHERE id = ?`,
    ).get(id)!;
    const jobs = statement<{ email: string }>(
      db,
      'SELECT email FROM employment WHERE person_id = ? AND email IS NOT NULL',
    ).all(id);
    const { first, last, nickname, url } = row;
    const nicknamed = nickname === '' ? [] : listHeldKeys({ first: nickname, last });
    const domains = isSeen(id)
      ? jobs.filter(({ email }) => !isRoleMailbox(email)).map(({ email }) => emailDomain(email))
      : [];
    return {
      nameKeys: new Set([...listHeldKeys({ first, last }), ...nicknamed]),
      url,
      domains: domains.length > 0 ? domains : [''],
    };
  };
  return {
    of: (pair) => crowds.get(keyOf(pair)) ?? null,
    keep(pair, ids) {
      keptCount += ids.length;
      if (keptCount > keptMax) {
        crowds.clear();
        keptCount = ids.length;
      }
      const crowd = createCrowd(readMember);
      for (const id of ids) crowd.put(id);
      crowds.set(keyOf(pair), crowd);
      return crowd;
    },
    note(id) {
      if (crowds.size === 0) return;
      const pairs = statement<SurnameAt>(
        db,
        `SELECT DISTINCT p.last_key AS lastKey, e.company_id AS companyId
         FROM person p JOIN employment e ON e.person_id = p.id WHERE p.id = ?`,
      ).all(id);
      for (const pair of pairs) {
        const crowd = crowds.get(keyOf(pair));
        if (!crowd) continue;
        keptCount++;
        crowd.put(id);
      }
    },
  };
}
