// Titles in the rows of messy lists: the person's, a later one, or that of someone else.
import { createDraws, type Draws } from '../generate-draws.ts';
import { drawLevel, drawTitle, jobFunctions } from '../generate-titles.ts';
import type { Draft } from './draft.ts';
import type { Directory } from './sample-people.ts';
import { hashText } from './text.ts';

/** Rows that say a title, where their kinds of dirt have not filled the column. */
const titledShare = 0.35;
/** Rows of a person with the title of the job: few people change the function. */
const ownShare = 0.92;
/** A list is often about one field of work, in which strangers have similar titles. */
const sameFieldShare = 0.1;
/** Titles of companies; the others are those of people of the directory. */
const companyShare = 0.8;

const drawCompanyTitle = (draws: Draws): string =>
  drawTitle(
    draws,
    { drawWord: () => draws.pick(['Global', 'East', 'Retail']) },
    drawLevel(draws),
    draws.pick(jobFunctions),
  );

function drawOtherTitle(draws: Draws, { people }: Directory): string {
  if (draws.isHit(companyShare)) return drawCompanyTitle(draws);
  const { jobs } = draws.pick(people);
  return draws.pick(jobs).title;
}

/**
 * Adds a title to a share of the rows, drawn by the row alone, so that other draws stay as they
 * are.
 * @param isOwn the row is about the person of the draft, who may be hidden
 */
export function addTitle(
  { cells, person, job }: Draft,
  isOwn: boolean,
  directory: Directory,
): void {
  const { first_name: first, last_name: last, company_name: company } = cells;
  const draws = createDraws(hashText(['title', person.id, first, last, company].join('|')));
  if (cells.title !== '' || !draws.isHit(titledShare)) return;
  cells.title = draws.isHit(isOwn ? ownShare : sameFieldShare)
    ? job.title
    : drawOtherTitle(draws, directory);
}
