// Job titles of generated people: a level, a function, sometimes a region.
import type { Draws } from './generate-draws.ts';
import type { Names } from './generate-names.ts';

/** Functions, with the names of their staff. */
const roles: Readonly<Record<string, string>> = {
  Sales: 'Account Executive',
  Marketing: 'Marketing Specialist',
  Engineering: 'Mechanical Engineer',
  'Software Engineering': 'Software Engineer',
  Finance: 'Financial Analyst',
  'Human Resources': 'Recruiter',
  Operations: 'Operations Analyst',
  Product: 'Product Owner',
  'Information Technology': 'Systems Administrator',
  'Customer Success': 'Customer Success Representative',
  Legal: 'Counsel',
  Procurement: 'Buyer',
  'Data Science': 'Data Scientist',
  Design: 'UX Designer',
  'Business Development': 'Business Development Representative',
  'Supply Chain': 'Logistics Coordinator',
  'Quality Assurance': 'QA Engineer',
  Communications: 'Communications Specialist',
  Research: 'Research Scientist',
  Administration: 'Office Administrator',
};
/** The functions of people. */
export const jobFunctions: readonly string[] = Object.keys(roles);

const chiefs: Readonly<Record<string, string>> = {
  Sales: 'Chief Revenue Officer',
  Marketing: 'Chief Marketing Officer',
  Engineering: 'Chief Technology Officer',
  'Software Engineering': 'CTO',
  Finance: 'Chief Financial Officer',
  Operations: 'Chief Operating Officer',
  Legal: 'General Counsel',
  'Human Resources': 'Chief People Officer',
  Product: 'Chief Product Officer',
  'Information Technology': 'CIO',
};
const otherChiefs = ['Chief Executive Officer', 'CEO', 'Founder & CEO', 'Managing Director'];
const regions = [
  '',
  '',
  '',
  '',
  ', EMEA',
  ', North America',
  ', APAC',
  ' - Enterprise',
  ' - Mid Market',
  ' (Interim)',
];

/** The titles of a level, with an open region; and their share of 100 people. */
export interface Level {
  readonly share: number;
  /** Titles in a function; null for a chief officer. */
  readonly ways: ((jobFunction: string) => readonly string[]) | null;
}
const levels: readonly Level[] = [
  { share: 4, ways: null },
  {
    share: 6,
    ways: (at) => ['VP of ', 'Vice President, ', 'Senior Vice President, ', 'VP '].map(before(at)),
  },
  { share: 11, ways: (at) => ['Director of ', 'Senior Director, ', 'Director, '].map(before(at)) },
  { share: 22, ways: (at) => [`${at} Manager`, `Senior ${at} Manager`, `Manager, ${at}`] },
  { share: 24, ways: (at) => ['Senior ', 'Lead ', 'Principal '].map(before(roles[at])) },
  { share: 33, ways: (at) => ['', 'Junior ', 'Associate ', ''].map(before(roles[at])) },
];

function before(text = '') {
  return (beginning: string) => beginning + text;
}

/** Draws a level. */
export function drawLevel({ random }: Draws): Level {
  let rest = random() * 100;
  const found = levels.find(({ share }) => {
    rest -= share;
    return rest < 0;
  });
  return found ?? (levels.at(-1) as Level);
}

/** Draws a title of a level in a function. */
export function drawTitle(
  draws: Draws,
  names: Pick<Names, 'drawWord'>,
  level: Level,
  jobFunction: string,
) {
  const { pick, isHit } = draws;
  if (!level.ways) return chiefs[jobFunction] ?? pick(otherChiefs);
  const title = pick(level.ways(jobFunction));
  return title + (isHit(0.3) ? ` - ${names.drawWord()}` : pick(regions));
}
