// Labels of duplicates.
import { type Duplicate, likelihoodWords } from '../../../engine/contract/duplicates/duplicates.ts';

export const wordOfProbability = ({
  probability,
  likelihood,
}: Pick<Duplicate, 'probability' | 'likelihood'>) =>
  `${Math.floor(probability * 100)}%, ${likelihoodWords[likelihood]}`;

export const wordOfRecord = ({ name, detail }: Duplicate['records'][number]) =>
  detail === '' ? name : `${name} (${detail})`;
