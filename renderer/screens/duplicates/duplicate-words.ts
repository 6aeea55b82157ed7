/** Labels of duplicates. */
import type {
  Duplicate,
  DuplicateLikelihood,
  MergeReason,
} from '../../../engine/contract/duplicates/duplicates.ts';

const likelihoods: Record<DuplicateLikelihood, string> = {
  almost_certain: 'almost certain',
  very_likely: 'very likely',
  likely: 'likely',
};

/** Why the survivor has a value. */
export const reasonLabels: Record<MergeReason, string> = {
  same: 'the same',
  only: 'the only value',
  newer: 'newer',
  trusted: 'more trusted',
  later_import: 'later import',
  kept_record: 'of the kept record',
  same_place: 'goes with the city',
  chosen: 'your choice',
  all_kept: 'all kept',
};

export const wordOfProbability = ({
  probability,
  likelihood,
}: Pick<Duplicate, 'probability' | 'likelihood'>) =>
  `${Math.floor(probability * 100)}%, ${likelihoods[likelihood]}`;

export const wordOfRecord = ({ name, detail }: Duplicate['records'][number]) =>
  detail === '' ? name : `${name} (${detail})`;
