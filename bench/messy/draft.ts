// A row of a messy list under construction: its cells, and what they still say about the person.
import type { Draws } from '../generate-draws.ts';
import type { Company, Directory, Job, Person } from './sample-people.ts';

/** Columns of a messy list; the first five are those of the development lists. */
export const cellNames = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'phone',
  'company_domain',
  'title',
] as const;
/** A column of a messy list. */
export type CellName = (typeof cellNames)[number];
/** The cells of a row, '' if empty. */
export type Cells = Record<CellName, string>;

/** What a row says of the person in any cell, recorded before cells change their columns. */
export interface Clues {
  given: string;
  last: string;
  company: string;
  /** Host name of the employer, in an email or a domain. */
  domain: string;
  /** Whether the row has a legible email or URL that only this person holds. */
  hasKey: boolean;
  /** Whether the row has a phone that only this person holds. */
  hasPhone: boolean;
}

/** A row under construction. */
export interface Draft {
  readonly person: Person;
  readonly job: Job;
  readonly cells: Cells;
  readonly clues: Clues;
}

/** The sources of chance and of other people. */
export interface Source {
  readonly draws: Draws;
  readonly directory: Directory;
  /** Another person of the same split who is in the directory. */
  drawOther(): Person;
}

/** The order in which kinds of these groups are applied. */
export const groups = [
  'identifier',
  'given name',
  'surname',
  'whole name',
  'organisation',
  'text',
  'columns',
] as const;
/** The subject of a kind of dirt. */
export type Group = (typeof groups)[number];

/** One kind of dirt: a row of a table. */
export interface Kind {
  readonly name: string;
  readonly group: Group;
  /** A description for the readers of a table. */
  readonly does: string;
  /** How often it is drawn, relative to the other weights. */
  readonly weight: number;
  /** Cells that it may change; all others stay. */
  readonly changes: readonly CellName[];
  /** Changes the cells, or leaves all of them if it does not apply. */
  apply(draft: Draft, source: Source): void;
}

/** The company of a draft's job; undefined if the directory has none. */
export const companyOf = (draft: Draft, { directory }: Source): Company | undefined =>
  directory.companies.get(draft.job.companyId);

/** Domains of web mail, which identify no employer. */
export const webMailDomains: readonly string[] = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'aol.com',
];

const domains = new WeakMap<Directory, Map<string, string>>();

/** The host name of most emails of a company's people. */
function emailDomainOf(companyId: string, directory: Directory): string {
  const counts = new Map<string, number>();
  for (const { emails, jobs } of directory.byCompany.get(companyId) ?? [])
    if (jobs.length === 1)
      for (const email of emails) {
        const domain = email.slice(email.indexOf('@') + 1);
        if (!webMailDomains.includes(domain)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
      }
  return [...counts].sort((one, two) => two[1] - one[1])[0]?.[0] ?? '';
}

/** The host name of the employer's emails, otherwise of its website; '' if it has neither. */
export function domainOf(draft: Draft, source: Source): string {
  const { companyId } = draft.job;
  const known = domains.get(source.directory) ?? new Map<string, string>();
  domains.set(source.directory, known);
  const domain =
    known.get(companyId) ??
    (emailDomainOf(companyId, source.directory) || (companyOf(draft, source)?.domain ?? ''));
  known.set(companyId, domain);
  return domain;
}

/** A clean row about a job of a person. */
export function createDraft(person: Person, job: Job): Draft {
  const { given, last } = person;
  return {
    person,
    job,
    cells: {
      first_name: given,
      last_name: last,
      company_name: job.company,
      email: '',
      profile_url: '',
      phone: '',
      company_domain: '',
      title: '',
    },
    clues: { given, last, company: job.company, domain: '', hasKey: false, hasPhone: false },
  };
}

/** Records the clues of the names and the company before columns change. */
export function readClues({ cells, clues }: Draft): void {
  clues.given = cells.first_name;
  clues.last = cells.last_name;
  clues.company = cells.company_name;
}
