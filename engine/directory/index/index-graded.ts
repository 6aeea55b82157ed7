/** The sections that only the graded comparison reads. */
import { phoneticKey } from '../normalize/messy/phonetic-key.ts';
import type { GatheredCompanies } from './index-companies.ts';
import { hashText } from './index-dictionary.ts';
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

const isSurnameFact = (fact: number): boolean => {
  const kind = fact & 15;
  return kind >= factKinds.last && kind <= factKinds.lastPart;
};

/** People by surname number, and the surnames. */
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

/** The people of each group, without duplicates. */
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

/** The content of the sections, and the surnames by their phonetic keys. */
export function contentOfGraded(people: GatheredPeople, companies: GatheredCompanies) {
  const byPerson = groupByOwner(people.facts.people.view(), people.ids.length);
  const namesCount = people.names.count();
  const surnames = listSurnames(people.facts.people.view(), people.facts.values.view(), namesCount);
  const phonetics: Keyed = { keys: createNumberList(), people: createNumberList() };
  for (const name of surnames.surnames.view()) {
    const key = phoneticKey(people.names.text(name));
    if (key.length < 2) continue;
    phonetics.keys.push(hashText(key));
    phonetics.people.push(name);
  }
  const names = people.names.finish();
  const grams = listGrams(names, surnames.surnames.view());
  const groupPeople = listGroupPeople(people, companies);
  const groupsCount = companies.groupTokens.starts.length - 1;
  const organisations = contentOfOrganisations(companies.organisations, groupsCount);
  const orgGrams = listGrams(organisations.words, organisations.spelled);
  return {
    phonetics,
    content: {
      factStarts: byPerson.starts,
      facts: pick(people.facts.values.view(), byPerson.order),
      lastPeopleStarts: surnames.starts,
      lastPeople: surnames.people,
      nameGramStarts: grams.starts,
      nameGrams: grams.words,
      groupPeopleStarts: groupPeople.starts,
      groupPeople: groupPeople.people,
      ...organisations.content,
      orgGramStarts: orgGrams.starts,
      orgGrams: orgGrams.words,
    },
  };
}
