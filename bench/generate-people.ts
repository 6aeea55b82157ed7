// Generated people and their jobs, as rows of people.csv: one row per employment.
import type { Company } from './generate-companies.ts';
import type { Draws } from './generate-draws.ts';
import { capitalize, type Names, spellMailbox, spellPlain } from './generate-names.ts';
import { drawLevel, drawTitle, jobFunctions } from './generate-titles.ts';

/** All people by number, with the fields that the list needs. */
export interface People {
  /** Positions in Names.firsts and Names.lasts. */
  readonly firsts: Uint16Array;
  readonly lasts: Uint16Array;
  readonly companies: Int32Array;
  /** The company before; -1 without one. */
  readonly formers: Int32Array;
  /** Their addresses at both, also if the directory does not know them. */
  readonly emails: string[];
  readonly formerEmails: string[];
}

/** Allocates this many people. */
export function createPeople(count: number): People {
  return {
    firsts: new Uint16Array(count),
    lasts: new Uint16Array(count),
    companies: new Int32Array(count),
    formers: new Int32Array(count).fill(-1),
    emails: [],
    formerEmails: [],
  };
}

/** The URL of a person's profile. */
export function spellProfileUrl(first: string, last: string, person: number): string {
  const slug = `${spellPlain(first) || 'x'}-${spellPlain(last) || 'x'}-${person.toString(36)}`;
  return `https://www.linkedin.example/in/${slug}`;
}

/** The sources of people. */
export interface PeopleSources {
  readonly draws: Draws;
  readonly names: Names;
  readonly drawCountry: () => string;
  readonly drawCompany: () => number;
  readonly companies: readonly Company[];
}

interface Job {
  readonly company: number;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly email: string;
}

/** Unique addresses. */
function createMailboxes() {
  const taken = new Set<string>();
  return (mailbox: string, domain: string) => {
    let email = `${mailbox}@${domain}`;
    for (let copy = 2; taken.has(email); copy++) email = `${mailbox}${copy}@${domain}`;
    taken.add(email);
    return email;
  };
}

const month = (number: number) => String(number).padStart(2, '0');

/** A person's jobs, the current one first, with the fields of the current one. */
function makeJobs(
  { draws, names, drawCountry, drawCompany, companies }: PeopleSources,
  nameAt: { readonly first: string; readonly last: string },
  takeMailbox: ReturnType<typeof createMailboxes>,
): { readonly jobs: readonly Job[]; readonly country: string; readonly knownEmail: string } {
  const { below, isHit, pick } = draws;
  const [first, last] = [spellPlain(nameAt.first) || 'x', spellPlain(nameAt.last) || 'x'];
  const count = 1 + [0.55, 0.35, 0.15].filter((share) => isHit(share)).length;
  let year = 2026 - below(4);
  const jobFunction = pick(jobFunctions);
  let country = '';
  let knownEmail = '';
  const jobs = Array.from({ length: count }, (_job, at): Job => {
    const number = drawCompany();
    const company = companies[number] as Company;
    if (at === 0) country = isHit(0.9) ? company.country : drawCountry();
    const level = drawLevel(draws);
    const email = takeMailbox(spellMailbox(first, last, number), company.domain);
    if (at === 0) knownEmail = isHit(0.85) ? email : '';
    const startYear = year - 1 - below(5);
    const title = drawTitle(draws, names, level, jobFunction);
    const start = `${startYear}-${month(1 + below(12))}-01`;
    const end = at === 0 ? '' : `${year}-${month(1 + below(12))}-01`;
    year = startYear;
    return { company: number, title, start, end, email };
  });
  return { jobs, country, knownEmail };
}

/** Generates people; yields the header and the rows of their jobs, and fills `people`. */
export function* makePeople(sources: PeopleSources, people: People): Generator<string[]> {
  yield [
    'person_id',
    'first_name',
    'last_name',
    'organization',
    'org_id',
    'title',
    'start',
    'end',
    'is_current',
    'profile_url',
    'email',
    'mobile',
    'direct_phone',
    'city',
    'country',
  ];
  const { draws, names, companies } = sources;
  const { below, isHit } = draws;
  const takeMailbox = createMailboxes();
  const drawPhone = (share: number) => (isHit(share) ? `+1${2_000_000_000 + below(2 ** 31)}` : '');
  for (let at = 0; at < people.firsts.length; at++) {
    const [firstAt, lastAt] = [names.drawFirst(), names.drawLast()];
    people.firsts[at] = firstAt;
    people.lasts[at] = lastAt;
    const [first, last] = [names.firsts[firstAt] ?? '', names.lasts[lastAt] ?? ''];
    const { jobs, country, knownEmail } = makeJobs(sources, { first, last }, takeMailbox);
    people.companies[at] = jobs[0]?.company ?? 0;
    people.formers[at] = jobs[1]?.company ?? -1;
    people.emails[at] = jobs[0]?.email ?? '';
    people.formerEmails[at] = jobs[1]?.email ?? '';
    const [mobile, direct] = [drawPhone(0.4), drawPhone(0.3)];
    const city = capitalize(names.lasts[below(3_000)] ?? '');
    // Draws a date of an update that no column contains, so that later draws stay the same.
    below(9);
    below(9);
    const head = [`p${at}`, capitalize(first), capitalize(last)];
    const url = spellProfileUrl(first, last, at);
    for (const [rank, { company, title, start, end, email }] of jobs.entries()) {
      const job = [companies[company]?.full ?? '', `c${company}`, title, start, end];
      const current = rank === 0 ? ['1', url, knownEmail] : ['0', url, email];
      yield [...head, ...job, ...current, mobile, direct, city, country];
    }
  }
}
