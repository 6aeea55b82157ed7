// Decides whether the exact passes settle a row: only if nothing in it contradicts their answer.
import type { MatchIndex } from '../index/index-layout.ts';
import { mayBeAroundPerson } from './graded/readings/around-person.ts';
import type { Holders, Query } from './match-query.ts';
import type { Judgement } from './match-score.ts';

const settledScore = 0.965;
const settledMargin = 0.024;
const settledNameFit = 0.97;
/** The same with a URL or an email that only this person holds. */
const keyedNameFit = 0.9;
/** A given name without a surname, with a URL or an email that only this person holds. */
const keyedFirstNameScore = 0.95;
const keyedScore = 0.99;
/** Signs of two people, of two names or of an organisation in a cell for a name. */
const doubtfulName = /[&/;+|@:()[\]{}"\r\n]|\s(?:and|und|et|y|or|oder|ou|og|och|ve|at)\s/i;
/** A word between two names, which is an initial in capitals: "Ana i Pau Puig". */
const letterBetween = /\p{Ll}\s(?:[ie]|u\.)\s\p{Lu}/u;
/** A digit in a name is a typing error, unless the person's name has it too. */
const digit = /\d/;
/** Words of rows that try something out. */
export const testWords: readonly string[] = ['test', 'dummy', 'sample', 'example', 'asdf'];
const doubtfulWord = new RegExp(`\\b(?:${testWords.join('|')})\\b`, 'i');

const isOnlyHolder = (people: readonly number[], person: number): boolean =>
  people.length === 1 && people[0] === person;

/**
 * Whether the best candidate of the exact passes is the answer.
 * @param secondScore the next candidate's score; 0 if there is none
 * @param name the cells of the row's name as they are written; '' if both are words of letters
 */
export function isSettled(
  index: MatchIndex,
  query: Query,
  holders: Holders,
  { person, score, nameFit }: Judgement,
  secondScore: number,
  name: string,
): boolean {
  const { firsts, lasts } = query.name;
  const isFirstNameOfHolder =
    firsts.length > 0 &&
    lasts.length === 0 &&
    (isOnlyHolder(holders.ofUrl, person) || isOnlyHolder(holders.ofEmail, person));
  const scoreMin = isFirstNameOfHolder ? keyedFirstNameScore : settledScore;
  if (score < scoreMin || score - secondScore < settledMargin) return false;
  const isHolder = (people: readonly number[]): boolean =>
    people.length === 0 || people.includes(person);
  if (!isHolder(holders.ofUrl) || !isHolder(holders.ofEmail)) return false;
  const hasName = firsts.length > 0 || lasts.length > 0;
  const nameFitMin = score >= keyedScore ? keyedNameFit : settledNameFit;
  const isWhole = firsts.length > 0 || query.name.peerage !== null;
  if (hasName && !isFirstNameOfHolder && (nameFit < nameFitMin || !isWhole)) return false;
  const generation = index.sections.personGenerations[person]!;
  if (query.name.generation > 0 && generation > 0 && query.name.generation !== generation)
    return false;
  if (digit.test(name) && nameFit < 1) return false;
  const isDoubtful = [doubtfulName, letterBetween, doubtfulWord].some((sign) => sign.test(name));
  return !isDoubtful && !mayBeAroundPerson(name);
}
