// A row of large labelled numbers.
import { Skeleton } from '@mantine/core';
import classes from './figures.module.css';

/** The figures. One without a value is loading. */
export function Figures({
  figures,
}: {
  figures: readonly { label: string; value: string | undefined }[];
}) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label} className={classes.figure}>
          <dt>{label}</dt>
          <dd>{value ?? <Skeleton height={20} width={90} mt={4} />}</dd>
        </div>
      ))}
    </dl>
  );
}
