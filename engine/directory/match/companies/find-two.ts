/** Finds cells that name two organisations. Such a row means neither. */
import { organisationTokens } from '../../normalize/messy/organisation-tokens.ts';
import { isKindWord } from '../../normalize/messy/organisation-words.ts';
import type { OrgResolver } from '../graded/organisations/resolve-organisation.ts';
import type { NameFits } from './compare-name.ts';

const twoMin = 0.9;
/** A name with a total fit of at least this belongs to one organisation. */
const wholeMin = 0.97;
const betweenTwo = /\s+(?:\/|&|and|\+|\|)\s+|\s*;\s*/gi;

/** "Holdings / Acme" names one organisation. */
const isKindAlone = (text: string): boolean => organisationTokens(text).every(isKindWord);

/** Whether a name consists of the names of two organisations, one after the other. */
export function holdsTwo(resolver: OrgResolver, name: string, names: NameFits): boolean {
  if (names.fits.some((fit) => fit.key === 'name' || fit.aligned >= wholeMin)) return false;
  const topOf = (text: string): readonly [group: number, score: number] => {
    let top: [number, number] = [-1, 0];
    for (const [group, score] of resolver.resolve(text).scores)
      if (score > top[1]) top = [group, score];
    return top;
  };
  for (const found of name.matchAll(betweenTwo)) {
    const [left, right] = [name.slice(0, found.index), name.slice(found.index + found[0].length)];
    const [one, oneScore] = topOf(left.trim());
    const [two, twoScore] = topOf(right.trim());
    if (isKindAlone(left) || isKindAlone(right)) continue;
    if (one !== two && oneScore >= twoMin && twoScore >= twoMin) return true;
  }
  return false;
}
