// People of the population, in the directory or not: names drawn as often as people have them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  areGivenSpellings,
  areOneWritten,
} from '../../engine/directory/normalize/messy/spelling-key.ts';
import type { Draws } from '../generate-draws.ts';
import { foldJoined } from './text.ts';
import { weighted } from './weighted.ts';

/** A list of names of one kind. */
export interface NameList {
  /** Of a million people, those with a name; 0 for a name that the list lacks. */
  perMillion(name: string): number;
  draw(draws: Draws): string;
  /**
   * Another name that differs from a name by a letter or an ending, and is no spelling of it, as
   * often as people have it; null if there is none.
   */
  drawNear(name: string, draws: Draws): string | null;
}

const endings = [
  's',
  'son',
  'sen',
  'en',
  'er',
  'man',
  'a',
  'e',
  'o',
  'ia',
  'ina',
  'ine',
  'ette',
  'i',
];
const lettersMin = 3;

/** Every text without one of its letters. */
const withoutOne = (name: string): string[] =>
  [...name].map((_letter, at) => name.slice(0, at) + name.slice(at + 1));

function createList(
  shares: ReadonlyMap<string, number>,
  areSpellings: (one: string, other: string) => boolean,
): NameList {
  const names = [...shares.keys()];
  const sums: number[] = [];
  let sum = 0;
  for (const share of shares.values()) {
    sum += share;
    sums.push(sum);
  }
  const long = names.filter((name) => name.length >= lettersMin);
  const isLong = new Set(long);
  const byPart = new Map<string, string[]>();
  for (const name of long)
    for (const part of new Set(withoutOne(name))) {
      const list = byPart.get(part);
      if (list) list.push(name);
      else byPart.set(part, [name]);
    }
  return {
    perMillion: (name) => shares.get(foldJoined(name)) ?? 0,
    draw(draws) {
      const wanted = draws.random() * sum;
      let low = 0;
      let high = names.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sums[middle]! < wanted) low = middle + 1;
        else high = middle;
      }
      return names[low]!;
    },
    drawNear(written, draws) {
      const name = foldJoined(written);
      const found = new Set<string>();
      for (const part of withoutOne(name)) {
        if (isLong.has(part)) found.add(part);
        for (const other of byPart.get(part) ?? []) found.add(other);
      }
      for (const other of byPart.get(name) ?? []) found.add(other);
      for (const ending of endings) {
        if (isLong.has(name + ending)) found.add(name + ending);
        if (name.endsWith(ending) && isLong.has(name.slice(0, -ending.length)))
          found.add(name.slice(0, -ending.length));
      }
      const others = [...found].filter((other) => other !== name && !areSpellings(other, name));
      const pick = weighted(others.map((other) => ({ other, weight: shares.get(other)! })));
      return others.length === 0 ? null : pick(draws).other;
    },
  };
}

/** The names of the population. */
export interface Population {
  readonly given: NameList;
  readonly surname: NameList;
}

let read: Population | null = null;

/** Reads the table of name frequencies that ships with the engine. */
export function readPopulation(): Population {
  if (read) return read;
  const path = join(import.meta.dirname, '../../resources/matching/name-frequencies.txt.gz');
  const given = new Map<string, number>();
  const surname = new Map<string, number>();
  for (const line of gunzipSync(readFileSync(path)).toString('latin1').split('\n')) {
    const [kind, number, ...names] = line.split(' ');
    const into = kind === 'surname' ? surname : given;
    for (const name of names) into.set(name, (into.get(name) ?? 0) + 2 ** (Number(number) / 2));
  }
  read = {
    given: createList(given, areGivenSpellings),
    surname: createList(surname, areOneWritten),
  };
  return read;
}

/** How common whole names are is measured by the people of a large country. */
const countryPeople = 1e8;
/** People of a million with a name that no list has. */
const unlisted = { given: 1, surname: 0.5 };

/** Of the people with a name, so many may be called by a short form of it. */
const calledShare = 0.2;

/**
 * How many people of a large country are expected to have a whole name.
 * @param longForms names of which the given name may be a short form
 */
export function countNamesakes(
  given: string,
  last: string,
  longForms: Iterable<string> = [],
): number {
  const { given: ofGiven, surname } = readPopulation();
  const called = [...longForms].map((name) => ofGiven.perMillion(name) * calledShare);
  const one = Math.max(ofGiven.perMillion(given) || unlisted.given, ...called);
  const other = surname.perMillion(last) || unlisted.surname;
  return (one * other * countryPeople) / 1e12;
}
