// The sections that only the graded comparison reads.
import { phoneticKey } from '../normalize/messy/phonetic-key.ts';
import type { GatheredCompanies } from './index-companies.ts';
import { type Dictionary, hashText, textAt } from './index-dictionary.ts';
import { listGrams } from './index-grams.ts';
import { factKinds } from './index-layout.ts';
import { groupByOwner, pick } from './index-lists.ts';
import { contentOfOrganisations } from './index-organisations.ts';
import type { GatheredPeople } from './index-people.ts';
import { createNumberList, type NumberList } from './index-postings.ts';

/** Values by 32-bit key. */
export interface Keyed {
  readonly keys: NumberList;
  readonly people: NumberList;
}

export const isSurnameFact = (fact: number): boolean => {
  const kind = fact & 15;
  return kind >= factKinds.last && kind <= factKinds.lastPart;
};

function listSurnames(owners: Uint32Array, facts: Uint32Array, namesCount: number) {
  const names = createNumberList();
  const people = createNumberList();
  for (let at = 0; at < facts.length; at++) {
    if (!isSurnameFact(facts[at]!)) continue;
    names.push(facts[at]! >>> 4);
    people.push(owners[at]!);
  }
  const lists = groupByOwner(names.view(), namesCount);
  const surnames = createNumberList();
  for (let name = 0; name < namesCount; name++)
    if (lists.starts[name + 1]! > lists.starts[name]!) surnames.push(name);
  return { starts: lists.starts, people: pick(people.view(), lists.order), surnames };
}

function listGroupPeople(people: GatheredPeople, companies: GatheredCompanies) {
  const groups = createNumberList();
  const members = createNumberList();
  const { people: owners, packed } = people.jobs;
  for (let job = 0; job < owners.length; job++) {
    const company = packed.at(job) >>> 2;
    if (company === 0) continue;
    groups.push(companies.groups[company - 1]!);
    members.push(owners.at(job));
  }
  const groupsCount = companies.groupTokens.starts.length - 1;
  const lists = groupByOwner(groups.view(), groupsCount);
  const all = pick(members.view(), lists.order);
  const kept = createNumberList();
  const starts = new Uint32Array(groupsCount + 1);
  for (let group = 0; group < groupsCount; group++) {
    const own = all.subarray(lists.starts[group]!, lists.starts[group + 1]!).sort();
    for (let at = 0; at < own.length; at++) if (own[at] !== own[at - 1]) kept.push(own[at]!);
    starts[group + 1] = kept.length;
  }
  return { starts, people: kept.view() };
}

/** Surnames by letter pair and by phonetic key. @param surnames their name numbers */
export function listSurnameWords(names: Dictionary, surnames: Uint32Array) {
  const phonetics: Keyed = { keys: createNumberList(), people: createNumberList() };
  for (const name of surnames) {
    const key = phoneticKey(textAt(names, name));
    if (key.length < 2) continue;
    phonetics.keys.push(hashText(key));
    phonetics.people.push(name);
  }
  const grams = listGrams(names, surnames);
  return { phonetics, content: { nameGramStarts: grams.starts, nameGrams: grams.words } };
}

export function contentOfOrganisationWords(companies: GatheredCompanies) {
  const groupsCount = companies.groupTokens.starts.length - 1;
  const organisations = contentOfOrganisations(companies.organisations, groupsCount);
  const orgGrams = listGrams(organisations.words, organisations.spelled);
  return { ...organisations.content, orgGramStarts: orgGrams.starts, orgGrams: orgGrams.words };
}

export function contentOfGraded(people: GatheredPeople, companies: GatheredCompanies) {
  const byPerson = groupByOwner(people.facts.people.view(), people.ids.length);
  const namesCount = people.names.count();
  const surnames = listSurnames(people.facts.people.view(), people.facts.values.view(), namesCount);
  const words = listSurnameWords(people.names.finish(), surnames.surnames.view());
  const groupPeople = listGroupPeople(people, companies);
  return {
    phonetics: words.phonetics,
    content: {
      factStarts: byPerson.starts,
      facts: pick(people.facts.values.view(), byPerson.order),
      lastPeopleStarts: surnames.starts,
      lastPeople: surnames.people,
      ...words.content,
      groupPeopleStarts: groupPeople.starts,
      groupPeople: groupPeople.people,
      ...contentOfOrganisationWords(companies),
    },
  };
}
