// An inferred email of a row: its column of the grid, and its evidence in the details.
import { Text, Title } from '@mantine/core';
import type { InferredEmail } from '../../../engine/contract/jobs/inferred-email.ts';
import type { ResultRow } from '../../../engine/contract/jobs/job.ts';
import type { GridColumn } from '../../components/data-grid/grid-columns.ts';
import { showCount, showShare } from '../../components/numbers.ts';
import { Note } from '../../components/text.tsx';
import classes from './job.module.css';

export const inferredColumn: GridColumn = { label: 'Inferred email', kind: 'guess', width: 270 };

/** The address with its probability; '' for a row without one. */
export const showInferred = ({ inferred_email: inferred }: ResultRow): string =>
  inferred ? `${inferred.email} (inferred, ${showShare(inferred.probability)})` : '';

const domainWords: Readonly<Record<InferredEmail['domain_check'], string>> = {
  accepts_mail: 'The domain accepts mail.',
  unchecked: 'The domain could not be checked.',
};

export function describeInferred(inferred: InferredEmail): string {
  const { compared, domain_check: check, pattern, witnesses } = inferred;
  const domain = pattern.slice(pattern.lastIndexOf('@') + 1);
  const share = `${showCount(witnesses)} of ${showCount(compared)} people with a known address`;
  return `${share} at ${domain} have the form ${pattern}. ${domainWords[check]}`;
}

/** The inferred email of a row with its evidence; nothing for a row without one. */
export function InferredSection({ result }: { result: ResultRow }) {
  const { inferred_email: inferred } = result;
  if (!inferred) return null;
  return (
    <section aria-label="Inferred email" className={classes.inferred}>
      <Title order={3} mb={4}>
        Inferred email, {showShare(inferred.probability)}
      </Title>
      <Text className={classes.guess}>{inferred.email}</Text>
      <Note>{describeInferred(inferred)}</Note>
      <Note>It is a guess and free: no source has stated or verified it.</Note>
    </section>
  );
}
