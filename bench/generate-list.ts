// The generated list: four of five rows mean a person of the directory, with real-life noise.
import type { Company } from './generate-companies.ts';
import type { Draws } from './generate-draws.ts';
import { nicknamesOf } from './generate-name-words.ts';
import {
  capitalize,
  dropAccents,
  misspell,
  type Names,
  spellMailbox,
  spellPlain,
} from './generate-names.ts';
import { type People, spellProfileUrl } from './generate-people.ts';

/** The sources of the rows. */
export interface ListSources {
  readonly draws: Draws;
  readonly names: Names;
  readonly companies: readonly Company[];
  readonly drawCompany: () => number;
  readonly people: People;
}

const legalForms = ['Inc', 'LLC', 'Ltd', 'Limited', 'Corp.', 'GmbH', 'Group'];
const notes = [
  'met at "Expo" 2025, follow up',
  'line one\nline two',
  'priority, EMEA',
  'called; no answer',
];

function drawNote({ pick, isHit, below }: Draws): string {
  if (isHit(0.02)) return pick(notes);
  return isHit(0.5) ? `lead ${below(1e6)}` : '';
}

function blurCompany(draws: Draws, { name, full }: Company): string {
  const kind = draws.random();
  if (kind < 0.4) return name;
  if (kind < 0.5) return `${name} ${draws.pick(legalForms)}`;
  if (kind < 0.55) return full.toUpperCase();
  if (kind < 0.6) return misspell(draws, name);
  if (kind < 0.63) return name.split(' ')[0] ?? '';
  return kind < 0.65 ? `The ${name}` : full;
}

/** A name as another person wrote it. */
function blurName(draws: Draws, plainFirst: string, plainLast: string): [string, string] {
  const { isHit, pick } = draws;
  let [first, last] = [capitalize(plainFirst), capitalize(plainLast)];
  const nicknames = nicknamesOf.get(plainFirst);
  if (nicknames && isHit(0.25)) first = capitalize(pick(nicknames));
  else if (isHit(0.03)) first = misspell(draws, first);
  else if (isHit(0.02)) first = `${first.charAt(0)}.`;
  if (isHit(0.04)) last = misspell(draws, last);
  if (isHit(0.02)) [first, last] = [last, first];
  if (isHit(0.04)) return [first.toUpperCase(), last.toUpperCase()];
  if (isHit(0.03)) return [first.toLowerCase(), ` ${last.toLowerCase()} `];
  return isHit(0.03) ? [dropAccents(first), dropAccents(last)] : [first, last];
}

/** The cells of a row for a person, except its reference and note. */
function describePerson({ draws, names, companies, people }: ListSources, at: number): string[] {
  const { isHit } = draws;
  const [first, last] = [
    names.firsts[people.firsts[at] ?? 0] ?? '',
    names.lasts[people.lasts[at] ?? 0] ?? '',
  ];
  const former = people.formers[at] ?? -1;
  const isFormer = former >= 0 && isHit(0.2);
  const employer = companies[isFormer ? former : (people.companies[at] ?? 0)] as Company;
  const company = isHit(0.97) ? blurCompany(draws, employer) : '';
  let email = isHit(0.6) ? ((isFormer ? people.formerEmails : people.emails)[at] ?? '') : '';
  if (email && isHit(0.02)) email = misspell(draws, email);
  const url = isHit(0.15) ? spellProfileUrl(first, last, at) : '';
  return [...blurName(draws, first, last), company, email, url];
}

/** The same for a person outside the directory. */
function describeStranger({ draws, names, companies, drawCompany }: ListSources): string[] {
  const { isHit, below } = draws;
  const first = capitalize(names.firsts[names.drawFirst()] ?? '');
  const last = capitalize(names.lasts[names.drawLast()] ?? '');
  const employer = companies[drawCompany()] as Company;
  const company = blurCompany(draws, employer);
  let email = '';
  if (isHit(0.6)) {
    const [plainFirst, plainLast] = [spellPlain(first) || 'x', spellPlain(last) || 'x'];
    const mailbox = spellMailbox(plainFirst, plainLast, below(5)) + below(100);
    email = `${mailbox}@${isHit(0.7) ? employer.domain : 'gmail.com'}`;
  }
  return [first, last, company, email, ''];
}

/**
 * Generates as many rows as `truth` is long; yields the header and the rows, and writes the number
 * of each row's person into `truth`, -1 for strangers.
 */
export function* makeList(sources: ListSources, truth: Int32Array): Generator<string[]> {
  yield ['row_ref', 'first_name', 'last_name', 'company_name', 'email', 'profile_url', 'notes'];
  const { draws, people } = sources;
  for (let at = 0; at < truth.length; at++) {
    const note = drawNote(draws);
    const person = draws.isHit(0.8) ? draws.below(people.firsts.length) : -1;
    truth[at] = person;
    const cells = person < 0 ? describeStranger(sources) : describePerson(sources, person);
    yield [`R${at}`, ...cells, note];
  }
}
