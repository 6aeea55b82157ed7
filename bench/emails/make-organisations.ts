// Organisations with a known mix of habits, for people whose real addresses no open list has. The
// mix is a guess about businesses; nothing in the product is tuned to it.
import { createDraws, type Draws } from '../generate-draws.ts';
import { capitalize, createNames, dropAccents, type Names } from '../generate-names.ts';
import type { CsvRow } from '../messy/sample-people.ts';

const organisationsCount = 600;
/** Shares of the habits; `first` and `last` are without accents, spaces and apostrophes. */
const habits: readonly (readonly [
  share: number,
  write: (first: string, last: string) => string,
])[] = [
  [0.42, (first, last) => `${first}.${last}`],
  [0.24, (first, last) => `${first.charAt(0)}${last}`],
  [0.1, (first) => first],
  [0.06, (first, last) => `${first}${last}`],
  [0.05, (first, last) => `${first}${last.charAt(0)}`],
  [0.05, (first, last) => `${first.charAt(0)}.${last}`],
  [0.04, (first, last) => `${last}.${first}`],
  [0.04, (first, last) => `${first}_${last}`],
];
/** Organisations in which some people have addresses of a second habit, and the share of those. */
const mixed = { organisations: 0.2, people: 0.25 };
/** People with an address of no habit: a number, a name before marriage. */
const exceptions = 0.03;
/** People with two surnames, a hyphen between them. */
const doubled = 0.04;
const sizes = { least: 4, spread: 60 };

function drawHabit({ random }: Draws) {
  let left = random();
  return habits.find(([share]) => {
    left -= share;
    return left < 0;
  })?.[1];
}

const spell = (text: string, keep: RegExp): string =>
  dropAccents(text).toLowerCase().replace(keep, '');

function drawPerson(draws: Draws, names: Names): { first: string; last: string } {
  const first = capitalize(names.firsts[names.drawFirst()] ?? '');
  const last = () => capitalize(names.lasts[names.drawLast()] ?? '');
  return { first, last: draws.isHit(doubled) ? `${last()}-${last()}` : last() };
}

/** Rows of people.csv with a true address each, repeatable for a seed. */
export function* makeOrganisations(seed: number): Generator<CsvRow> {
  const draws = createDraws(seed);
  const names = createNames(draws);
  for (let at = 0; at < organisationsCount; at += 1) {
    const [usual, other] = [drawHabit(draws), drawHabit(draws)];
    const keep = draws.isHit(0.5) ? /[^a-z0-9]/g : /[^a-z0-9-]/g;
    const isMixed = draws.isHit(mixed.organisations);
    const taken = new Set<string>();
    const size = sizes.least + Math.floor(sizes.spread * draws.random() ** 2);
    for (let nth = 0; nth < size; nth += 1) {
      const { first, last } = drawPerson(draws, names);
      const habit = isMixed && draws.isHit(mixed.people) ? other : usual;
      const plain = habit?.(spell(first, keep), spell(last, keep)) ?? '';
      let local = draws.isHit(exceptions) ? `${plain}${2 + draws.below(90)}` : plain;
      while (taken.has(local)) local += '2';
      taken.add(local);
      yield {
        person_id: `o${at}-${nth}`,
        first_name: first,
        last_name: last,
        organization: `Organisation ${at}`,
        title: 'Buyer',
        is_current: '1',
        email: `${local}@org${at}.com`,
      };
    }
  }
}
