/** Puts the keys of people into the order of people, so that bounded lists end at the same one. */
import { groupByOwner, releaseNumbers } from './index-lists.ts';
import type { KeyLists } from './index-people.ts';
import { createNumberList } from './index-postings.ts';

/** The keys by person, each once. The given lists are freed. */
export function sortKeys({ keys, tags, people }: KeyLists, peopleCount: number): KeyLists {
  const { order } = groupByOwner(people.view(), peopleCount);
  const sorted = {
    keys: createNumberList(),
    tags: createNumberList(),
    people: createNumberList(),
  };
  let first = 0;
  for (const at of order) {
    const [key, tag, person] = [keys.at(at), tags.at(at), people.at(at)];
    if (first < sorted.people.length && sorted.people.at(first) !== person)
      first = sorted.people.length;
    let known = first;
    while (known < sorted.keys.length && !isPair(sorted, known, key, tag)) known++;
    if (known < sorted.keys.length) continue;
    sorted.keys.push(key);
    sorted.tags.push(tag);
    sorted.people.push(person);
  }
  for (const list of [keys, tags, people]) releaseNumbers(list.view());
  return sorted;
}

const isPair = ({ keys, tags }: KeyLists, at: number, key: number, tag: number): boolean =>
  keys.at(at) === key && tags.at(at) === tag;
