// How the local part of an email fits a person's names: "jsmith", "smith.j", "john.smith".
import { typingDistance } from '../../normalize/messy/weighted-distance.ts';
import { localFit } from './levels.ts';
import type { PersonView } from './people-view.ts';

const cutLocal = 8;
const nearLettersMin = 6;
const nearDistance = 1.1;

/** The fit of letters with one given name and one surname. */
function fitOf(letters: string, given: string, surname: string, middles: readonly string[]) {
  const initial = given.slice(0, 1);
  if (given.length > 1 && (letters === given + surname || letters === surname + given))
    return localFit.whole;
  if (letters === initial + surname || letters === surname + initial) return localFit.initial_last;
  for (const middle of middles)
    if (letters === initial + middle + surname || letters === surname + initial + middle)
      return localFit.initial_last;
  if (given.length > 2 && letters === given + surname[0]) return localFit.first_initial;
  if (surname.length >= cutLocal && letters === initial + surname.slice(0, cutLocal - 1))
    return localFit.first_initial;
  if (surname.length > 3 && letters === surname) return localFit.last;
  if (surname.length > 3 && letters.includes(surname)) return localFit.has_last;
  if (given.length > 3 && letters === given) return localFit.first;
  if (letters.length < nearLettersMin) return localFit.none;
  for (const pattern of [given + surname, initial + surname, surname + initial])
    if (typingDistance(letters, pattern, nearDistance) <= nearDistance) return localFit.near;
  return localFit.none;
}

/** The surest fits first. */
const order = [
  localFit.whole,
  localFit.initial_last,
  localFit.first_initial,
  localFit.last,
  localFit.near,
  localFit.has_last,
  localFit.first,
  localFit.none,
];
const rankOf = order.reduce<number[]>((ranks, fit, at) => {
  ranks[fit] = at;
  return ranks;
}, []);

/** The best fit of a local part with any of a person's names; a number of localFit. */
export function compareLocal(local: string, view: PersonView): number {
  const letters = local.toLowerCase().replace(/[^a-z]/g, '');
  let best: number = localFit.none;
  if (letters.length < 2) return best;
  const middles = view.middles.map(({ text }) => text.slice(0, 1));
  for (const { whole } of view.surnames) {
    if (whole.text.length < 2) continue;
    for (const list of [view.given, view.otherGiven])
      for (const given of list) {
        const fit = fitOf(letters, given.text, whole.text, middles);
        if (rankOf[fit]! < rankOf[best]!) best = fit;
        if (best === localFit.whole) return best;
      }
  }
  return best;
}
